import type { Db } from '#db/client.ts'
import { rateLimitKey, requireWithinLimit } from '../../http/rate-limits.ts'

// Limits of mails per hour. The sender is counted before the recipient: a sender over the limit must not use up what
// others can still send to an address.

const WINDOW_SECONDS = 3_600
const ORGANIZATION_MAX = 200
const RECIPIENT_MAX = 5

/** The kinds of mail, with the most that a member may cause. Kinds are counted separately. */
const MEMBER_MAX = { invitation: 50, address: 10, confirmation: 10 } as const
export type MailKind = keyof typeof MEMBER_MAX

/**
 * Counts a mail for the member, the organization and the recipient.
 * @throws ApiError `rate_limited` with `Retry-After` when one of them is over its limit
 */
export async function countMail(
  db: Db,
  kind: MailKind,
  { userId, organizationId, to }: { userId: string; organizationId: string; to: string },
): Promise<void> {
  const counted: [who: string, max: number][] = [
    [`member ${userId}`, MEMBER_MAX[kind]],
    [`organization ${organizationId}`, ORGANIZATION_MAX],
    [`recipient ${to}`, RECIPIENT_MAX],
  ]
  for (const [who, max] of counted) {
    await requireWithinLimit(db, rateLimitKey('mail', `${kind} ${who}`), { max, windowSeconds: WINDOW_SECONDS })
  }
}
