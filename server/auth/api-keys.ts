import { createHash, randomBytes } from 'node:crypto'

/** Three fixed characters and 32 random bytes in base64url. Secret scanners may look for it. */
export const KEY_PATTERN = /^sl_[A-Za-z0-9_-]{43}$/

export type MintedKey = {
  /** What the caller sends. Shown once, stored nowhere. */
  token: string
  /** The first eleven characters, for lists. */
  prefix: string
  /** What is stored. */
  digest: Buffer
}

export function mintKey(): MintedKey {
  const token = `sl_${randomBytes(32).toString('base64url')}`
  return { token, prefix: token.slice(0, 11), digest: digestOf(token) }
}

/**
 * SHA-256 of the token's text, not of the bytes it encodes: the last character of base64url has twins. A plain hash is
 * enough for 256 random bits.
 */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
