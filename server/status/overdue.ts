import { DAY_MS, MINUTE_MS } from '../durations.ts'
import { nextSlots, parseCron } from '../schedule/cron.ts'

// When the results of a service are overdue: two more slots and a minute after the first slot without a result. A run that
// one restart delays is not overdue, and irregular schedules, such as office hours, have no single interval.

const SLOTS = 3
const GRACE_MS = MINUTE_MS
/** The Gregorian calendar, weekdays included, repeats after 400 years. */
const CYCLE_MONTHS = 400 * 12

/** Returns the first slot without a result since when results are overdue; null while they are not. */
export function overdueSince(cron: string, expectedFrom: Date, now: Date): Date | null {
  const slots = nextSlots(cron, expectedFrom, SLOTS)
  const [first, last] = [slots[0], slots[SLOTS - 1]] as [Date, Date]
  return last.getTime() + GRACE_MS <= now.getTime() ? first : null
}

/** Returns the slot before which `expectedFrom` must lie for results to be overdue: the same rule for many services. */
export function overdueBefore(cron: string, now: Date): Date {
  let slot = lastSlot(cron, new Date(now.getTime() - GRACE_MS))
  for (let left = SLOTS - 1; left > 0; left--) slot = lastSlot(cron, new Date(slot.getTime() - MINUTE_MS))
  return slot
}

/** Returns the last slot of the expression at or before an instant. */
function lastSlot(text: string, at: Date): Date {
  const { hours, minutes, daysOf } = parseCron(text)
  const [hour, minute] = [at.getUTCHours(), at.getUTCMinutes()]
  const today = Math.floor(at.getTime() / DAY_MS)
  const isPast = (h: number, m: number) => h < hour || (h === hour && m <= minute)
  for (let back = 0; back <= CYCLE_MONTHS; back++) {
    const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1))
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1]
    const matching = daysOf(month, first.getUTCDay())
    const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
    for (let day = back === 0 ? at.getUTCDate() : length; day > 0; day--) {
      if ((matching & (1 << (day - 1))) === 0) continue
      const start = first.getTime() / DAY_MS + day - 1
      const allows = start === today ? isPast : () => true
      const lastHour = hours.findLast((h) => allows(h, minutes[0] as number))
      if (lastHour === undefined) continue
      const lastMinute = minutes.findLast((m) => allows(lastHour, m)) as number
      return new Date(start * DAY_MS + (lastHour * 60 + lastMinute) * MINUTE_MS)
    }
  }
  throw new RangeError('the expression matches no time')
}
