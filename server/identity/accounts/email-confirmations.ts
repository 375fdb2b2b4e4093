import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { emailConfirmations } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { DAY_MS } from '../../durations.ts'
import { ApiError } from '../../errors.ts'
import { isValidLink, newLinkToken } from './link-tokens.ts'

export const EMAIL_CONFIRMATION_MAX_MS = DAY_MS

/** Creates a token that confirms, within a day, that the account's owner has an address. Replaces earlier tokens. */
export async function createEmailConfirmation(
  tx: Tx,
  account: { id: string; sessionEpoch: number },
  email: string,
  now: Date,
): Promise<string> {
  const { token, digest } = newLinkToken()
  await tx.delete(emailConfirmations).where(eq(emailConfirmations.userId, account.id))
  await tx.insert(emailConfirmations).values({
    id: uuidv7(),
    userId: account.id,
    email,
    epoch: account.sessionEpoch,
    tokenDigest: digest,
    createdAt: now,
    expiresAt: new Date(now.getTime() + EMAIL_CONFIRMATION_MAX_MS),
  })
  return token
}

/**
 * Uses up a token of the account, and returns the locked account and the confirmed address. It needs the account's
 * session: without it, a link in a mailbox could confirm a change that another person started.
 * @throws ApiError `confirmation_invalid` when the token expired, is of another account, or the password changed since
 */
export async function consumeEmailConfirmation(tx: Tx, userId: string, token: string, now: Date) {
  const [found] = await tx
    .select({ id: emailConfirmations.id, confirmed: emailConfirmations.email, account: users })
    .from(emailConfirmations)
    .innerJoin(users, and(eq(users.id, emailConfirmations.userId), eq(users.sessionEpoch, emailConfirmations.epoch)))
    .where(and(isValidLink(emailConfirmations, token, now), eq(emailConfirmations.userId, userId)))
    .for('update')
  if (!found) throw new ApiError('confirmation_invalid')
  await tx.delete(emailConfirmations).where(eq(emailConfirmations.id, found.id))
  return found
}
