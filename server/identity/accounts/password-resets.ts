import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { and, eq, sql } from '#db/drizzle.cjs'
import { passwordResets } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { type AuditEntry, audit } from '../../audit.ts'
import { HOUR_MS } from '../../durations.ts'
import { ApiError } from '../../errors.ts'
import { isValidLink, newLinkToken } from './link-tokens.ts'
import { organizationsOf } from './organizations.ts'

export const PASSWORD_RESET_MAX_MS = HOUR_MS

/** Who requested a link: a person at a network address, who gets it by mail, or the operator on the machine. */
export type ResetRequest = { address: string; by?: 'operator' }

/**
 * Creates a token that sets a new password for the account, once, within an hour. Earlier tokens stay valid, so that one
 * person cannot invalidate another person's link. Returns null when no one can sign in with that address.
 */
export async function createPasswordReset(
  tx: Tx,
  email: string,
  now: Date,
  { address, by }: ResetRequest,
): Promise<string | null> {
  const [account] = await tx
    .select({ id: users.id, email: users.email, epoch: users.sessionEpoch })
    .from(users)
    .where(and(eq(users.email, email), eq(users.isActive, true)))
  if (!account || (await organizationsOf(tx, account.id)).length === 0) return null
  const { token, digest } = newLinkToken()
  await tx.insert(passwordResets).values({
    id: uuidv7(),
    userId: account.id,
    epoch: account.epoch,
    tokenDigest: digest,
    isMailed: by === undefined,
    createdAt: now,
    expiresAt: new Date(now.getTime() + PASSWORD_RESET_MAX_MS),
  })
  const details = by ? { by } : {}
  await auditEverywhere(tx, { account, actor: null, address }, { action: 'account.request_password_reset', details })
  return token
}

/**
 * Returns the account of a token, and whether the reset takes the account over because its address was never confirmed.
 * `lock` locks the account until the transaction ends.
 * @throws ApiError `reset_invalid` when the token expired, or the password was changed since
 */
export async function requirePasswordReset(db: Queryable, token: string, now: Date, lock?: 'lock') {
  const query = db
    .select({
      id: users.id,
      email: users.email,
      takesOver: sql<boolean>`${passwordResets.isMailed} and ${users.emailVerifiedAt} is null`,
    })
    .from(passwordResets)
    .innerJoin(users, and(eq(users.id, passwordResets.userId), eq(users.sessionEpoch, passwordResets.epoch)))
    .where(and(isValidLink(passwordResets, token, now), eq(users.isActive, true)))
  const [account] = await (lock ? query.for('update', { of: users }) : query)
  if (!account) throw new ApiError('reset_invalid')
  return account
}

type Subject = { account: { id: string; email: string }; actor: 'account' | null; address: string }

/** Writes an audit entry about an account, for changes without a session, in each of its organizations. */
export async function auditEverywhere(
  tx: Tx,
  { account, actor, address }: Subject,
  entry: Pick<AuditEntry, 'action' | 'details'>,
): Promise<void> {
  const who = actor ? { userId: account.id, email: account.email } : { userId: null, email: null }
  for (const { id } of await organizationsOf(tx, account.id)) {
    await audit(
      tx,
      { actor: { organizationId: id, ...who, key: null }, address },
      { ...entry, entityType: 'user', entityId: account.id, entityName: account.email },
    )
  }
}
