import { nextOpenings } from '../recurrence.ts'

export type Window = { startsAt: Date; endsAt: Date }

/**
 * Returns the window of a rule that is open at `at`, or else the next one; null when the rule has no further time.
 * @throws RecurrenceError when the rule is invalid
 */
export async function windowAt(rule: string, timezone: string, at: Date): Promise<Window | null> {
  const [opening] = await nextOpenings(rule, 'serviceWindow', at, timezone, 1)
  return opening ? { startsAt: opening.opensAt, endsAt: opening.closesAt } : null
}

/**
 * Returns the first window of a rule that opens after `at`.
 * @throws RecurrenceError when the rule is invalid
 */
export async function windowAfter(rule: string, timezone: string, at: Date): Promise<Window | null> {
  const openings = await nextOpenings(rule, 'serviceWindow', at, timezone, 2)
  const next = openings.find(({ opensAt }) => opensAt > at)
  return next ? { startsAt: next.opensAt, endsAt: next.closesAt } : null
}
