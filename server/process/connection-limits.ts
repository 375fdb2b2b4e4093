import type { Db } from '#db/client.ts'
import { log } from './log.ts'

// The server, the database and the role each limit connections. The pools divide the limit before they run into it.

/** The least for a web process with its live updates, and a worker with its heartbeat and its two job queues. */
export const CONNECTIONS_MIN = 9

/** The part of the limit that each pool may use, where the limit is lower than the pool's own maximum. */
const SHARES = { web: { part: 0.4, min: 2 }, worker: { part: 0.3, min: 1 }, queues: { part: 0.2, min: 4 } } as const

/** Returns how many connections a pool may open when `limit` are allowed in all. */
export function connectionShare(limit: number, pool: keyof typeof SHARES): number {
  const { part, min } = SHARES[pool]
  return Math.max(min, Math.floor(limit * part))
}

/**
 * Lowers a pool's maximum to `max`, and logs it. Behind a pooler, the pooler shares the server's connections. Returns
 * whether it did.
 */
export function limitPool(db: Db, max: number): boolean {
  const { pool } = db.$client
  if (pool.options.isPooled || max >= pool.state.max) return false
  pool.setMax(max)
  log.warn({ connections: max }, 'the database allows few connections; the pool was limited')
  return true
}
