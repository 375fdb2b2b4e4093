import { MINUTE_MS } from '../durations.ts'
import { lastSlot, nextSlots } from '../schedule/cron-slots.ts'
import { zoneOrUtc } from '../schedule/time-zones.ts'

// When the results of a service are overdue: two more slots and a minute after the first slot without a result. A run that
// one restart delays is not overdue, and irregular schedules, such as office hours, have no single interval.

const SLOTS = 3
const GRACE_MS = MINUTE_MS

/** A cron expression and its time zone; null for UTC. */
type Timing = { schedule: string; timezone: string | null }

/** Returns the first slot without a result since when results are overdue; null while they are not. */
export function overdueSince({ schedule, timezone }: Timing, expectedFrom: Date, now: Date): Date | null {
  const slots = nextSlots(schedule, expectedFrom, SLOTS, zoneOrUtc(timezone ?? 'UTC'))
  const [first, last] = [slots[0], slots[SLOTS - 1]] as [Date, Date]
  return last.getTime() + GRACE_MS <= now.getTime() ? first : null
}

/** Returns the slot before which `expectedFrom` must lie for results to be overdue: the same rule for many services. */
export function overdueBefore({ schedule, timezone }: Timing, now: Date): Date {
  const before = (at: number) => lastSlot(schedule, new Date(at), zoneOrUtc(timezone ?? 'UTC'))
  let slot = before(now.getTime() - GRACE_MS)
  for (let left = SLOTS - 1; left > 0; left--) slot = before(slot.getTime() - MINUTE_MS)
  return slot
}
