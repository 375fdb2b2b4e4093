import type { Duplex } from 'node:stream'
import pg from 'pg'
import { parseDatabaseUrl } from '../database-url.ts'
import { MARGIN_MS } from './connection.ts'
import { setSettings } from './session-settings.ts'
import { deferredSocket } from './socket.ts'

// graphile-worker requires node-postgres. Backup, restore and migration of the queue use the same pool, without limits.

/** The interval in which an idle connection is checked. */
const CHECK_MS = 5_000

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
    stream: () => deferredSocket(target),
    onConnect: async (client) => {
      if (statementMs > 0) watch(client, statementMs + MARGIN_MS)
      await client.query(setSettings(statementMs, false))
    },
  })
  // Without listeners, these errors would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Destroys a connection that gets no response within `limitMs`, also one that only listens. */
function watch(client: pg.ClientBase, limitMs: number): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  const send = client.query.bind(client) as (...args: unknown[]) => unknown
  const giveUp = () => stream.destroy(new Error(`no response within ${limitMs} ms`))
  let timer: NodeJS.Timeout | undefined
  const query = (...args: unknown[]) => {
    timer ??= setTimeout(giveUp, limitMs)
    return send(...args)
  }
  const answered = () => {
    clearTimeout(timer)
    timer = undefined
  }
  Object.assign(client, { query })
  const check = () => void (timer ?? client.query('').catch(() => {}))
  const checking = setInterval(check, CHECK_MS).unref()
  client.on('drain', answered).on('end', () => {
    answered()
    clearInterval(checking)
  })
}
