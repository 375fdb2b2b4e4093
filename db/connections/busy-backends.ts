import { sqlErrorOf } from '../errors.ts'
import { Connection, type ConnectionOptions } from './connection.ts'

/** The longest that a check of a connection may take. */
export const CHECK_LIMIT_MS = 2_000

/** The SQLSTATEs of a server that allows no further connection. */
const OUT_OF_CONNECTIONS = new Set(['53300', '53400'])

/** A backend that finished within the last second counts too: its response may be on the way. */
const BUSY_BACKENDS = `
  select pid from pg_stat_activity where pid = any($1::int[])
    and (state in ('active', 'fastpath function call', 'disabled') or state_change > clock_timestamp() - interval '1 s')`

/**
 * Asks the server over a new connection which of its processes execute a statement, and returns their ids. Returns all
 * ids when the server allows no further connection, because it does respond. Returns null when it does not.
 */
export async function findBusyBackends(options: ConnectionOptions, pids: number[]): Promise<Set<number> | null> {
  try {
    const probe = await Connection.open(options)
    try {
      const rows = await probe.run(BUSY_BACKENDS, [`{${pids.join(',')}}`], { isEnd: true, limitMs: CHECK_LIMIT_MS })
      return new Set(rows.map(({ pid }) => pid as number))
    } finally {
      probe.end()
    }
  } catch (error) {
    return isOutOfConnections(error) ? new Set(pids) : null
  }
}

export function isOutOfConnections(error: unknown): boolean {
  return OUT_OF_CONNECTIONS.has(sqlErrorOf(error).sqlState)
}
