import type { Db } from '#db/client.ts'
import { ApiError } from '../errors.ts'
import { countRequest, rateLimitKey } from '../http/rate-limits.ts'

// How many mails may be caused in an hour. Whoever causes them is counted before whoever gets them: one who has spent
// theirs must not use up what others may still send to an address.

const WINDOW_SECONDS = 3_600
const ORGANIZATION_MAX = 200
const RECIPIENT_MAX = 5

/** What a mail is about, and how many a member may cause. Each is counted apart: none keeps another from coming. */
const MEMBER_MAX = { invitation: 50, address: 10 } as const
export type MailKind = keyof typeof MEMBER_MAX

/**
 * Spends a mail of the member's, the organization's and the recipient's.
 * @throws ApiError `rate_limited` with `Retry-After` when one of them has none left
 */
export async function countMail(
  db: Db,
  kind: MailKind,
  { userId, organizationId, to }: { userId: string; organizationId: string; to: string },
): Promise<void> {
  const spenders: [who: string, max: number][] = [
    [`member ${userId}`, MEMBER_MAX[kind]],
    [`organization ${organizationId}`, ORGANIZATION_MAX],
    [`recipient ${to}`, RECIPIENT_MAX],
  ]
  for (const [who, max] of spenders) {
    const { spent, secondsLeft } = await countRequest(db, rateLimitKey('mail', `${kind} ${who}`), {
      max,
      windowSeconds: WINDOW_SECONDS,
    })
    if (spent > max) throw new ApiError('rate_limited', undefined, { 'Retry-After': String(secondsLeft) })
  }
}
