import { createHash } from 'node:crypto'
import { inArray, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { rateLimits } from '#db/schema/credentials.ts'
import type { Device } from '../context.ts'
import { ApiError } from '../errors.ts'
import { networksOf } from '../http/client-address.ts'
import { addToWindow, secondsLeft, windowStart } from '../http/rate-limits.ts'

// Wrong passwords, codes and tokens, counted in Postgres by its clock for all web processes. Only failures count (and
// every mail that is asked for), windows end by themselves, and nothing locks for good. What a stranger can do to an
// account is bounded by the pair of account and network, so that it does not keep the owner out; a browser that has
// signed in before is counted by itself, so that nobody else's guesses do.

const length = sql.raw('900')
const start = windowStart(length)

export type Counter = {
  key: Buffer
  max: number
  /** Of this person at this place: forgotten once they got in. */
  isOwn?: true
}

/** Wrong passwords. `device` is the browser where the account has signed in before, or null. */
export function passwordCounters(email: string, address: string, device: Device | null): Counter[] {
  if (device) return [ownCounter(5, 'sign-in device', device.id)]
  const networks = networksOf(address)
  return [
    ...networks.map(({ network, shares }) => ownCounter(5 * shares, 'sign-in', email, network)),
    ...networks.map(({ network, shares }) => counter(50 * shares, 'sign-in address', network)),
    // So many networks are one attacker's. Meanwhile the owner signs in where they did before, or resets the password.
    accountCounter(email),
  ]
}

/** Wrong passwords from wherever nobody has signed in to the account before. */
function accountCounter(email: string): Counter {
  return counter(1_000, 'sign-in account', email)
}

/** Wrong codes after the right password: so few to guess from that unknown browsers share one count. */
export function codeCounters(userId: string, device: Device | null): Counter[] {
  return [device ? ownCounter(5, 'code device', device.id) : ownCounter(5, 'code', userId)]
}

/** Mails with a link. An attempt counts before it is looked at, so the one that makes a counter full is refused. */
export function resetCounters(email: string, address: string): Counter[] {
  const networks = networksOf(address)
  return [
    ...networks.map(({ network, shares }) => ownCounter(5 * shares + 1, 'reset', email, network)),
    ...networks.map(({ network, shares }) => counter(50 * shares + 1, 'reset address', network)),
    counter(11, 'reset account', email),
  ]
}

/**
 * What `find` finds by the token of a link. Tokens cannot be guessed, but whoever tries is slowed down all the same.
 * @throws ApiError `rate_limited`, and what `find` throws
 */
export async function findByToken<T>(ctx: { db: Db; address: string }, find: () => Promise<T>): Promise<T> {
  const counters = networksOf(ctx.address).map(({ network, shares }) => counter(50 * shares, 'token address', network))
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
    .select({ key: rateLimits.key, spent: rateLimits.spent, secondsLeft: sql<number>`${secondsLeft(start, length)}` })
    .from(rateLimits)
    .where(sql`${rateLimits.key} in ${counters.map((c) => c.key)} and ${rateLimits.window} >= ${start}`)
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
  await db.execute(sql`insert into ${rateLimits} (key, win, spent) values ${rows} ${addToWindow}`)
}

/** Forgets what this person did wrong at this place, after they got in. */
export async function clearFailures(db: Db, counters: Counter[]): Promise<void> {
  await forget(
    db,
    counters.filter((each) => each.isOwn),
  )
}

/** Forgets what was guessed at a password that is no more, from this place and by all others together. */
export async function clearGuesses(db: Db, email: string, address: string): Promise<void> {
  const own = passwordCounters(email, address, null).filter((each) => each.isOwn)
  await forget(db, [...own, accountCounter(email)])
}

async function forget(db: Db, counters: Counter[]): Promise<void> {
  const keys = counters.map((each) => each.key)
  if (keys.length > 0) await db.delete(rateLimits).where(inArray(rateLimits.key, keys))
}

function ownCounter(max: number, ...parts: string[]): Counter {
  return { ...counter(max, ...parts), isOwn: true }
}

function counter(max: number, ...parts: string[]): Counter {
  return { key: createHash('sha256').update(JSON.stringify(parts)).digest(), max }
}
