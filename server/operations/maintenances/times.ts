import { MINUTE_MS } from '../../durations.ts'
import { fieldInvalid, fieldRequired } from '../../errors.ts'
import { type Window, windowAfter, windowAt } from '../../schedule/maintenance/windows.ts'
import { parseRecurrence, RecurrenceError, recurrenceProblem } from '../../schedule/recurrence.ts'
import type { Rule } from '../../schedule/recurrence-rule.ts'
import { isTimezone } from '../../schedule/time-zones.ts'
import {
  MAINTENANCE_MINUTES_MAX,
  type MaintenanceChange,
  type MaintenanceCreate,
} from '../../schemas/maintenances/maintenances.ts'
import type { MaintenanceRow } from './rows.ts'

// When maintenances begin and end, from what callers write.

const LONGEST_MS = MAINTENANCE_MINUTES_MAX * MINUTE_MS
/** Clocks of callers differ, and requests take time. */
const PAST_MS = 5 * MINUTE_MS

/**
 * Checks the times of a new maintenance as far as they do not depend on now.
 * @throws ApiError `field_invalid` or `field_required`
 */
export function checkTimes(input: MaintenanceCreate): void {
  const given = (['endsAt', 'minutes', 'rule'] as const).filter((field) => input[field] != null)
  const [first, other] = given
  if (!first) throw fieldRequired('minutes')
  if (other) throw fieldInvalid(other, `must not be given with ${first}: give one of endsAt, minutes and rule`)
  const { rule, timezone, startsAt } = input
  if (rule == null) {
    if (timezone != null) throw fieldInvalid('timezone', 'must not be given without a rule: times name their zone')
    return
  }
  if (startsAt != null) throw fieldInvalid('startsAt', 'must not be given with rule: write DTSTART in the rule')
  if (timezone != null && !isTimezone(timezone)) {
    throw fieldInvalid('timezone', 'must be an IANA time zone such as Europe/Berlin')
  }
  const problem = recurrenceProblem(rule, 'serviceWindow')
  if (problem) throw fieldInvalid('rule', problem)
  const read = parseRecurrence(rule, 'serviceWindow')
  if (isOftenerThanHourly(read.rule)) {
    throw fieldInvalid('rule', 'must occur at most once an hour: give FREQ=HOURLY or a longer one, and one BYMINUTE')
  }
  if (timezone != null && read.timezone !== null) {
    throw fieldInvalid('timezone', 'must not be given with a rule that names a time zone')
  }
}

/** Each time of a rule is a write, and its evaluation takes milliseconds. */
function isOftenerThanHourly({ frequency, interval, minutes }: Rule): boolean {
  return (frequency === 'MINUTELY' && interval < 60) || (minutes?.length ?? 1) > 1
}

/**
 * Returns when a new maintenance holds: with a rule, now or next.
 * @throws ApiError `field_invalid`
 */
export async function timesOf(input: MaintenanceCreate, now: Date, timezone: string): Promise<Window> {
  if (input.rule != null) {
    const window = await ofRule(() => windowAt(input.rule as string, timezone, now))
    if (!window) throw fieldInvalid('rule', 'has no further time')
    return window
  }
  const startsAt = input.startsAt == null ? now : new Date(input.startsAt)
  if (startsAt.getTime() < now.getTime() - PAST_MS)
    throw fieldInvalid(
      'startsAt',
      'must be at most 5 minutes in the past: results of earlier runs are counted already. Leave it out to begin now',
    )
  if (startsAt.getTime() > now.getTime() + LONGEST_MS) throw fieldInvalid('startsAt', 'must be within a year from now')
  const endsAt =
    input.endsAt == null ? new Date(startsAt.getTime() + (input.minutes ?? 0) * MINUTE_MS) : new Date(input.endsAt)
  checkEnd(startsAt, endsAt, now, input.endsAt == null ? 'minutes' : 'endsAt')
  return { startsAt, endsAt }
}

/**
 * Returns the new end of a maintenance; null where the change sets none.
 * @throws ApiError `field_invalid`
 */
export function changedEnd(row: MaintenanceRow, { endsAt, minutes }: MaintenanceChange, now: Date): Date | null {
  const field = endsAt === undefined ? 'minutes' : 'endsAt'
  if (endsAt === undefined && minutes === undefined) return null
  if (row.rule !== null) throw fieldInvalid(field, 'must not be given: the rule says how long it lasts')
  if (row.endsAt <= now) throw fieldInvalid(field, 'must not be given: the maintenance is past. Create another one')
  const from = row.startsAt > now ? row.startsAt : now
  const end = endsAt === undefined ? new Date(from.getTime() + (minutes as number) * MINUTE_MS) : new Date(endsAt)
  checkEnd(row.startsAt, end, now, field)
  return end
}

/** Checks that the parts of a change fit together. @throws ApiError `field_invalid` */
export function checkChange({ endsAt, minutes, end }: MaintenanceChange): void {
  if (endsAt !== undefined && minutes !== undefined) throw fieldInvalid('minutes', 'must not be given with endsAt')
  const other = endsAt === undefined ? 'minutes' : 'endsAt'
  if (end && (endsAt ?? minutes) !== undefined) throw fieldInvalid(other, 'must not be given with end')
}

type Ended = Pick<MaintenanceRow, 'startsAt' | 'endsAt'> &
  Partial<Pick<MaintenanceRow, 'endedAt' | 'previousStartsAt' | 'previousEndsAt'>>

/**
 * Returns what ending a maintenance that is on now sets; null for one that is past.
 * @throws ApiError `field_invalid` for one that has not begun
 */
export async function endedNow(row: MaintenanceRow, now: Date): Promise<Ended | null> {
  const { rule, timezone, startsAt, endsAt } = row
  if (endsAt <= now) return null
  if (startsAt > now) throw fieldInvalid('end', 'must not be given: the maintenance has not begun. Delete it instead')
  const ended = { startsAt, endsAt: now, endedAt: now }
  if (rule === null || timezone === null) return ended
  const next = await ofRule(() => windowAfter(rule, timezone, now))
  return next ? { ...next, previousStartsAt: startsAt, previousEndsAt: now } : ended
}

/** Returns the last time in which a maintenance held up to now; null for one that never did. */
export function lastHeld({ startsAt, endsAt, previousStartsAt, previousEndsAt }: MaintenanceRow, now: Date) {
  if (startsAt <= now) return { startsAt, endsAt: endsAt < now ? endsAt : now }
  return previousStartsAt && previousEndsAt && { startsAt: previousStartsAt, endsAt: previousEndsAt }
}

function checkEnd(startsAt: Date, endsAt: Date, now: Date, field: string): void {
  if (endsAt <= startsAt) throw fieldInvalid(field, 'must be after the start')
  if (endsAt <= now) throw fieldInvalid(field, 'must be in the future')
  if (endsAt.getTime() - startsAt.getTime() > LONGEST_MS)
    throw fieldInvalid(field, 'must be at most a year after the start')
}

async function ofRule(read: () => Promise<Window | null>): Promise<Window | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RecurrenceError) throw fieldInvalid('rule', error.message)
    throw error
  }
}
