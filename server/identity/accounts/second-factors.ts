import type { Tx } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { passkeys } from '#db/schema/credentials.ts'
import { recoveryCodes, users } from '#db/schema/organizations.ts'
import { secondFactorsOf } from '../auth/passkeys.ts'
import { endAllSessions } from '../auth/sessions.ts'
import { auditEverywhere } from './password-resets.ts'

/** Removes an account's authenticator, passkeys and recovery codes. */
export async function clearSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passkeys).where(eq(passkeys.userId, userId))
  await removeAuthenticator(tx, userId)
}

/** Removes an account's authenticator. The last used step stays, so that a used code stays used. */
export async function removeAuthenticator(tx: Tx, userId: string): Promise<void> {
  await tx.update(users).set({ totpSecret: null, totpEnrolledAt: null }).where(eq(users.id, userId))
  await removeUnusableCodes(tx, userId)
}

/** Removes a passkey of an account. Returns its name; null if the account has no such passkey. */
export async function removePasskey(tx: Tx, userId: string, id: string): Promise<string | null> {
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, userId))
  const [removed] = await tx.delete(passkeys).where(own).returning({ name: passkeys.name })
  await removeUnusableCodes(tx, userId)
  return removed?.name ?? null
}

/** Recovery codes stand in for a second factor, so they go with the last one. */
async function removeUnusableCodes(tx: Tx, userId: string): Promise<void> {
  const { isOn } = await secondFactorsOf(tx, userId)
  if (!isOn) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

/** Removes the second factor of a person who lost it, and ends every session. Writes an audit entry. */
export async function resetSecondFactor(tx: Tx, email: string, now: Date): Promise<'done' | 'none' | 'no-account'> {
  const [account] = await tx
    .select({ id: users.id, email: users.email, secret: users.totpSecret })
    .from(users)
    .where(eq(users.email, email))
    .for('update')
  if (!account) return 'no-account'
  const { isOn } = await secondFactorsOf(tx, account.id)
  if (!isOn && !account.secret) return 'none'
  await clearSecondFactor(tx, account.id)
  await endAllSessions(tx, account.id, now)
  const subject = { account, actor: null, address: 'localhost' }
  await auditEverywhere(tx, subject, { action: 'totp.reset', details: { by: 'operator' } })
  return 'done'
}
