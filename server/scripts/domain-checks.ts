import type { domains } from '#db/schema/organizations.ts'
import { DAY_MS } from '../durations.ts'

// A verified domain is checked daily, because its owner can change. A verification lapses when the record was not found
// for seven days. A failed DNS query counts as a day without the record.

export const CHECK_EVERY_MS = DAY_MS
export const LAPSE_AFTER_MS = 7 * DAY_MS
/** After this long without the record, the domain's administrators are warned. */
const WARN_AFTER_MS = 3 * DAY_MS

type Row = Pick<typeof domains.$inferSelect, 'verifiedAt' | 'lastCheckedAt' | 'lastSeenAt'>

/** Returns when the verification lapses if the record stays missing; null when the last check found it. */
export function lapsesAt({ verifiedAt, lastCheckedAt, lastSeenAt }: Row): Date | null {
  if (verifiedAt === null || lastSeenAt === null || lastCheckedAt === null || lastCheckedAt <= lastSeenAt) return null
  return new Date(lastSeenAt.getTime() + LAPSE_AFTER_MS)
}

export type CheckedDomain = Row & { event: 'lapsed' | 'missing' | null }

/**
 * Returns the new state of a verified domain after a check. The verification lapses only when the previous check missed
 * the record too: after a week of downtime, the first check can fail because the machine is not online yet. The event
 * `missing` occurs once, after three days.
 */
export function applyCheck(row: Row, isSeen: boolean, now: Date): CheckedDomain {
  if (isSeen) return { verifiedAt: row.verifiedAt ?? now, lastCheckedAt: now, lastSeenAt: now, event: null }
  const checked = { verifiedAt: row.verifiedAt, lastCheckedAt: now, lastSeenAt: row.lastSeenAt }
  const lapse = lapsesAt(row)
  if (lapse !== null && lapse <= now) return { ...checked, verifiedAt: null, event: 'lapsed' }
  const warning = row.verifiedAt && row.lastSeenAt && new Date(row.lastSeenAt.getTime() + WARN_AFTER_MS)
  const isDue = warning && warning <= now && (row.lastCheckedAt === null || row.lastCheckedAt < warning)
  return { ...checked, event: isDue ? 'missing' : null }
}
