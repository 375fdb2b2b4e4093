import type { Duplex } from 'node:stream'
import pg from 'pg'
import { parseDatabaseUrl } from '../database-url.ts'
import { setSession } from './session-settings.ts'
import { DeferredSocket } from './socket.ts'

// The job queue brings the other driver. Its connections are made, bounded and set like those of our own pool.

/** What the server may take longer for its own end of a statement than the statement may take. */
const MARGIN_MS = 2_000
/** A connection that only listens is asked this often whether somebody is still there. */
const CHECK_MS = 2_000
const CONNECT_MS = 5_000

export type QueuePoolOptions = {
  name: string
  max: number
  /** The longest a statement may take, on either side of the connection; 0 for no end. */
  statementMs: number
  /** Hears of what breaks while nobody waits for it. */
  onError?: (error: Error) => void
}

/** A pool of node-postgres for the job queue. A connection that does not answer is ended. */
export function openQueuePool(url: string, { name, max, statementMs, onError = () => {} }: QueuePoolOptions): pg.Pool {
  const target = parseDatabaseUrl(url)
  const { host, port, user, password, database } = target
  const pool = new pg.Pool({
    ...{ host, port, user, password, database },
    application_name: name,
    // The rest is set by the first statement, which the default must not end.
    options: `-c statement_timeout=${statementMs}`,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    // It is encrypted where it is made.
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

/** Ends a connection on which an answer is waited for longer than `limitMs`. */
function watch(client: pg.ClientBase, limitMs: number): void {
  let timer: NodeJS.Timeout | null = null
  let checking: NodeJS.Timeout | null = null
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  const send = client.query.bind(client) as (...args: unknown[]) => unknown
  const answered = () => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  const check = () => {
    if (!timer) void client.query('').catch(() => {})
  }
  const query = (...args: unknown[]) => {
    if (limitMs > 0) timer ??= setTimeout(() => stream.destroy(new Error(`no answer within ${limitMs} ms`)), limitMs)
    const text = String(args[0])
    if (/^(UN)?LISTEN/.test(text) && checking) clearInterval(checking)
    if (text.startsWith('LISTEN')) checking = setInterval(check, CHECK_MS).unref()
    return send(...args)
  }
  Object.assign(client, { query })
  client.on('drain', answered)
  client.on('end', () => {
    answered()
    if (checking) clearInterval(checking)
  })
}
