import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Tx } from '#db/client.ts'
import { recoveryCodes, users } from '#db/schema/organizations.ts'
import type { Vault } from '../vault.ts'

const ISSUER = 'Soundline'
const RECOVERY_CODES = 10

type Account = Pick<typeof users.$inferSelect, 'id' | 'totpSecret'>

/** A new secret: as text to type in, and as the URI that authenticators read from a QR code. */
export function newTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ issuer: ISSUER, label: email, secret: new Secret({ size: 20 }) })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

export function sealTotpSecret(vault: Vault, userId: string, secret: string): Buffer {
  return vault.seal(secret, 'totp', userId, userId)
}

/**
 * Takes a code of the authenticator, or a recovery code, once and for all: of parallel attempts with one code a single
 * one sees true, whatever it is for. Part of the transaction of what the code opens.
 */
export async function consumeCode(tx: Tx, vault: Vault, account: Account, code: string, now: Date): Promise<boolean> {
  return (await consumeTotpCode(tx, vault, account, code, now)) || consumeRecoveryCode(tx, account.id, code, now)
}

/** As `consumeCode`, of the authenticator only: what confirms an enrolment. */
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
  // Opened with an older key: sealed again with the newest, so that the older one can go some day.
  const isOld = vault.keyOf(account.totpSecret) !== vault.newestKey
  const taken = await tx
    .update(users)
    .set({ totpLastStep: step, ...(isOld && { totpSecret: sealTotpSecret(vault, account.id, secret) }) })
    .where(and(eq(users.id, account.id), lt(users.totpLastStep, step)))
    .returning({ id: users.id })
  return taken.length === 1
}

/** Replaces the user's recovery codes. Eighty random bits each, so their plain digests give nothing away. */
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
