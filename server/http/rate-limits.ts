import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { rateLimits } from '#db/schema/credentials.ts'

// Request budgets in fixed windows, shared by all processes and timed by the database's clock alone. A fixed window
// lets up to twice its maximum through around its edge, and never more than the maximum within it.

/** How much a window holds, and how long it is. */
export type RateLimit = { max: number; windowSeconds: number }

export type RateLimitUse = {
  /** What was spent in the window, this request included; may be over the maximum. */
  spent: number
  /** Whole seconds, at least one, after which the window is over. */
  secondsLeft: number
}

export type RateLimitKind = 'key' | 'address' | 'document' | 'dashboard' | 'mail'

/** The row of a budget. Hashed, so that the table holds no addresses. */
export function rateLimitKey(kind: RateLimitKind, subject: string | Buffer): Buffer {
  return createHash('sha256').update(`${kind}:`).update(subject).digest()
}

/** The start of the current window, in epoch seconds. */
export function windowStart(windowSeconds: SQL): SQL {
  return sql`(floor(extract(epoch from statement_timestamp()) / ${windowSeconds}) * ${windowSeconds})::bigint`
}

/** Seconds until the window that starts at `start` is over; waiting that long is enough. */
export function secondsLeft(start: SQL, windowSeconds: SQL): SQL {
  return sql`greatest(1, ceil(${start} + ${windowSeconds} - extract(epoch from statement_timestamp())))::int`
}

/**
 * What follows `insert into budgets (key, win, spent) …`: adds one to the window. A statement that began in the window
 * before and waited for the row counts in the newer one, and never sets it back.
 */
export const addToWindow = sql`on conflict (key) do update set
  spent = case when budgets.win >= excluded.win then budgets.spent + 1 else 1 end,
  win = greatest(budgets.win, excluded.win)`

/** Spends one request of a budget in one statement. */
export async function countRequest(db: Db, key: Buffer, { windowSeconds }: RateLimit): Promise<RateLimitUse> {
  const length = sql`${windowSeconds}::int`
  const [row] = await db.execute<RateLimitUse>(sql`
    insert into ${rateLimits} (key, win, spent) values (${key}, ${windowStart(length)}, 1) ${addToWindow}
    returning spent, ${secondsLeft(sql`win`, length)} as "secondsLeft"`)
  return row as RateLimitUse
}

/** Longer than any window may be. */
const STALE_SECONDS = 7_200

/** Removes the rows of windows long over: one is left behind by every token and address that ever called. */
export async function deleteStaleRateLimits(db: Db): Promise<void> {
  await db.execute(sql`
    delete from ${rateLimits} where win < extract(epoch from statement_timestamp()) - ${STALE_SECONDS}::int`)
}
