import { createHash, randomBytes } from 'node:crypto'
import type { Settings } from './settings.ts'

// Links that open something once for whoever holds them. The token stands behind the `#` of the address, so it is in no
// log and no referrer; what we keep of it is its digest.

export function newLinkToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, digest: digestOfToken(token) }
}

export function digestOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The address of `page` with the token. */
export function linkUrl(
  settings: Partial<Pick<Settings, 'BASE_URL' | 'PORT'>>,
  page: 'invitation' | 'reset-password' | 'setup',
  token: string,
): string {
  return `${settings.BASE_URL ?? `http://localhost:${settings.PORT}`}/${page}#${token}`
}
