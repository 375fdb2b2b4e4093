import { zonedText } from '../zoned-text.ts'

type Time = { at: string; until: string | null }

/** Returns a function that writes times in a zone: today's by the clock alone, others with the day, windows with their end. */
export function newTimeFormat(zone: string, now: number): (time: Time) => string {
  const clock = (at: string | number) => zonedText(at, zone, { hour: '2-digit', minute: '2-digit' })
  // Versions of the Unicode data differ in the punctuation between these, and so do the server and the browser.
  const dayOf = (at: string | number) =>
    `${zonedText(at, zone, { weekday: 'short' })} ${zonedText(at, zone, { day: 'numeric', month: 'short' })}`
  const text = (at: string, previousDay: string) => {
    const day = dayOf(at)
    return day === previousDay ? clock(at) : `${day}, ${clock(at)}`
  }
  return ({ at, until }) => {
    const opens = text(at, dayOf(now))
    return until === null ? opens : `${opens} to ${text(until, dayOf(at))}`
  }
}
