import { hash } from 'node:crypto'
import type { Db, Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { rateLimits } from '#db/schema/credentials.ts'
import { ApiError } from '../errors.ts'

// Rate limits in windows that begin with their first request, shared by all processes and timed by the database's clock.
// Around the end of a window, up to twice the maximum can pass; within a window, never more than the maximum.

/** The most requests in a window, and the window's length. */
export type RateLimit = { max: number; windowSeconds: number }

export type RateLimitUse = {
  /** The requests in the window, this one included; can exceed the maximum. */
  used: number
  /** Whole seconds until the window ends, at least one. */
  secondsLeft: number
}

/** Returns the row key of the limit of one kind and subject. It is a hash, so that the table stores no addresses. */
export function rateLimitKey(kind: string, subject: string | Buffer): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from(`${kind}:`), Buffer.from(subject)]), 'buffer')
}

/** The start of a window that begins now, in epoch seconds. */
export const windowStart = sql`floor(extract(epoch from statement_timestamp()))::bigint`

/** Returns the whole seconds until the window that starts at `start` ends, at least one. */
export function secondsLeft(start: SQL, windowSeconds: SQL): SQL {
  return sql`greatest(1, ceil(${start} + ${windowSeconds} - extract(epoch from statement_timestamp())))::int`
}

/**
 * The end of `insert into rate_limits (key, window_start, used) …`, which adds one to the window, or begins a new one. A
 * statement that waited for the row counts in the newer window and never sets it back.
 */
export function addToWindow(windowSeconds: SQL): SQL {
  const lasts = sql`rate_limits.window_start > excluded.window_start - ${windowSeconds}`
  return sql`on conflict (key) do update set
    used = case when ${lasts} then rate_limits.used + 1 else 1 end,
    window_start = case when ${lasts} then rate_limits.window_start else excluded.window_start end`
}

/** Returns the window's use without counting; null when no window is open. */
export async function findUse(db: Db, key: Buffer, { windowSeconds }: RateLimit): Promise<RateLimitUse | null> {
  const length = sql`${windowSeconds}::int`
  const [row] = await db.execute<RateLimitUse>(sql`
    select used, ${secondsLeft(sql`window_start`, length)} as "secondsLeft" from ${rateLimits}
    where key = ${key} and window_start > ${windowStart} - ${length}`)
  return row ?? null
}

/** Counts one request, in one statement, and returns the window's use. */
export async function countRequest(db: Queryable, key: Buffer, { windowSeconds }: RateLimit): Promise<RateLimitUse> {
  const length = sql`${windowSeconds}::int`
  const [row] = await db.execute<RateLimitUse>(sql`
    insert into ${rateLimits} (key, window_start, used) values (${key}, ${windowStart}, 1) ${addToWindow(length)}
    returning used, ${secondsLeft(sql`window_start`, length)} as "secondsLeft"`)
  return row as RateLimitUse
}

/**
 * Counts one request and refuses it when the window is over its maximum.
 * @throws ApiError `rate_limited` with `Retry-After`
 */
export async function requireWithinLimit(db: Db, key: Buffer, limit: RateLimit): Promise<void> {
  const { used, secondsLeft } = await countRequest(db, key, limit)
  if (used > limit.max) throw new ApiError('rate_limited', undefined, { 'Retry-After': String(secondsLeft) })
}

/** Longer than any window. */
const STALE_SECONDS = 7_200

/** Deletes the rows of windows that ended long ago: every token and address that ever called leaves one. */
export async function deleteStaleRateLimits(db: Db): Promise<void> {
  await db.execute(sql`
    delete from ${rateLimits} where window_start < extract(epoch from statement_timestamp()) - ${STALE_SECONDS}::int`)
}
