import { hash, randomBytes } from 'node:crypto'

export type MintedKey = {
  /** The secret that the caller sends. Shown once and never stored. */
  token: string
  /** The first eleven characters, for lists. */
  prefix: string
  /** The stored hash of the token. */
  digest: Buffer
}

/** Creates a key: some fixed characters, for secret scanners, and 32 random bytes in base64url. */
export function mintKey(start: 'sl_' | 'slm_' = 'sl_'): MintedKey {
  const token = `${start}${randomBytes(32).toString('base64url')}`
  return { token, prefix: token.slice(0, 11), digest: digestOf(token) }
}

/**
 * Returns the SHA-256 of the token's text. Not of the bytes that it encodes, because several last characters of base64url
 * encode the same bytes. A plain hash is enough for 256 random bits.
 */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
