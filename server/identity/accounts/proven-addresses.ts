import type { Tx } from '#db/client.ts'
import { and, eq, isNull } from '#db/drizzle.cjs'
import { apiKeys } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { endAllSessions } from '../auth/sessions.ts'
import { auditEverywhere } from './password-resets.ts'
import { clearSecondFactor } from './second-factors.ts'

// A person who opens a link that was sent only by mail owns the address. Another person may have created the account
// without that proof. Then the owner of the address takes it over, and no earlier credential works.

type AccountRef = { id: string; email: string }

/** Marks the account's address as confirmed, unless it is already. */
export async function proveAddress(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)))
}

/**
 * Gives an account with an unconfirmed address to the owner of the address: sets a new password and removes second
 * factor, sessions, links and API keys. Writes an audit entry. Returns the new epoch.
 */
export async function takeOverAccount(
  tx: Tx,
  account: AccountRef,
  takeover: { passwordHash: string; by: 'invitation' | 'password reset'; address: string; now: Date },
): Promise<number> {
  await tx
    .update(users)
    .set({ passwordHash: takeover.passwordHash, emailVerifiedAt: takeover.now })
    .where(eq(users.id, account.id))
  await clearSecondFactor(tx, account.id)
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: takeover.now })
    .where(and(eq(apiKeys.userId, account.id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  const epoch = await endAllSessions(tx, account.id, takeover.now)
  if (epoch === null) throw new Error('The account was deleted while this transaction had it locked')
  const subject = { account, actor: 'account', address: takeover.address } as const
  const details = { by: takeover.by, keysRevoked: revoked.length }
  await auditEverywhere(tx, subject, { action: 'account.take_over', details })
  return epoch
}
