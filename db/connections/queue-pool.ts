import pg from 'pg'
import { parseDatabaseUrl } from '../database-url.ts'
import { MARGIN_MS } from './connection.ts'
import { setSettings } from './session-settings.ts'
import { deferredSocket } from './socket.ts'

// graphile-worker requires node-postgres. Backup, restore and migration of the queue use the same pool, without limits.

export type QueuePoolOptions = {
  name: string
  max: number
  /** The longest time of a statement, limited by the server and by this process; 0 for no limit. */
  statementMs: number
  /** Called for errors outside of statements. */
  onError?: (error: Error) => void
}

/** Opens a node-postgres pool. With `statementMs`, a connection that does not respond in time is destroyed. */
export function openQueuePool(url: string, { name, max, statementMs, onError = () => {} }: QueuePoolOptions): pg.Pool {
  const target = parseDatabaseUrl(url)
  const { host, port, user, password, database } = target
  const pool = new pg.Pool({
    ...{ host, port, user, password, database, max },
    application_name: name,
    // Set here because the first statement, which sets everything else, must not run into a shorter default.
    options: `-c statement_timeout=${statementMs}`,
    connectionTimeoutMillis: 5_000,
    // `deferredSocket` encrypts the connection.
    ssl: false,
    stream: () => deferredSocket(target, statementMs && statementMs + MARGIN_MS),
    onConnect: async (client) => {
      await client.query(setSettings(statementMs, false))
    },
  })
  // Without listeners, these errors would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}
