import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { budgets } from '#db/schema/credentials.ts'
import { addToWindow, secondsLeft, windowStart } from '../budgets.ts'
import { addressBucket } from '../client-address.ts'
import { ApiError } from '../errors.ts'

// Wrong passwords, codes and tokens, counted in Postgres by its clock for all web processes. Only failures count (and
// every mail that is asked for), windows end by themselves, and nothing locks for good. What one stranger can do to an
// account is bounded by the pair of account and address, so that it does not keep the owner out; the account alone
// bounds many strangers together.

const length = sql.raw('900')
const start = windowStart(length)

export type Counter = { key: Buffer; max: number }

export function passwordCounters(email: string, address: string): Counter[] {
  const place = addressBucket(address)
  return [
    counter(5, 'sign-in', email, place),
    counter(25, 'sign-in account', email),
    counter(50, 'sign-in address', place),
  ]
}

export function codeCounters(userId: string): Counter[] {
  return [counter(5, 'code', userId)]
}

/** Mails with a link. An attempt counts before it is looked at, so the one that makes a counter full is refused. */
export function resetCounters(email: string, address: string): Counter[] {
  const place = addressBucket(address)
  return [counter(6, 'reset', email, place), counter(11, 'reset account', email), counter(51, 'reset address', place)]
}

/**
 * What `find` finds by the token of a link. Tokens cannot be guessed, but whoever tries is slowed down all the same.
 * @throws ApiError `rate_limited`, and what `find` throws
 */
export async function findByToken<T>(ctx: { db: Db; address: string }, find: () => Promise<T>): Promise<T> {
  const counters = [counter(50, 'token address', addressBucket(ctx.address))]
  await requireUnthrottled(ctx.db, counters)
  try {
    return await find()
  } catch (error) {
    await countAttempt(ctx.db, counters)
    throw error
  }
}

/** @throws ApiError `rate_limited` with `Retry-After` when any of the counters is used up */
export async function requireUnthrottled(db: Db, counters: Counter[]): Promise<void> {
  const rows = await db
    .select({ key: budgets.key, spent: budgets.spent, secondsLeft: sql<number>`${secondsLeft(start, length)}` })
    .from(budgets)
    .where(sql`${budgets.key} in ${counters.map((c) => c.key)} and ${budgets.window} >= ${start}`)
  for (const { key, max } of counters) {
    const row = rows.find((r) => r.key.equals(key))
    if (row && row.spent >= max) {
      throw new ApiError('rate_limited', undefined, { 'Retry-After': String(row.secondsLeft) })
    }
  }
}

export async function countAttempt(db: Db, counters: Counter[]): Promise<void> {
  const rows = sql.join(
    counters.map(({ key }) => sql`(${key}::bytea, ${start}, 1)`),
    sql`, `,
  )
  await db.execute(sql`insert into ${budgets} (key, win, spent) values ${rows} ${addToWindow}`)
}

/** Forgets the first counter, the one of this person at this place, after they got in. */
export async function forgiveFailures(db: Db, [own]: Counter[]): Promise<void> {
  if (own) await db.delete(budgets).where(eq(budgets.key, own.key))
}

function counter(max: number, ...parts: string[]): Counter {
  return { key: createHash('sha256').update(JSON.stringify(parts)).digest(), max }
}
