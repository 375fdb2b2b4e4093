import type postgres from 'postgres'
import { DatabaseUnavailable } from '../errors.ts'
import { CHECK_LIMIT_MS, findBusyBackends, isOutOfConnections } from './busy-backends.ts'
import { Connection, type ConnectionOptions, deadlineExceeded, type RunOptions } from './connection.ts'
import { Pipeline } from './pipeline.ts'
import { repeat } from './repeat.ts'
import { currentRequestBounds, type RequestBounds } from './request-bounds.ts'
import { Waiters } from './waiters.ts'

/** Connections that were idle for this long are closed, except a few. */
const SPARE_MS = 60_000
const SPARE_MAX = 2
/** Connections are replaced after this time, because a server's memory for each one only grows. */
const LIFETIME_MS = 30 * 60_000
/** The longest wait for a connection, in a request and outside of requests. */
const REQUEST_WAIT_MS = 5_000
const WAIT_MS = 30_000
/** The pause after a failed attempt to open a connection. */
const RETRY_DELAY_MS = 250
/** The time until a pool that the server limited tries to grow again. */
const GROW_MS = 15_000

/** How a pool finds broken connections. */
export type HealthChecks = {
  /** The interval of the checks. */
  everyMs: number
  /** A connection that was idle for this long is checked with an empty statement, and again after as long. */
  quietMs: number
  /** After this time without a response a new connection checks whether the server still executes the statement. */
  suspectMs: number
  /** When no new connection can be opened, a statement without a response counts as lost after this time. */
  deadMs: number
}

export const HEALTH_CHECKS: HealthChecks = { everyMs: 1_000, quietMs: 2_000, suspectMs: 2_000, deadMs: 5_000 }

export type PoolOptions = ConnectionOptions & {
  max: number
  /** Connections that keep their session: those of the pool, or behind a pooler those to the server itself. */
  sessions: ConnectionOptions
  healthChecks: HealthChecks
  /** Called when the server allows fewer connections than the maximum. */
  onConnectionLimit?: (size: number) => void
}

/** What a pool holds now, and how many callers it refused since it was opened. */
export type PoolState = { max: number; open: number; idle: number; waiting: number; refused: number }

/**
 * A pool of connections, each used by one statement or transaction at a time. It replaces lost connections, checks idle
 * ones, and gives connections to waiting callers in turn, until the deadline of their request.
 */
export class Pool {
  readonly options: PoolOptions
  /** When the disk of the server last failed a statement, by `performance.now()`. */
  diskFailedAt = Number.NEGATIVE_INFINITY
  readonly #all = new Set<Connection>()
  /** The connection that was used last is the first to be used again. */
  readonly #idle: Connection[] = []
  readonly #waiters = new Waiters()
  /** The connection of each request whose statements are sent together. */
  readonly #shared = new WeakMap<RequestBounds, Connection>()
  /** The pipeline that short statements join. */
  #pipeline: Pipeline | null = null
  #opening = 0
  #refused = 0
  /** The most connections that the pool opens now: fewer than `max` after the server refused one. */
  #currentMax: number
  /** The lowest limit that `onConnectionLimit` was called with. */
  #reportedLimit: number
  #growing: NodeJS.Timeout | null = null
  readonly #stopChecking: () => void
  /** Why the last connection could not be opened. */
  #openError: unknown
  #isChecking = false
  #isClosed = false

  constructor(options: PoolOptions) {
    this.options = options
    this.#currentMax = options.max
    this.#reportedLimit = options.max
    this.#stopChecking = repeat(options.healthChecks.everyMs, () => this.#check())
  }

  /** Lowers the maximum. */
  limit(max: number): void {
    this.#currentMax = Math.min(this.#currentMax, max)
    this.options.max = this.#currentMax
  }

  run(text: string, values: unknown[], options: RunOptions): Promise<postgres.RowList<postgres.Row[]>> {
    const bounds = currentRequestBounds()
    const shared = bounds && this.#shared.get(bounds)
    if (shared && !shared.isLost) return shared.run(text, values, options)
    const send = (connection: Connection) => connection.run(text, values, options)
    return options.isShort ? this.#join(send) : this.use(send)
  }

  /**
   * Calls `work` with one connection for all statements that it sends in the bounds of its request. Those that it sends
   * before it waits for an answer go out in one write, and are executed in this order. `work` has no transaction, and
   * resolves when the last statement has ended. Where all of them are short, requests may share the connection.
   */
  async together<T>(bounds: RequestBounds, areShort: boolean, work: () => Promise<T>): Promise<T> {
    const send = async (connection: Connection) => {
      this.#shared.set(bounds, connection)
      try {
        return await work()
      } finally {
        this.#shared.delete(bounds)
      }
    }
    return await (areShort ? this.#join(send) : this.use(send))
  }

  /** Calls `work` with a connection. `mustClose` closes the connection afterwards. */
  async use<T>(work: (connection: Connection) => Promise<T>, mustClose = false): Promise<T> {
    const connection = await this.#acquire()
    try {
      return await work(connection)
    } finally {
      if (mustClose) connection.end()
      this.#release(connection)
    }
  }

  /** Calls `work` with a connection that other requests may use at the same time, for short statements. */
  async #join<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const bounds = currentRequestBounds()
    // Those who wait for a connection have their turn first.
    if (this.#pipeline?.isOpen && this.#waiters.length === 0 && !this.#isClosed) {
      if (bounds) bounds.hadConnection = true
      return await this.#pipeline.run(work)
    }
    const acquired = this.#acquire()
    // Without a turn in between, so that the next statement finds the pipeline.
    const connection = acquired instanceof Promise ? await acquired : acquired
    const pipeline = new Pipeline(connection, () => {
      if (this.#pipeline === pipeline) this.#pipeline = null
      this.#release(connection)
    })
    this.#pipeline = pipeline
    return await pipeline.run(work)
  }

  /** Closes the idle connections that were opened before this time, by `performance.now()`. */
  dropIdle(openedBefore: number): void {
    const old = this.#idle.filter((connection) => connection.openedAt < openedBefore)
    for (const connection of old) this.#drop(connection)
  }

  get state(): PoolState {
    const [open, idle] = [this.#all.size, this.#idle.length]
    return { max: this.#currentMax, open, idle, waiting: this.#waiters.length, refused: this.#refused }
  }

  /** Returns how long a new request of the caller would wait for a connection. */
  expectedWaitMs(caller: string): number {
    return this.#waiters.expectedWaitMs(caller)
  }

  /** Closes all connections. Those still busy after `ms` are destroyed. */
  async close(ms: number): Promise<void> {
    this.#isClosed = true
    this.#stopChecking()
    if (this.#growing) clearTimeout(this.#growing)
    this.#waiters.rejectAll(new DatabaseUnavailable('the pool is closed'))
    const lost = [...this.#all].map((connection) => connection.lost)
    for (const connection of this.#idle.splice(0)) this.#drop(connection)
    const limit = setTimeout(() => {
      for (const connection of this.#all) connection.destroy('the pool is closed')
    }, ms)
    await Promise.all(lost)
    clearTimeout(limit)
  }

  /** Returns an idle connection, or waits for one. */
  #acquire(): Connection | Promise<Connection> {
    if (this.#isClosed) throw new DatabaseUnavailable('the pool is closed')
    const bounds = currentRequestBounds()
    const leftMs = bounds ? Math.min(REQUEST_WAIT_MS, bounds.deadline - performance.now()) : WAIT_MS
    if (leftMs <= 0) throw deadlineExceeded()
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isLost) continue
      if (bounds) bounds.hadConnection = true
      return idle
    }
    const waiting = this.#waiters.wait(bounds, leftMs, () => {
      this.#refused++
      return new DatabaseUnavailable('no connection to the database was free in time', { cause: this.#openError })
    })
    this.#grow()
    return waiting
  }

  #release(connection: Connection): void {
    if (connection.hasDiskFailed) this.diskFailedAt = performance.now()
    connection.hasDiskFailed = false
    // The other connections lead to the same server.
    if (connection.isStandby) this.dropIdle(performance.now())
    if (connection.isLost) return
    if (this.#isClosed || connection.mustClose || this.#isOld(connection) || this.#all.size > this.#currentMax) {
      this.#drop(connection)
      return
    }
    const waiter = this.#waiters.shift()
    if (waiter) {
      waiter.resolve(connection)
      return
    }
    connection.idleSince = performance.now()
    this.#idle.push(connection)
  }

  #drop(connection: Connection): void {
    connection.end()
    this.#forget(connection)
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    if (!this.#isClosed) this.#grow()
  }

  /** Opens a connection for each waiter, up to the maximum. */
  #grow(): void {
    while (this.#opening < this.#waiters.length && this.#all.size + this.#opening < this.#currentMax) void this.#open()
  }

  async #open(): Promise<void> {
    this.#opening++
    try {
      const connection = await Connection.open(this.options)
      this.#openError = undefined
      this.#opening--
      this.#all.add(connection)
      void connection.lost.then(() => this.#forget(connection))
      this.#release(connection)
    } catch (error) {
      this.#openError = error
      if (isOutOfConnections(error)) await this.#shrink()
      // Waiters may get another connection of the pool. Without any, waiting is useless.
      else if (this.#all.size === 0) this.#waiters.rejectAll(error)
      else await pause()
      this.#opening--
      if (!this.#isClosed) this.#grow()
    }
  }

  /** Limits the pool to the open connections, and tries to grow later. */
  async #shrink(): Promise<void> {
    const size = Math.max(1, this.#all.size)
    if (size < this.#reportedLimit) this.options.onConnectionLimit?.(size)
    this.#reportedLimit = Math.min(this.#reportedLimit, size)
    this.#currentMax = size
    this.#growing ??= setTimeout(() => {
      this.#growing = null
      this.#currentMax = this.options.max
      this.#grow()
    }, GROW_MS).unref()
    await pause()
  }

  #isOld(connection: Connection): boolean {
    return this.options.statementMs > 0 && performance.now() - connection.openedAt > LIFETIME_MS
  }

  #check(): void {
    const { quietMs, suspectMs } = this.options.healthChecks
    const now = performance.now()
    const quiet = this.#idle.filter((connection) => now - connection.idleSince >= quietMs)
    const spare = quiet.filter((connection) => now - connection.idleSince >= SPARE_MS || this.#isOld(connection))
    for (const connection of spare.slice(0, Math.max(0, this.#idle.length - SPARE_MAX))) this.#drop(connection)
    for (const connection of quiet) {
      if (!connection.isLost && now - connection.checkedAt >= quietMs) void this.#checkIdle(connection)
    }
    const suspects = [...this.#all].filter(
      ({ unansweredSince }) => unansweredSince && now - unansweredSince >= suspectMs,
    )
    if (suspects.length > 0 && !this.#isChecking) void this.#checkSuspects(suspects)
  }

  /** Destroys connections whose statement the server does not execute: the statement or its response was lost. */
  async #checkSuspects(suspects: Connection[]): Promise<void> {
    this.#isChecking = true
    const since = new Map(suspects.map((connection) => [connection, connection.unansweredSince]))
    const known = suspects.filter(({ pid }) => pid !== 0).map(({ pid }) => pid)
    const busy = await findBusyBackends(this.options.sessions, known)
    for (const [connection, silentSince] of since) {
      if (silentSince === null || connection.unansweredSince !== silentSince) continue
      // Behind a pooler, a transaction that no server process has begun may wait for one.
      const isDead =
        busy && connection.pid !== 0
          ? !busy.has(connection.pid)
          : performance.now() - silentSince >= this.options.healthChecks.deadMs
      if (isDead) connection.destroy('the database does not respond')
    }
    this.#isChecking = false
  }

  /** Checks an idle connection. It is not used during the check, and its idle time continues. */
  async #checkIdle(connection: Connection): Promise<void> {
    const index = this.#idle.indexOf(connection)
    if (index < 0) return
    this.#idle.splice(index, 1)
    const { idleSince } = connection
    connection.checkedAt = performance.now()
    try {
      await connection.run('', [], { isEnd: true, limitMs: CHECK_LIMIT_MS })
      this.#release(connection)
      connection.idleSince = idleSince
    } catch {
      this.#drop(connection)
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS).unref())
}
