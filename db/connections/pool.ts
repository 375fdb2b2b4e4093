import { Pool as LibraryPool } from 'tarn'
import { ConnectionBroken, DatabaseUnavailable, isDiskFailure, sqlErrorOf } from '../errors.ts'
import { Connection, type ConnectionOptions, LONGEST_MS } from './connection.ts'
import { currentCaller, currentDeadline } from './request-bounds.ts'

/** Connections are replaced after this time, because a server's memory for each one only grows. */
const LIFETIME_MS = 30 * 60_000
/** A connection that was idle for this long must answer an empty statement within the limit before it is used. */
const [QUIET_MS, CHECK_LIMIT_MS] = [2_000, 2_000]
/** The longest wait for a connection, in a request and outside of requests. */
const [REQUEST_WAIT_MS, WAIT_MS] = [5_000, 30_000]
/** How long a pool does not grow where the server allows no further connection. */
const LIMITED_MS = 15_000
/** The SQLSTATEs of a server that allows no further connection. */
const OUT_OF_CONNECTIONS = new Set(['53300', '53400'])
/** The SQLSTATE of a write that a standby refuses. */
const READ_ONLY = '25006'
/** Callers have their own limits, see `#acquire`. Opening has one too. */
const NO_LIMITS = { acquireTimeoutMillis: LONGEST_MS, createTimeoutMillis: LONGEST_MS }

export type PoolOptions = ConnectionOptions & {
  max: number
  /** Connections that keep their session: those of the pool, or behind a pooler those to the server itself. */
  sessions: ConnectionOptions
}

/** Connections, each used by one statement or transaction at a time. */
export class Pool extends LibraryPool<Connection> {
  readonly options: PoolOptions
  /** When the disk of the server last failed a statement, by `performance.now()`. */
  diskFailedAt = Number.NEGATIVE_INFINITY
  #refused = 0
  /** A caller uses at most half of the connections, so that its slow statements leave others theirs. */
  readonly #shares = new Map<string, LibraryPool<object>>()

  constructor(options: PoolOptions) {
    super({
      create: () => this.#open(),
      // The library awaits the result, although its types do not say so.
      validate: isUsable as unknown as (connection: Connection) => boolean,
      destroy: (connection: Connection) => connection.end(),
      ...{ min: 0, max: options.max, idleTimeoutMillis: 60_000 },
      ...NO_LIMITS,
    })
    this.options = options
  }

  setMax(max: number): void {
    this.options.max = max
    this.max = max
  }

  /** What the pool holds now, and how many callers it refused since it was opened. */
  get state() {
    const [used, idle, waiting] = [this.numUsed(), this.numFree(), this.numPendingAcquires()]
    return { max: this.max, open: used + idle, idle, waiting, refused: this.#refused }
  }

  run(...statement: Parameters<Connection['run']>): ReturnType<Connection['run']> {
    return this.use((connection) => connection.run(...statement))
  }

  /** Calls `work` with a connection. @throws DatabaseUnavailable when none is free in time */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const caller = currentCaller()
    if (caller === null) return await this.#use(work)
    const [share, until] = [this.#shareOf(caller), waitEnd()]
    let place: object | undefined
    try {
      place = await this.#acquire(share, until)
      return await this.#use(work, until)
    } finally {
      if (place) share.release(place)
      if (share.numUsed() + share.numPendingAcquires() === 0 && this.#shares.delete(caller)) void share.destroy()
    }
  }

  #shareOf(caller: string): LibraryPool<object> {
    const places = { create: async () => ({}), destroy: () => {}, min: 0, max: Math.ceil(this.max / 2), ...NO_LIMITS }
    const share = this.#shares.get(caller) ?? new LibraryPool<object>(places)
    this.#shares.set(caller, share)
    return share
  }

  async #use<T>(work: (connection: Connection) => Promise<T>, until = waitEnd()): Promise<T> {
    if (this.destroyed) throw new DatabaseUnavailable('the pool is closed')
    const connection = await this.#acquire(this, until)
    try {
      return await work(connection)
    } catch (error) {
      if (isDiskFailure(error)) this.diskFailedAt = performance.now()
      // The primary is at another address now, and the other connections lead to the same server.
      if (sqlErrorOf(error).sqlState === READ_ONLY) connection.destroy('the server is a standby')
      throw error
    } finally {
      connection.idleSince = performance.now()
      this.release(connection)
    }
  }

  async #acquire<T>(pool: LibraryPool<T>, until: number): Promise<T> {
    const pending = pool.acquire()
    const refuse = () => {
      this.#refused++
      pending.reject(new DatabaseUnavailable('no connection to the database was free in time'))
    }
    const timer = setTimeout(refuse, until - performance.now())
    return await pending.promise.finally(() => clearTimeout(timer))
  }

  /** Closes all connections. Those still busy after `ms` are destroyed. */
  async close(ms: number): Promise<void> {
    for (const one of [...this.pendingAcquires]) one.reject(new DatabaseUnavailable('the pool is closed'))
    const limit = setTimeout(() => {
      for (const { resource } of this.used) resource.destroy('the pool is closed')
    }, ms)
    await this.destroy()
    clearTimeout(limit)
  }

  async #open(): Promise<Connection> {
    try {
      const connection = await Connection.open(this.options)
      connection.signal.addEventListener('abort', () => {
        // What broke it may have broken the others.
        if (connection.signal.reason instanceof ConnectionBroken) for (const { resource } of this.free) resource.end()
      })
      return connection
    } catch (error) {
      const isRefused = OUT_OF_CONNECTIONS.has(sqlErrorOf(error).sqlState)
      if (isRefused && this.state.open + this.numPendingCreates() > 1) this.#waitForServer()
      else this.pendingAcquires[0]?.reject(error as Error)
      throw error
    }
  }

  /** For a while, callers wait for the connections that the server allows. */
  #waitForServer(): void {
    this.max = Math.max(1, this.state.open)
    setTimeout(() => this.setMax(this.options.max), LIMITED_MS).unref()
  }
}

/** Returns until when work may wait for a connection, by `performance.now()`. */
function waitEnd(): number {
  const [now, deadline] = [performance.now(), currentDeadline()]
  return Number.isFinite(deadline) ? Math.min(deadline, now + REQUEST_WAIT_MS) : now + WAIT_MS
}

/** Whether a connection of the pool may be used. */
async function isUsable(connection: Connection): Promise<boolean> {
  if (connection.signal.aborted || performance.now() - connection.openedAt > LIFETIME_MS) return false
  if (performance.now() - connection.idleSince < QUIET_MS) return true
  await connection.run('', [], { ignoresDeadline: true, limitMs: CHECK_LIMIT_MS }).catch(() => connection.end())
  return !connection.signal.aborted
}
