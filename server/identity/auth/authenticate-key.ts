import type { Db } from '#db/client.ts'
import { withoutRequestBounds } from '#db/connections/request-bounds.ts'
import { sql } from '#db/drizzle.cjs'
import type { Actor, Runtime } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { addressBucket } from '../../http/client-address.ts'
import { countRequest, findUse, type RateLimitUse, rateLimitKey } from '../../http/rate-limits.ts'
import { log } from '../../process/log.ts'
import { type MemberRow, memberColumns, memberJoins, toActor } from './actor.ts'
import { digestOf } from './api-keys.ts'

export type Authenticated = {
  actor: Actor
  /** `X-RateLimit-*`, for every response from here on; empty while rate limiting is switched off. */
  headers: Record<string, string>
}

/**
 * Authenticates a request by its Authorization header, in the contract's order: the address's limit of unknown tokens, the
 * token's own rate limit, then the key, its owner and their second factor. Records the use of the key.
 * @throws ApiError one of the 401 codes, `totp_enrollment_required`, `rate_limited` or `too_many_unknown_keys`, with the
 * headers of its response
 */
export async function authenticate(
  runtime: Runtime,
  authorization: string | null,
  address: string,
): Promise<Authenticated> {
  // Every token is hashed and counted in the same way, so a malformed token gets the same response as an unknown one.
  const digest = digestOfToken(authorization)
  const key = await findKey(runtime.db, digest)
  const headers = runtime.settings.RATE_LIMIT_ENABLED ? await countUse(runtime, digest, key, address) : {}
  if (digest === null) throw new ApiError(authorization?.trim() ? 'invalid_token' : 'missing_auth_header')
  const actor = acceptKey(key, headers)
  await recordUse(runtime.db, actor, key?.secondsSinceUse ?? null)
  return { actor, headers }
}

/**
 * Checks the key of a request again, after it waited. Counts nothing. Returns the member as they are now.
 * @throws ApiError one of the 401 codes or `totp_enrollment_required`
 */
export async function recheckKey({ db }: Runtime, authorization: string | null): Promise<Actor> {
  return acceptKey(await findKey(db, digestOfToken(authorization)), {})
}

function digestOfToken(authorization: string | null): Buffer | null {
  const [, token] = /^bearer +(\S.*)$/i.exec(authorization?.trim() ?? '') ?? []
  return token === undefined ? null : digestOf(token)
}

type KeyRow = MemberRow & {
  keyId: string
  keyName: string
  keyPrefix: string
  keyAccess: 'read' | 'write'
  keyExpiresMs: number | null
  isRevoked: boolean
  isExpired: boolean
  /** Whole seconds since the last recorded use; null before the first use. */
  secondsSinceUse: number | null
}

/** How long an accepted key stays exempt from its address's limit. Uses are recorded at most once per second. */
const EXEMPT_SECONDS = 300
/** After a longer pause, a key's use is recorded before the response, so that every process then knows of it. */
const IDLE_SECONDS = 10

const sinceUse = sql`(extract(epoch from date_trunc('second', statement_timestamp())
  - date_trunc('second', last_ok_at)))::int`

/** Returns the key with its member; null for a token that names none. */
async function findKey(db: Db, digest: Buffer | null): Promise<KeyRow | null> {
  if (digest === null) return null
  const [row] = await db.execute<KeyRow>(sql`
    select k.id as "keyId", k.name as "keyName", k.prefix as "keyPrefix", k.access as "keyAccess",
      (extract(epoch from k.expires_at) * 1000)::float8 as "keyExpiresMs",
      k.revoked_at is not null as "isRevoked",
      coalesce(k.expires_at <= statement_timestamp(), false) as "isExpired",
      ${sinceUse} as "secondsSinceUse",
      ${memberColumns}
    from api_keys k
    left join users u on u.id = k.user_id
    left join organizations o on o.id = k.organization_id
    ${memberJoins}
    where k.digest = ${digest}`)
  return row ?? null
}

/**
 * Counts the request for its token, and for its address when the token is missing or unknown. Returns `X-RateLimit-*`.
 * @throws ApiError `rate_limited` or `too_many_unknown_keys`
 */
async function countUse(
  { db, settings }: Runtime,
  digest: Buffer | null,
  key: KeyRow | null,
  address: string,
): Promise<Record<string, string>> {
  const ofAddress = rateLimitKey('address', addressBucket(address))
  const unknown = { max: settings.RATE_LIMIT_API_FAILURE_MAX, windowSeconds: settings.RATE_LIMIT_API_FAILURE_WINDOW }
  const budget = { max: settings.RATE_LIMIT_API_MAX, windowSeconds: settings.RATE_LIMIT_API_WINDOW }
  const secondsSinceUse = key?.secondsSinceUse ?? Number.POSITIVE_INFINITY
  const before = secondsSinceUse <= EXEMPT_SECONDS ? null : await findUse(db, ofAddress, unknown)
  if (before && before.used >= unknown.max) throw tooManyUnknown(before)

  let headers = {}
  if (digest !== null) {
    const use = await countRequest(db, rateLimitKey('key', digest), budget)
    headers = {
      'X-RateLimit-Limit': String(budget.max),
      'X-RateLimit-Remaining': String(Math.max(0, budget.max - use.used)),
      'X-RateLimit-Reset': String(use.secondsLeft),
    }
    if (use.used > budget.max) {
      throw new ApiError('rate_limited', undefined, { ...headers, 'Retry-After': String(use.secondsLeft) })
    }
  }
  if (key === null) {
    const use = await countRequest(db, ofAddress, unknown)
    if (use.used > unknown.max) throw tooManyUnknown(use)
  }
  return headers
}

function tooManyUnknown({ secondsLeft }: RateLimitUse): ApiError {
  return new ApiError('too_many_unknown_keys', undefined, { 'Retry-After': String(secondsLeft) })
}

/** @throws ApiError one of the 401 codes or `totp_enrollment_required`, with these headers */
function acceptKey(row: KeyRow | null, headers: Record<string, string>): Actor {
  if (row === null) throw new ApiError('invalid_api_key', undefined, headers)
  if (row.isRevoked) throw new ApiError('api_key_revoked', undefined, headers)
  if (row.isExpired) throw new ApiError('api_key_expired', undefined, headers)
  const expiresAt = row.keyExpiresMs === null ? null : new Date(row.keyExpiresMs)
  const key = { id: row.keyId, name: row.keyName, prefix: row.keyPrefix, access: row.keyAccess, expiresAt }
  const actor = toActor(row, { key, sessionId: null })
  if (!actor) throw new ApiError('api_key_owner_inactive', undefined, headers)
  if (row.needsTotp) throw new ApiError('totp_enrollment_required', undefined, headers)
  return actor
}

/** Records the use of a key, which exempts it from its address's limit for five minutes, in every process. */
async function recordUse(db: Db, { organizationId, key }: Actor, secondsSinceUse: number | null): Promise<void> {
  if (!key || (secondsSinceUse !== null && secondsSinceUse < 1)) return
  const record = () =>
    db
      .execute(sql`
        update api_keys set last_ok_at = statement_timestamp()
        where (organization_id, id) = (${organizationId}, ${key.id}) and (last_ok_at is null or ${sinceUse} >= 1)`)
      // The request is not refused for this: the next one records the use again.
      .catch((error: unknown) => log.warn({ err: error, keyId: key.id }, 'the use of a key was not recorded'))
  // A busy key does not wait for it, so it has its own connection.
  if (secondsSinceUse === null || secondsSinceUse >= IDLE_SECONDS) await record()
  else void withoutRequestBounds(record)
}
