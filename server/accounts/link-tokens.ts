import { createHash, randomBytes } from 'node:crypto'
import type { Settings } from '../process/settings.ts'

// Links that open something once for whoever holds them. The token stands behind the `#` of the address, so it is in no
// log and no referrer; what we keep of it is its digest.

export function newLinkToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, digest: digestOfToken(token) }
}

export function digestOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

type Address = Partial<Pick<Settings, 'BASE_URL' | 'PORT'>>

/** The address of `page` with the token. */
export function linkUrl(
  settings: Address,
  page: 'invitation' | 'reset-password' | 'setup' | 'account/confirm-email',
  token: string,
): string {
  return `${pageUrl(settings, page)}#${token}`
}

export function pageUrl(settings: Address, page: string): string {
  return `${settings.BASE_URL ?? `http://localhost:${settings.PORT}`}/${page}`
}
