import type { domains } from '#db/schema/organizations.ts'
import { DAY_MS } from '../durations.ts'

// A verified domain is checked daily. An owner may change at any time, so a verification lapses once the record was not
// seen for seven days. Name servers that fail say nothing about the record: that is a day without it, like any other.

export const CHECK_EVERY_MS = DAY_MS
export const LAPSE_AFTER_MS = 7 * DAY_MS
/** Without the record for this long, those who can mend it are warned. */
const WARN_AFTER_MS = 3 * DAY_MS

type Row = Pick<typeof domains.$inferSelect, 'verifiedAt' | 'lastCheckedAt' | 'lastSeenAt'>

/** When the verification lapses if the record stays away; null while it was there at the last check. */
export function lapsesAt({ verifiedAt, lastCheckedAt, lastSeenAt }: Row): Date | null {
  if (verifiedAt === null || lastSeenAt === null || lastCheckedAt === null || lastCheckedAt <= lastSeenAt) return null
  return new Date(lastSeenAt.getTime() + LAPSE_AFTER_MS)
}

export type CheckedDomain = Row & { event: 'lapsed' | 'missing' | null }

/**
 * A verified domain after a check. It lapses only when the check before missed the record as well: after a week in which
 * nothing ran, the first check may fail because the machine is not online yet. `missing` comes once, after three days.
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
