import type { Duplex } from 'node:stream'
import pg from 'pg'
import { parseDatabaseUrl } from '../database-url.ts'
import { repeat } from './repeat.ts'
import { setSession } from './session-settings.ts'
import { DeferredSocket } from './socket.ts'

// graphile-worker requires node-postgres. Its connections get the same TLS, time limits and settings as the main pool.

/** The time in addition to a statement's limit in which the server may report that it cancelled the statement. */
const MARGIN_MS = 2_000
/** The interval in which a connection that only listens is checked. */
const CHECK_MS = 5_000
const CONNECT_MS = 5_000
/** Longer than the interval in which an idle queue looks for jobs, because to sign in costs more than to look. */
const IDLE_MS = 150_000

export type QueuePoolOptions = {
  name: string
  max: number
  /** The longest time of a statement, limited by the server and by this process; 0 for no limit. */
  statementMs: number
  /** Called for errors outside of statements. */
  onError?: (error: Error) => void
}

/** Opens a node-postgres pool for the job queue. A connection without a response is destroyed. */
export function openQueuePool(url: string, { name, max, statementMs, onError = () => {} }: QueuePoolOptions): pg.Pool {
  const target = parseDatabaseUrl(url)
  const { host, port, user, password, database } = target
  const pool = new pg.Pool({
    ...{ host, port, user, password, database },
    application_name: name,
    // Set here because the first statement, which sets everything else, must not run into a shorter default.
    options: `-c statement_timeout=${statementMs}`,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    // `DeferredSocket` encrypts the connection.
    ssl: false,
    stream: () => new DeferredSocket(target),
    onConnect: async (client) => {
      watch(client, statementMs && statementMs + MARGIN_MS)
      await client.query(setSession(statementMs))
    },
  })
  // Without listeners, these errors would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Destroys a connection that gets no response within `limitMs`. */
function watch(client: pg.ClientBase, limitMs: number): void {
  let timer: NodeJS.Timeout | null = null
  let stopChecking = () => {}
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  const send = client.query.bind(client) as (...args: unknown[]) => unknown
  const onResponse = () => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  const check = () => {
    if (!timer) void client.query('').catch(() => {})
  }
  const query = (...args: unknown[]) => {
    if (limitMs > 0) timer ??= setTimeout(() => stream.destroy(new Error(`no response within ${limitMs} ms`)), limitMs)
    const text = String(args[0])
    if (/^(UN)?LISTEN/.test(text)) stopChecking()
    if (text.startsWith('LISTEN')) stopChecking = repeat(CHECK_MS, check)
    return send(...args)
  }
  Object.assign(client, { query })
  client.on('drain', onResponse)
  client.on('end', () => {
    onResponse()
    stopChecking()
  })
}
