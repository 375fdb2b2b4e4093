import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Tx } from '#db/client.ts'
import { and, eq, isNull, lt } from '#db/drizzle.cjs'
import { recoveryCodes, users } from '#db/schema/organizations.ts'
import type { Vault } from '../../vault.ts'

const ISSUER = 'Soundline'
const RECOVERY_CODES = 10

type Account = Pick<typeof users.$inferSelect, 'id' | 'totpSecret' | 'totpEnrolledAt'>

/** Returns a new secret: in base32 to type in, and as the URI for a QR code. */
export function newTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ issuer: ISSUER, label: email, secret: new Secret({ size: 20 }) })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

export function sealTotpSecret(vault: Vault, userId: string, secret: string): Buffer {
  return vault.seal(secret, 'totp', userId, userId)
}

/**
 * Uses up a code of the authenticator, or a recovery code. Of parallel attempts with one code, exactly one returns true.
 * Belongs in the transaction of the action that the code allows.
 */
export async function consumeCode(tx: Tx, vault: Vault, account: Account, code: string, now: Date): Promise<boolean> {
  // The secret of an account that has only passkeys may be one whose enrolment was never finished.
  const isTotp = account.totpEnrolledAt !== null && (await consumeTotpCode(tx, vault, account, code, now))
  return isTotp || consumeRecoveryCode(tx, account.id, code, now)
}

/** Like `consumeCode`, but accepts no recovery code: for confirming an enrolment. */
export async function consumeTotpCode(
  tx: Tx,
  vault: Vault,
  account: Account,
  code: string,
  now: Date,
): Promise<boolean> {
  if (!account.totpSecret || !/^\d{6}$/.test(code)) return false
  const secret = vault.open(account.totpSecret, 'totp', account.id, account.id)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: 1 })
  if (delta === null) return false
  const step = totp.counter({ timestamp: now.getTime() }) + delta
  // A secret sealed with an older key is re-sealed with the newest, so that the older key can be removed.
  const isOld = vault.keyOf(account.totpSecret) !== vault.newestKey
  const taken = await tx
    .update(users)
    .set({ totpLastStep: step, ...(isOld && { totpSecret: sealTotpSecret(vault, account.id, secret) }) })
    .where(and(eq(users.id, account.id), lt(users.totpLastStep, step)))
    .returning({ id: users.id })
  return taken.length === 1
}

/** Replaces the user's recovery codes and returns them. Each has 80 random bits, so a plain hash is safe to store. */
export async function renewRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, digest: digestOf(code) })))
  return codes
}

async function consumeRecoveryCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.digest, digestOf(code)), isNull(recoveryCodes.usedAt)),
    )
    .returning({ userId: recoveryCodes.userId })
  return used.length === 1
}

/** Four groups of four base32 characters. */
function newRecoveryCode(): string {
  const text = new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer }).base32
  return (text.match(/.{4}/g) as string[]).join('-')
}

function digestOf(code: string): Buffer {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '')
  return createHash('sha256').update(plain).digest()
}
