import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Db } from '#db/client.ts'
import { inArray, sql } from '#db/drizzle.cjs'
import { rateLimits } from '#db/schema/credentials.ts'
import type { Device } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { networkOf } from '../../http/client-address.ts'
import { addToWindow, secondsLeft, windowStart } from '../../http/rate-limits.ts'

// Counts wrong passwords, codes and tokens in Postgres, by its clock, for all web processes. Only failures count (and every
// requested mail). Windows end by themselves; no account is locked permanently. An attacker's guesses count for the pair of
// account and network, so they do not lock the owner out. A browser that has signed in before has its own count.

const length = sql.raw('900')

export type Counter = {
  key: Buffer
  max: number
  /** Counts this account at this network or browser; deleted after a success. */
  isOwn?: true
}

/**
 * Returns the networks whose failures count together, smallest first, each with the number of subscribers' shares that it
 * is allowed: of an IPv6 address the /64, and the /56 and /48, because one subscriber can hold those too.
 */
export function networksOf(address: string): { network: string; shares: number }[] {
  if (!ipaddr.IPv6.isValid(address)) return [{ network: address, shares: 1 }]
  return [
    { network: networkOf(address, 64), shares: 1 },
    { network: networkOf(address, 56), shares: 2 },
    { network: networkOf(address, 48), shares: 4 },
  ]
}

/** Returns the counters of wrong passwords. `device` is a browser with which the account signed in before, or null. */
export function passwordCounters(email: string, address: string, device: Device | null): Counter[] {
  if (device) return [ownCounter(5, 'sign-in device', device.id)]
  const networks = networksOf(address)
  return [
    ...networks.map(({ network, shares }) => ownCounter(5 * shares, 'sign-in', email, network)),
    ...networks.map(({ network, shares }) => counter(50 * shares, 'sign-in address', network)),
    // Against one attacker with many networks. The owner can still sign in with a known browser, or reset the password.
    accountCounter(email),
  ]
}

/** Returns the counter of wrong passwords from all unknown browsers together. */
function accountCounter(email: string): Counter {
  return counter(1_000, 'sign-in account', email)
}

/** Returns the counters of wrong codes after a correct password. Codes are few, so unknown browsers share one count. */
export function codeCounters(userId: string, device: Device | null): Counter[] {
  return [device ? ownCounter(5, 'code device', device.id) : ownCounter(5, 'code', userId)]
}

/**
 * Counts a requested mail. A request counts before the check, so the one that reaches `max` is refused. A wider counter
 * counts only requests that pass the narrower ones, so one network cannot use up the shared limit.
 * @throws ApiError `rate_limited`
 */
export async function countResetRequest(db: Db, email: string, address: string): Promise<void> {
  const ofNetworks = networksOf(address).map(({ network, shares }) => [
    counter(5 * shares + 1, 'reset', email, network),
    counter(50 * shares + 1, 'reset address', network),
  ])
  for (const counters of [...ofNetworks, [counter(11, 'reset account', email)]]) {
    await countAttempt(db, counters)
    await requireUnthrottled(db, counters)
  }
}

/**
 * Returns the result of `find`, and counts a failure as a wrong token. Tokens cannot be guessed; this slows attempts down.
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
    .select({
      key: rateLimits.key,
      used: rateLimits.used,
      secondsLeft: sql<number>`${secondsLeft(sql`window_start`, length)}`,
    })
    .from(rateLimits)
    .where(sql`${rateLimits.key} in ${counters.map((c) => c.key)} and window_start > ${windowStart} - ${length}`)
  for (const { key, max } of counters) {
    const row = rows.find((r) => r.key.equals(key))
    if (row && row.used >= max) {
      throw new ApiError('rate_limited', undefined, { 'Retry-After': String(row.secondsLeft) })
    }
  }
}

export async function countAttempt(db: Db, counters: Counter[]): Promise<void> {
  const rows = sql.join(
    counters.map(({ key }) => sql`(${key}::bytea, ${windowStart}, 1)`),
    sql`, `,
  )
  await db.execute(sql`insert into ${rateLimits} (key, window_start, used) values ${rows} ${addToWindow(length)}`)
}

/** Deletes the counters of this account at this network or browser, after a success. */
export async function clearFailures(db: Db, counters: Counter[]): Promise<void> {
  await deleteCounters(
    db,
    counters.filter((each) => each.isOwn),
  )
}

/** Deletes the counters of guesses at a former password: from this network, and from all unknown browsers together. */
export async function clearGuesses(db: Db, email: string, address: string): Promise<void> {
  const own = passwordCounters(email, address, null).filter((each) => each.isOwn)
  await deleteCounters(db, [...own, accountCounter(email)])
}

async function deleteCounters(db: Db, counters: Counter[]): Promise<void> {
  const keys = counters.map((each) => each.key)
  if (keys.length > 0) await db.delete(rateLimits).where(inArray(rateLimits.key, keys))
}

function ownCounter(max: number, ...parts: string[]): Counter {
  return { ...counter(max, ...parts), isOwn: true }
}

function counter(max: number, ...parts: string[]): Counter {
  return { key: createHash('sha256').update(JSON.stringify(parts)).digest(), max }
}
