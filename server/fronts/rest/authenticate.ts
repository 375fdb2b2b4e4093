import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { withoutRequestBounds } from '#db/connections/request-bounds.ts'
import type { Actor, Runtime } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { addressBucket } from '../../http/client-address.ts'
import { addToWindow, rateLimitKey, secondsLeft, windowStart } from '../../http/rate-limits.ts'
import { type MemberRow, memberColumns, memberJoins, toActor } from '../../identity/auth/actor.ts'
import { digestOf } from '../../identity/auth/api-keys.ts'
import { log } from '../../process/log.ts'

export type Authenticated = {
  actor: Actor
  /** `X-RateLimit-*`, for every response from here on; empty while rate limiting is switched off. */
  headers: Record<string, string>
  /** Whole seconds since the last recorded use of the key; null before the first use. */
  secondsSinceUse: number | null
}

/**
 * Authenticates a request by its Authorization header, and records the use of the key. Takes one round trip, and a second
 * one when the key was not used for ten seconds.
 * @throws ApiError as `checkKey`
 */
export async function authenticate(
  runtime: Runtime,
  authorization: string | null,
  address: string,
): Promise<Authenticated> {
  const authenticated = await checkKey(runtime, authorization, address)
  await recordUse(runtime, authenticated)
  return authenticated
}

/**
 * Checks the key of a request by its Authorization header, in one statement and in the contract's order: the address's
 * limit of unknown tokens, the token's own rate limit, then the key, its owner and their second factor.
 * @throws ApiError one of the 401 codes, `totp_enrollment_required`, `rate_limited` or `too_many_unknown_keys`, with the
 * headers of its response
 */
async function checkKey(runtime: Runtime, authorization: string | null, address: string): Promise<Authenticated> {
  const token = /^bearer +(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1]
  // Every token is hashed and counted in the same way, so a malformed token gets the same response as an unknown one.
  const row = await lookUp(runtime, token === undefined ? null : digestOf(token), address)
  // Counted for the address are only tokens that are missing, or unknown and within their own limit.
  if (row.closed || (row.addressUsed ?? 0) > runtime.settings.RATE_LIMIT_API_FAILURE_MAX) {
    throw new ApiError('too_many_unknown_keys', undefined, { 'Retry-After': String(row.addressSecondsLeft) })
  }
  if (token === undefined) throw new ApiError(authorization?.trim() ? 'invalid_token' : 'missing_auth_header')

  const headers = rateLimitHeaders(runtime, row)
  if (row.keyUsed !== null && row.keyUsed > runtime.settings.RATE_LIMIT_API_MAX) {
    throw new ApiError('rate_limited', undefined, { ...headers, 'Retry-After': String(row.keySecondsLeft) })
  }
  if (row.keyId === null) throw new ApiError('invalid_api_key', undefined, headers)
  if (row.isRevoked) throw new ApiError('api_key_revoked', undefined, headers)
  if (row.isExpired) throw new ApiError('api_key_expired', undefined, headers)
  const actor = toActor(row, {
    key: {
      id: row.keyId,
      name: row.keyName,
      prefix: row.keyPrefix,
      access: row.keyAccess,
      expiresAt: row.keyExpiresMs === null ? null : new Date(row.keyExpiresMs),
    },
    sessionId: null,
  })
  if (!actor) throw new ApiError('api_key_owner_inactive', undefined, headers)
  if (row.needsTotp) throw new ApiError('totp_enrollment_required', undefined, headers)
  return { actor, headers, secondsSinceUse: row.secondsSinceUse }
}

/**
 * Checks the key of a request again, after it waited. Counts nothing. Returns the member as they are now.
 * @throws ApiError one of the 401 codes or `totp_enrollment_required`
 */
export async function recheckKey(runtime: Runtime, authorization: string | null, address: string): Promise<Actor> {
  const uncounted = { ...runtime, settings: { ...runtime.settings, RATE_LIMIT_ENABLED: false } }
  return (await checkKey(uncounted, authorization, address)).actor
}

type Row = MemberRow & {
  /** The address is over its limit, and the key was not accepted within five minutes: refused without checking the key. */
  closed: boolean
  /** Null when nothing was counted. */
  keyUsed: number | null
  addressUsed: number | null
  keySecondsLeft: number
  addressSecondsLeft: number
  keyId: string | null
  keyName: string
  keyPrefix: string
  keyAccess: 'read' | 'write'
  keyExpiresMs: number | null
  isRevoked: boolean
  isExpired: boolean
  secondsSinceUse: number | null
}

const digest = sql.raw('$1::bytea')
const tokenKey = sql.raw('$2::bytea')
const addressKey = sql.raw('$3::bytea')
const limited = sql.raw('$4::boolean')
const tokenMax = sql.raw('$5::int')
const tokenSeconds = sql.raw('$6::int')
const addressMax = sql.raw('$7::int')
const addressSeconds = sql.raw('$8::int')

/** How long an accepted key stays exempt from its address's limit. Uses are recorded at most once per second. */
const EXEMPT_SECONDS = 300
/** After a longer pause, a key's use is recorded before the response, so that every process then knows of it. */
const IDLE_SECONDS = 10

const sinceUse = sql`(extract(epoch from date_trunc('second', statement_timestamp())
  - date_trunc('second', last_ok_at)))::int`

// Constant text, prepared by name: half the cost of planning it for every request.
const STATEMENT = new PgDialect().sqlToQuery(sql`
  with presented as (
    select * from api_keys where digest = ${digest}
  ), gate as (
    select ${limited}
      and exists (
        select from rate_limits
        where key = ${addressKey} and window_start > ${windowStart} - ${addressSeconds} and used >= ${addressMax})
      and not exists (
        select from presented where ${sinceUse} <= ${sql.raw(String(EXEMPT_SECONDS))}) as closed
  ), token_use as (
    insert into rate_limits (key, window_start, used)
    select ${tokenKey}, ${windowStart}, 1 from gate
    where ${limited} and not closed and ${digest} is not null
    ${addToWindow(tokenSeconds)}
    returning window_start, used
  ), address_use as (
    insert into rate_limits (key, window_start, used)
    select ${addressKey}, ${windowStart}, 1 from gate left join token_use t on true
    where ${limited} and not closed and not exists (select from presented) and coalesce(t.used <= ${tokenMax}, true)
    ${addToWindow(addressSeconds)}
    returning window_start, used
  )
  select gate.closed,
    (select used from token_use) as "keyUsed",
    (select used from address_use) as "addressUsed",
    ${secondsLeft(sql`(select window_start from token_use)`, tokenSeconds)} as "keySecondsLeft",
    ${secondsLeft(
      sql`case when gate.closed then (select window_start from rate_limits where key = ${addressKey})
        else (select window_start from address_use) end`,
      addressSeconds,
    )} as "addressSecondsLeft",
    k.id as "keyId", k.name as "keyName", k.prefix as "keyPrefix", k.access as "keyAccess",
    (extract(epoch from k.expires_at) * 1000)::float8 as "keyExpiresMs",
    k.revoked_at is not null as "isRevoked",
    coalesce(k.expires_at <= statement_timestamp(), false) as "isExpired",
    ${sinceUse} as "secondsSinceUse",
    ${memberColumns}
  from gate
  left join presented k on not gate.closed
  left join users u on u.id = k.user_id
  left join organizations o on o.id = k.organization_id
  ${memberJoins}`).sql

async function lookUp({ db, settings }: Runtime, keyDigest: Buffer | null, address: string): Promise<Row> {
  const [row] = await db.$client.unsafe<Row[]>(
    STATEMENT,
    [
      keyDigest,
      keyDigest && rateLimitKey('key', keyDigest),
      rateLimitKey('address', addressBucket(address)),
      settings.RATE_LIMIT_ENABLED,
      settings.RATE_LIMIT_API_MAX,
      settings.RATE_LIMIT_API_WINDOW,
      settings.RATE_LIMIT_API_FAILURE_MAX,
      settings.RATE_LIMIT_API_FAILURE_WINDOW,
    ],
    { prepare: true },
  )
  return row as Row
}

/** Records the use of a key, which exempts it from its address's limit for five minutes, in every process. */
async function recordUse({ db }: Runtime, { actor, secondsSinceUse }: Authenticated): Promise<void> {
  const { organizationId, key } = actor
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

function rateLimitHeaders({ settings }: Runtime, row: Row): Record<string, string> {
  if (row.keyUsed === null) return {}
  return {
    'X-RateLimit-Limit': String(settings.RATE_LIMIT_API_MAX),
    'X-RateLimit-Remaining': String(Math.max(0, settings.RATE_LIMIT_API_MAX - row.keyUsed)),
    'X-RateLimit-Reset': String(row.keySecondsLeft),
  }
}
