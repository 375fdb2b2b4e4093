import { randomUUID } from 'node:crypto'
import { defaults, type password, seal, unseal } from 'iron-webcrypto'
import { z } from 'zod'
import type { Challenge, Device, Runtime } from '../../context.ts'
import { DAY_MS, MINUTE_MS } from '../../durations.ts'
import type { Vault } from '../../vault.ts'

// The session cookie contains only a session's id, which is useless without the session's row. The device cookie grants
// nothing: it marks a browser in which an account has signed in before. The challenge cookie grants nothing without the
// signature of a passkey.

/** A session ends after this long, even when it is in use. */
export const SESSION_MAX_MS = 30 * DAY_MS

/** A browser stays known for this long after a sign-in. Browsers do not keep cookies longer. */
const DEVICE_MAX_MS = 365 * DAY_MS

/** How long a person may take to confirm with a passkey. */
export const CHALLENGE_MAX_MS = 5 * MINUTE_MS

/** Longer than any cookie of ours. A longer one is refused before it is decrypted. */
const SEALED_MAX = 1_024

// `typ` prevents that a value sealed for one purpose is accepted for another.
const Content = z.object({ typ: z.literal('session'), id: z.guid() })
const DeviceContent = z.object({ typ: z.literal('device'), id: z.guid(), userId: z.guid(), epoch: z.int() })
const ChallengeContent = z.object({
  typ: z.literal('challenge'),
  challenge: z.string(),
  sessionId: z.guid().nullable(),
  at: z.coerce.date(),
})

/** The parts of a runtime that seal a cookie. */
type Sealing = Pick<Runtime, 'settings' | 'vault' | 'now'>

/** Returns the cookie's name. `__Host-` binds it to this host and https; browsers refuse it over http. */
export function sessionCookieName(runtime: Pick<Runtime, 'settings'>): string {
  return isSecure(runtime) ? '__Host-soundline' : 'soundline'
}

function deviceCookieName(runtime: Pick<Runtime, 'settings'>): string {
  return `${sessionCookieName(runtime)}-device`
}

/** Returns the `Set-Cookie` value that signs in with a session, or out when null. */
export function sessionCookie(runtime: Sealing, sessionId: string | null): Promise<string> {
  const content = sessionId === null ? null : { typ: 'session', id: sessionId }
  return cookie(runtime, sessionCookieName(runtime), content, SESSION_MAX_MS)
}

/** Returns the `Set-Cookie` value that makes the browser known to the account. */
export function deviceCookie(runtime: Sealing, account: { userId: string; epoch: number }): Promise<string> {
  const content = { typ: 'device', id: randomUUID(), userId: account.userId, epoch: account.epoch }
  return cookie(runtime, deviceCookieName(runtime), content, DEVICE_MAX_MS)
}

function challengeCookieName(runtime: Pick<Runtime, 'settings'>): string {
  return `${sessionCookieName(runtime)}-challenge`
}

/** Returns the `Set-Cookie` value that remembers what a passkey must sign, or forgets it when null. */
export function challengeCookie(runtime: Sealing, challenge: Challenge | null): Promise<string> {
  const content = challenge && { typ: 'challenge', ...challenge, at: challenge.at.toISOString() }
  return cookie(runtime, challengeCookieName(runtime), content, CHALLENGE_MAX_MS)
}

/** Returns the challenge in a request's cookies; null when there is none, or it is forged or expired. */
export function readChallengeCookie(runtime: Runtime, cookies: string | null): Promise<Challenge | null> {
  return readCookie(runtime, cookies, challengeCookieName(runtime), ChallengeContent)
}

/** Returns the session id in a request's cookies; null when there is none, or it is forged or expired. */
export async function readSessionCookie(runtime: Runtime, cookies: string | null): Promise<string | null> {
  return (await readCookie(runtime, cookies, sessionCookieName(runtime), Content))?.id ?? null
}

/** Returns the device in a request's cookies, of any account; null as above. */
export function readDeviceCookie(runtime: Runtime, cookies: string | null): Promise<Device | null> {
  return readCookie(runtime, cookies, deviceCookieName(runtime), DeviceContent)
}

async function cookie(runtime: Sealing, name: string, content: object | null, maxMs: number): Promise<string> {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure(runtime) ? '; Secure' : ''}`
  if (content === null) return `${name}=; ${attributes}; Max-Age=0`
  const [newest] = secretsOf(runtime.vault)
  if (!newest) throw new Error('The vault derives at least one key')
  const sealed = await seal(content, newest, options(runtime, maxMs))
  return `${name}=${sealed}; ${attributes}; Max-Age=${maxMs / 1_000}`
}

async function readCookie<T>(
  runtime: Runtime,
  cookies: string | null,
  name: string,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const sealed = findCookie(cookies, name)
  if (!sealed || sealed.length > SEALED_MAX) return null
  const secrets = Object.fromEntries(secretsOf(runtime.vault).map((secret) => [secret.id, secret]))
  try {
    return schema.parse(await unseal(sealed, secrets, options(runtime, DEVICE_MAX_MS)))
  } catch {
    return null
  }
}

function isSecure({ settings }: Pick<Runtime, 'settings'>): boolean {
  return settings.BASE_URL?.startsWith('https:') ?? false
}

function options({ now }: Sealing, ttl: number) {
  // iron uses the machine's clock; the offset makes it use the program's.
  return { ...defaults, ttl, localtimeOffsetMsec: now().getTime() - Date.now() }
}

/** Newest first. Ids are hex-encoded, because iron allows no dash in an id and ours can have one. */
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
