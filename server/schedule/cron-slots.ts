import { MINUTE_MS } from '../durations.ts'
import { type Cron, nextMatch, parseCron } from './cron.ts'
import { changeAround } from './zone-offsets.ts'

// The slots of cron expressions, which are in the local time of a zone (IANA). A time that clocks skip takes place when
// they have moved, and a time that comes twice takes place the first time. As in other crons, frequent expressions follow
// the clock instead: those of every hour skip what is skipped, and these and those of every few minutes run twice.

/** The Gregorian calendar, weekdays included, repeats after 400 years. */
const CYCLE_MONTHS = 400 * 12

/** Returns the first slot of the expression after `after`. */
export function nextSlot(text: string, after: Date, zone: string): Date {
  const cron = parseCron(text)
  const time = wholeMinute(after)
  const change = changeAround(time, zone)
  const local = time + (time < change.at ? change.before : change.after)
  const slot = slotFrom(cron, local + MINUTE_MS, time, zone)
  // Clocks that go back before this slot show times again that the search has passed.
  const showsAgain = isTwice(cron) && time < change.at && change.at <= slot && change.after < change.before
  return new Date(showsAgain ? slotFrom(cron, change.at + change.after, change.at - MINUTE_MS, zone) : slot)
}

/** Returns the next `count` slots of the expression after `after`. */
export function nextSlots(text: string, after: Date, count: number, zone: string): Date[] {
  const slots: Date[] = []
  while (slots.length < count) slots.push(nextSlot(text, slots.at(-1) ?? after, zone))
  return slots
}

/** Returns the last slot of the expression at or before `at`. */
export function lastSlot(text: string, at: Date, zone: string): Date {
  const cron = parseCron(text)
  const time = wholeMinute(at)
  const change = changeAround(time, zone)
  const local = time + (time < change.at ? change.before : change.after)
  const slot = slotUpTo(cron, local, time, zone)
  const isSecondTime = time >= change.at && time - change.at < change.before - change.after
  if (!isSecondTime) return new Date(slot)
  // Before the clocks went back, they had passed later times than now.
  return new Date(Math.max(slot, slotUpTo(cron, change.at + change.before - MINUTE_MS, time, zone)))
}

/** Returns the slot of the first match from a local time on whose instant is after `after`. */
function slotFrom(cron: Cron, local: number, after: number, zone: string): number {
  const match = nextMatch(cron, local)
  const change = changeAround(match, zone)
  const [first, second] = [match - change.before, match - change.after]
  if (first < change.at) {
    if (first > after) return first
    return isTwice(cron) ? second : slotFrom(cron, change.at + change.before, after, zone)
  }
  if (second >= change.at) return second
  return cron.isEveryHour ? slotFrom(cron, change.at + change.after, after, zone) : change.at
}

/** Returns the slot of the last match up to a local time; of a time that comes twice, the later one up to `until`. */
function slotUpTo(cron: Cron, local: number, until: number, zone: string): number {
  const match = lastMatch(cron, local)
  const change = changeAround(match, zone)
  const [first, second] = [match - change.before, match - change.after]
  if (first < change.at) return isTwice(cron) && second >= change.at && second <= until ? second : first
  if (second >= change.at) return second
  return cron.isEveryHour ? slotUpTo(cron, change.at + change.before - MINUTE_MS, until, zone) : change.at
}

/** Whether a time that comes twice is a slot both times. */
function isTwice(cron: Cron): boolean {
  return cron.isEveryHour || cron.isEveryFewMinutes
}

/** Returns the last local time at or before `local` that the expression matches. */
function lastMatch({ hours, minutes, daysOf }: Cron, local: number): number {
  const at = new Date(local)
  const [hour, minute] = [at.getUTCHours(), at.getUTCMinutes()]
  const isPast = (h: number, m: number) => h < hour || (h === hour && m <= minute)
  for (let back = 0; back <= CYCLE_MONTHS; back++) {
    const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1))
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1]
    const matching = daysOf(month, first.getUTCDay())
    const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
    for (let day = back === 0 ? at.getUTCDate() : length; day > 0; day--) {
      if ((matching & (1 << (day - 1))) === 0) continue
      const allows = back === 0 && day === at.getUTCDate() ? isPast : () => true
      const lastHour = hours.findLast((h) => allows(h, minutes[0] as number))
      if (lastHour === undefined) continue
      const lastMinute = minutes.findLast((m) => allows(lastHour, m)) as number
      return Date.UTC(year, month - 1, day, lastHour, lastMinute)
    }
  }
  throw new RangeError('the expression matches no time')
}

function wholeMinute(at: Date): number {
  return Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
}
