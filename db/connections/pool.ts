import { Pool as LibraryPool } from 'tarn'
import { ConnectionBroken, DatabaseUnavailable, isDiskFailure, sqlErrorOf } from '../errors.ts'
import { Connection, type ConnectionOptions, deadlineExceeded } from './connection.ts'
import { currentDeadline } from './request-bounds.ts'

const IDLE_MS = 60_000
/** Connections are replaced after this time, because a server's memory for each one only grows. */
const LIFETIME_MS = 30 * 60_000
/** A connection that was idle for this long must answer an empty statement within the limit before it is used. */
const QUIET_MS = 2_000
const CHECK_LIMIT_MS = 2_000
/** The longest wait for a connection, in a request and outside of requests. */
const REQUEST_WAIT_MS = 5_000
const WAIT_MS = 30_000
/** The pause before another attempt where the server allows no further connection. */
const LIMITED_MS = 1_000
const NEVER_MS = 2 ** 31 - 1
/** The SQLSTATEs of a server that allows no further connection. */
const OUT_OF_CONNECTIONS = new Set(['53300', '53400'])
/** The SQLSTATE of a write that a standby refuses. */
const READ_ONLY = '25006'

export type PoolOptions = ConnectionOptions & {
  max: number
  /** Connections that keep their session: those of the pool, or behind a pooler those to the server itself. */
  sessions: ConnectionOptions
  /** Called when the server allows fewer connections than the maximum. */
  onConnectionLimit?: (size: number) => void
}

/** What a pool holds now, and how many callers it refused since it was opened. */
export type PoolState = { max: number; open: number; idle: number; waiting: number; refused: number }

class Connections extends LibraryPool<Connection> {
  limit(max: number): void {
    this.max = max
  }

  get idle(): Connection[] {
    return this.free.map(({ resource }) => resource)
  }
}

/** Connections, each used by one statement or transaction at a time. */
export class Pool {
  readonly options: PoolOptions
  /** When the disk of the server last failed a statement, by `performance.now()`. */
  diskFailedAt = Number.NEGATIVE_INFINITY
  readonly #connections: Connections
  readonly #used = new Set<Connection>()
  #refused = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.options = options
    this.#connections = new Connections({
      create: () => this.#open(),
      // The library awaits the result, although its types do not say so.
      validate: isUsable as unknown as (connection: Connection) => boolean,
      destroy: (connection: Connection) => connection.end(),
      min: 0,
      max: options.max,
      acquireTimeoutMillis: NEVER_MS,
      createTimeoutMillis: NEVER_MS,
      idleTimeoutMillis: IDLE_MS,
      reapIntervalMillis: IDLE_MS / 4,
      propagateCreateError: true,
    })
  }

  /** Lowers the maximum. */
  limit(max: number): void {
    this.options.max = Math.min(this.options.max, max)
    this.#connections.limit(this.options.max)
  }

  run(...statement: Parameters<Connection['run']>): ReturnType<Connection['run']> {
    return this.use((connection) => connection.run(...statement))
  }

  /** Calls `work` with a connection. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire()
    this.#used.add(connection)
    try {
      return await work(connection)
    } catch (error) {
      if (isDiskFailure(error)) this.diskFailedAt = performance.now()
      // The primary is at another address now, and the other connections lead to the same server.
      if (sqlErrorOf(error).sqlState === READ_ONLY) connection.destroy('the server is a standby')
      throw error
    } finally {
      connection.idleSince = performance.now()
      this.#used.delete(connection)
      this.#connections.release(connection)
    }
  }

  get state(): PoolState {
    const [used, idle] = [this.#connections.numUsed(), this.#connections.numFree()]
    const waiting = this.#connections.numPendingAcquires()
    return { max: this.options.max, open: used + idle, idle, waiting, refused: this.#refused }
  }

  /** Closes all connections. Those still busy after `ms` are destroyed. */
  async close(ms: number): Promise<void> {
    this.#isClosed = true
    const limit = setTimeout(() => {
      for (const connection of this.#used) connection.destroy('the pool is closed')
    }, ms)
    await this.#connections.destroy()
    clearTimeout(limit)
  }

  async #acquire(): Promise<Connection> {
    const leftMs = currentDeadline() - performance.now()
    if (leftMs <= 0) throw deadlineExceeded()
    if (this.#isClosed) throw new DatabaseUnavailable('the pool is closed')
    const pending = this.#connections.acquire()
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        pending.abort()
      },
      Number.isFinite(leftMs) ? Math.min(leftMs, REQUEST_WAIT_MS) : WAIT_MS,
    )
    try {
      return await pending.promise
    } catch (error) {
      if (!isLate && !this.#isClosed) throw error
      this.#refused++
      throw new DatabaseUnavailable('no connection to the database was free in time', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  async #open(): Promise<Connection> {
    for (;;) {
      try {
        const connection = await Connection.open(this.options)
        void connection.lost.then((reason) => {
          // What broke it may have broken the others.
          if (reason instanceof ConnectionBroken) for (const idle of this.#connections.idle) idle.end()
        })
        return connection
      } catch (error) {
        const size = this.state.open
        // Callers wait for the connections that the server allows.
        if (size === 0 || this.#isClosed || !OUT_OF_CONNECTIONS.has(sqlErrorOf(error).sqlState)) throw error
        this.options.onConnectionLimit?.(size)
        await new Promise((resolve) => setTimeout(resolve, LIMITED_MS))
      }
    }
  }
}

/** Whether a connection of the pool may be used. */
async function isUsable(connection: Connection): Promise<boolean> {
  const now = performance.now()
  if (connection.isLost || now - connection.openedAt > LIFETIME_MS) return false
  if (now - connection.idleSince < QUIET_MS) return true
  return await connection.run('', [], { isEnd: true, limitMs: CHECK_LIMIT_MS }).then(
    () => true,
    () => false,
  )
}
