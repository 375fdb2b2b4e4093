import { createHash, randomBytes } from 'node:crypto'
import type { AnyPgColumn } from '#db/drizzle.cjs'
import { and, eq, gt, type SQL } from '#db/drizzle.cjs'
import type { Settings } from '../../process/settings.ts'

// Tokens of links that work once, without a session. The token follows the `#` of the URL, so it appears in no log and no
// referrer. Only its digest is stored.

export function newLinkToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, digest: digestOfToken(token) }
}

export function digestOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Returns the condition that a link has the token and has not expired. */
export function isValidLink(
  links: { tokenDigest: AnyPgColumn; expiresAt: AnyPgColumn },
  token: string,
  now: Date,
): SQL | undefined {
  return and(eq(links.tokenDigest, digestOfToken(token)), gt(links.expiresAt, now))
}

type Address = Partial<Pick<Settings, 'BASE_URL' | 'PORT'>>

/** Returns the URL of `page` with the token. */
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
