import { eq } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { recoveryCodes, users } from '#db/schema/organizations.ts'
import { endAllSessions } from '../auth/sessions.ts'
import { auditEverywhere } from './password-resets.ts'

/** Removes an account's authenticator and recovery codes. The last used step stays, so that a used code stays used. */
export async function clearSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.update(users).set({ totpSecret: null, totpEnrolledAt: null }).where(eq(users.id, userId))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** Removes the second factor of a person who lost it, and ends every session. Writes an audit entry. */
export async function resetSecondFactor(tx: Tx, email: string, now: Date): Promise<'done' | 'none' | 'no-account'> {
  const [account] = await tx
    .select({ id: users.id, email: users.email, secret: users.totpSecret, enrolledAt: users.totpEnrolledAt })
    .from(users)
    .where(eq(users.email, email))
    .for('update')
  if (!account) return 'no-account'
  if (!account.enrolledAt && !account.secret) return 'none'
  await clearSecondFactor(tx, account.id)
  await endAllSessions(tx, account.id, now)
  const subject = { account, actor: null, address: 'localhost' }
  await auditEverywhere(tx, subject, { action: 'totp.reset', details: { by: 'operator' } })
  return 'done'
}
