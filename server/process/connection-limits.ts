import type { Db } from '#db/client.ts'
import { log } from './log.ts'

// Room for connections: what the server, the database and the role allow, shared out before it is found by refusals.

/** Fewer do not do: for a web process and a worker with its heartbeat and its queue. */
export const CONNECTIONS_MIN = 6

/** The parts that a web process and a worker may have of it, where it is less than they would take. */
const SHARES = { web: { part: 0.4, min: 2 }, worker: { part: 0.3, min: 1 }, queue: { part: 0.2, min: 2 } } as const

/** How many connections a pool may make, with room for so many in all. */
export function connectionShare(limit: number, pool: keyof typeof SHARES): number {
  const { part, min } = SHARES[pool]
  return Math.max(min, Math.floor(limit * part))
}

/** Makes do with fewer connections where there is less room, and says so. */
export function limitPool(db: Db, max: number): void {
  const { pool } = db.$client
  if (max >= pool.options.max) return
  pool.limit(max)
  warnOfFewConnections(max)
}

export function warnOfFewConnections(connections: number): void {
  log.warn({ connections }, 'the database has room for few connections; the pool makes do with these')
}
