import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { apiKeys } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { endAllSessions } from '../auth/sessions.ts'
import { auditEverywhere } from './password-resets.ts'
import { clearSecondFactor } from './second-factors.ts'

// Who opens a link that went to an address by mail alone holds the address. An account may have been made by somebody
// else, who never showed that: its address's holder takes it over, and nothing that was set up before opens it.

type AccountRef = { id: string; email: string }

/** Marks the address as its holder's, if it was not yet. */
export async function proveAddress(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)))
}

/**
 * Gives an account whose address was never proven to the holder of the address: a new password, and no second factor,
 * session, link or API key of before. Audited. Returns the new epoch.
 */
export async function takeOverAccount(
  tx: Tx,
  account: AccountRef,
  given: { passwordHash: string; by: 'invitation' | 'password reset'; address: string; now: Date },
): Promise<number> {
  await tx
    .update(users)
    .set({ passwordHash: given.passwordHash, emailVerifiedAt: given.now })
    .where(eq(users.id, account.id))
  await clearSecondFactor(tx, account.id)
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: given.now })
    .where(and(eq(apiKeys.userId, account.id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  const epoch = await endAllSessions(tx, account.id, given.now)
  if (epoch === null) throw new Error('The account is locked by this transaction')
  const subject = { account, actor: 'account', address: given.address } as const
  const details = { by: given.by, keysRevoked: revoked.length }
  await auditEverywhere(tx, subject, { action: 'account.take_over', details })
  return epoch
}
