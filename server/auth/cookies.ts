import { defaults, type password, seal, unseal } from 'iron-webcrypto'
import { z } from 'zod'
import type { Services } from '../context.ts'
import type { Vault } from '../vault.ts'

// The cookie holds a session's id and nothing that could be acted on without looking the session up.

/** A session ends after this long, whatever is done with it. */
export const SESSION_MAX_MS = 30 * 86_400_000

/** Longer than any cookie of ours, and short enough to refuse before any work. */
const SEALED_MAX = 1_024

// `typ` keeps a value that was sealed for another purpose from passing as a session.
const Content = z.object({ typ: z.literal('session'), id: z.guid() })

/** What sealing a cookie needs. */
type Sealing = Pick<Services, 'settings' | 'vault' | 'now'>

/** `__Host-` binds the cookie to this host and to https; browsers refuse it over http, where local installs live. */
export function sessionCookieName(services: Pick<Services, 'settings'>): string {
  return isSecure(services) ? '__Host-soundline' : 'soundline'
}

/** The value of `Set-Cookie` that signs in with this session, or out with null. */
export async function sessionCookie(services: Sealing, sessionId: string | null): Promise<string> {
  const name = sessionCookieName(services)
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure(services) ? '; Secure' : ''}`
  if (sessionId === null) return `${name}=; ${attributes}; Max-Age=0`
  const [newest] = secretsOf(services.vault)
  if (!newest) throw new Error('The vault derives at least one key')
  const sealed = await seal({ typ: 'session', id: sessionId }, newest, options(services))
  return `${name}=${sealed}; ${attributes}; Max-Age=${SESSION_MAX_MS / 1_000}`
}

/** The session id in a request's cookies; null when there is none, or none that we sealed and that still counts. */
export async function readSessionCookie(services: Services, cookies: string | null): Promise<string | null> {
  const sealed = findCookie(cookies, sessionCookieName(services))
  if (!sealed || sealed.length > SEALED_MAX) return null
  const secrets = Object.fromEntries(secretsOf(services.vault).map((secret) => [secret.id, secret]))
  try {
    return Content.parse(await unseal(sealed, secrets, options(services))).id
  } catch {
    return null
  }
}

function isSecure({ settings }: Pick<Services, 'settings'>): boolean {
  return settings.BASE_URL?.startsWith('https:') ?? false
}

function options({ now }: Sealing) {
  // iron reads the machine's clock; the offset makes it read the program's.
  return { ...defaults, ttl: SESSION_MAX_MS, localtimeOffsetMsec: now().getTime() - Date.now() }
}

/** Newest first. iron allows word characters in an id, ours allow a dash too. */
function secretsOf(vault: Vault): (password.Secret & { id: string })[] {
  return vault
    .derive('session')
    .map(({ id, key }) => ({ id: Buffer.from(id).toString('hex'), secret: key.toString('base64url') }))
}

function findCookie(cookies: string | null, name: string): string | null {
  for (const pair of cookies?.split(';') ?? []) {
    const split = pair.indexOf('=')
    if (pair.slice(0, split).trim() === name) return pair.slice(split + 1).trim()
  }
  return null
}
