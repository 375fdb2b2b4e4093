import type postgres from 'postgres'
import { DatabaseUnavailable } from '../errors.ts'
import { Connection, type ConnectionOptions, deadlineExceeded, type RunOptions } from './connection.ts'
import { currentRequestBounds } from './request-bounds.ts'
import { RoundRobinQueue } from './round-robin-queue.ts'

/** Longer than an answer to nothing takes. */
const CHECK_LIMIT_MS = 2_000
/** Of connections that were not used for so long, only few are kept. */
const SPARE_MS = 60_000
const SPARE_MAX = 2
/** Connections are made anew now and then, so that what a server keeps of each does not grow forever. */
const LIFETIME_MS = 30 * 60_000
/** How long anyone waits for a connection: in a request, and in work that nobody waits for. */
const REQUEST_WAIT_MS = 5_000
const WAIT_MS = 30_000
/** How much of the mean time between two turns is the last one's. */
const WEIGHT = 0.1
/** Until the next try, where the server has no room for a connection. */
const RETRY_DELAY_MS = 250
/** Until a pool that found no room tries to grow again. */
const GROW_MS = 15_000

/** When a pool looks after its connections. */
export type HealthChecks = {
  /** So often. */
  everyMs: number
  /** What was idle for so long is asked whether somebody still answers. */
  quietMs: number
  /** A statement without an answer for so long is either long, or its connection is dead: the database is asked which. */
  suspectMs: number
  /** Where the database cannot be asked, a statement without an answer for so long is taken for lost. */
  deadMs: number
}

export const HEALTH_CHECKS: HealthChecks = { everyMs: 1_000, quietMs: 2_000, suspectMs: 2_000, deadMs: 5_000 }

/** What the server says when it has no room for another connection. */
const OUT_OF_CONNECTIONS = new Set(['53300', '53400'])

export type PoolOptions = ConnectionOptions & {
  max: number
  healthChecks: HealthChecks
  /** Hears of it when the server has room for fewer connections than the maximum. */
  onConnectionLimit?: (size: number) => void
}

type Waiter = { caller: string; resolve: (connection: Connection) => void; reject: (error: unknown) => void }

/**
 * Connections that are used by one statement or transaction at a time. What is lost is replaced, what is idle is
 * checked, waiting is fair among callers and ends at the deadline of the request.
 */
export class Pool {
  readonly options: PoolOptions
  readonly #all = new Set<Connection>()
  /** The one used last is the first to be used again. */
  readonly #idle: Connection[] = []
  /** Those whose request has had a connection before, and all who have no deadline. */
  readonly #begun = new RoundRobinQueue<Waiter>()
  readonly #newcomers = new RoundRobinQueue<Waiter>()
  /** When a newcomer last had a turn, or the first of them came, and how long it takes from one to the next. */
  #lastTurn = 0
  #turnMs = 0
  #opening = 0
  #room: number
  #reported: number
  #growing: NodeJS.Timeout | null = null
  readonly #checking: NodeJS.Timeout
  /** Why the last connection could not be made. */
  #refusal: unknown
  #isLooking = false
  #isClosed = false

  constructor(options: PoolOptions) {
    this.options = options
    this.#room = options.max
    this.#reported = options.max
    this.#checking = setInterval(() => this.#check(), options.healthChecks.everyMs).unref()
  }

  /** Makes do with fewer connections than was asked for. */
  limit(max: number): void {
    this.#room = Math.min(this.#room, max)
    this.options.max = this.#room
  }

  run(text: string, values: unknown[], options: RunOptions): Promise<postgres.RowList<postgres.Row[]>> {
    return this.use((connection) => connection.run(text, values, options))
  }

  /** A connection for the time of `work`; `mustClose` ends it afterwards. */
  async use<T>(work: (connection: Connection) => Promise<T>, mustClose = false): Promise<T> {
    const connection = await this.#acquire()
    try {
      return await work(connection)
    } finally {
      if (mustClose) connection.end()
      this.#release(connection)
    }
  }

  /** How long a request of the caller would wait for its first connection now: by the turns of others before its own. */
  expectedWaitMs(caller: string): number {
    if (this.#newcomers.length === 0) return 0
    const sinceTurn = performance.now() - this.#lastTurn
    return (this.#newcomers.aheadOf(caller) + 1) * Math.max(this.#turnMs, sinceTurn)
  }

  /** Ends all connections; those still busy after `ms` are broken off. */
  async close(ms: number): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#checking)
    if (this.#growing) clearTimeout(this.#growing)
    this.#rejectAll(new DatabaseUnavailable('the pool is closed'))
    const lost = [...this.#all].map((connection) => connection.lost)
    for (const connection of this.#idle.splice(0)) this.#drop(connection)
    const limit = setTimeout(() => {
      for (const connection of this.#all) connection.destroy('the pool is closed')
    }, ms)
    await Promise.all(lost)
    clearTimeout(limit)
  }

  #acquire(): Promise<Connection> {
    if (this.#isClosed) throw new DatabaseUnavailable('the pool is closed')
    const bounds = currentRequestBounds()
    const leftMs = bounds ? Math.min(REQUEST_WAIT_MS, bounds.deadline - performance.now()) : WAIT_MS
    if (leftMs <= 0) throw deadlineExceeded()
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isLost) continue
      if (bounds) bounds.hadConnection = true
      return Promise.resolve(idle)
    }
    return new Promise((resolve, reject) => {
      const caller = bounds?.caller ?? ''
      const queue = bounds && !bounds.hadConnection ? this.#newcomers : this.#begun
      const limit = setTimeout(() => {
        queue.remove(caller, waiter)
        reject(new DatabaseUnavailable('no connection to the database was free in time', { cause: this.#refusal }))
      }, leftMs)
      const waiter: Waiter = {
        caller,
        resolve: (connection) => {
          clearTimeout(limit)
          if (bounds) bounds.hadConnection = true
          resolve(connection)
        },
        reject: (error) => {
          clearTimeout(limit)
          reject(error)
        },
      }
      if (queue === this.#newcomers && queue.length === 0) this.#lastTurn = performance.now()
      queue.push(caller, waiter)
      this.#grow()
    })
  }

  #release(connection: Connection): void {
    if (connection.isLost) return
    if (this.#isClosed || connection.mustClose || this.#isOld(connection) || this.#all.size > this.#room) {
      this.#drop(connection)
      return
    }
    const waiter = this.#next()
    if (waiter) {
      waiter.resolve(connection)
      return
    }
    connection.idleSince = performance.now()
    this.#idle.push(connection)
  }

  #next(): Waiter | undefined {
    const begun = this.#begun.shift()
    if (begun) return begun
    const newcomer = this.#newcomers.shift()
    const now = performance.now()
    if (newcomer) this.#turnMs += WEIGHT * (now - this.#lastTurn - this.#turnMs)
    this.#lastTurn = now
    return newcomer
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

  /** Opens as many connections as are waited for. */
  #grow(): void {
    const waiting = this.#begun.length + this.#newcomers.length
    while (this.#opening < waiting && this.#all.size + this.#opening < this.#room) void this.#open()
  }

  async #open(): Promise<void> {
    this.#opening++
    try {
      const connection = await Connection.open(this.options)
      this.#refusal = undefined
      this.#opening--
      this.#all.add(connection)
      void connection.lost.then(() => this.#forget(connection))
      this.#release(connection)
    } catch (error) {
      this.#refusal = error
      if (isOutOfConnections(error)) await this.#shrink()
      // Those who still have a connection go on with it; others would wait for what does not come.
      else if (this.#all.size === 0) this.#rejectAll(error)
      else await pause()
      this.#opening--
      if (!this.#isClosed) this.#grow()
    }
  }

  /** Makes do with what there is, and tries for more later. */
  async #shrink(): Promise<void> {
    const size = Math.max(1, this.#all.size)
    if (size < this.#reported) this.options.onConnectionLimit?.(size)
    this.#reported = Math.min(this.#reported, size)
    this.#room = size
    this.#growing ??= setTimeout(() => {
      this.#growing = null
      this.#room = this.options.max
      this.#grow()
    }, GROW_MS).unref()
    await pause()
  }

  #rejectAll(error: unknown): void {
    for (let waiter = this.#next(); waiter; waiter = this.#next()) waiter.reject(error)
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
    for (const connection of quiet) if (!connection.isLost) void this.#ask(connection)
    const suspects = [...this.#all].filter(
      ({ unansweredSince }) => unansweredSince && now - unansweredSince >= suspectMs,
    )
    if (suspects.length > 0 && !this.#isLooking) void this.#look(suspects)
  }

  /** Ends those whose statement the server is not at: its answer was lost, or never reached it. */
  async #look(suspects: Connection[]): Promise<void> {
    this.#isLooking = true
    const since = new Map(suspects.map((connection) => [connection, connection.unansweredSince]))
    const working = await this.#workingOf(suspects.map(({ pid }) => pid))
    for (const [connection, silentSince] of since) {
      if (silentSince === null || connection.unansweredSince !== silentSince) continue
      const isDead = working
        ? !working.has(connection.pid)
        : performance.now() - silentSince >= this.options.healthChecks.deadMs
      if (isDead) connection.destroy('the database does not answer')
    }
    this.#isLooking = false
  }

  /** Which of the server's processes work, as a new connection tells; null when there is none to be had. */
  async #workingOf(pids: number[]): Promise<Set<number> | null> {
    try {
      const witness = await Connection.open(this.options)
      try {
        const rows = await witness.run(BUSY_BACKENDS, [`{${pids.join(',')}}`], { isEnd: true, limitMs: CHECK_LIMIT_MS })
        return new Set(rows.map(({ pid }) => pid as number))
      } finally {
        witness.end()
      }
    } catch (error) {
      return isOutOfConnections(error) ? new Set(pids) : null
    }
  }

  /** It is out of the way for as long as it is asked, and stays as long unused as it was. */
  async #ask(connection: Connection): Promise<void> {
    const index = this.#idle.indexOf(connection)
    if (index < 0) return
    this.#idle.splice(index, 1)
    const { idleSince } = connection
    try {
      await connection.run('', [], { isEnd: true, limitMs: CHECK_LIMIT_MS })
      this.#release(connection)
      connection.idleSince = idleSince
    } catch {
      this.#drop(connection)
    }
  }
}

/** What ended a moment ago may have its answer under way. */
const BUSY_BACKENDS = `
  select pid from pg_stat_activity where pid = any($1::int[])
    and (state in ('active', 'fastpath function call', 'disabled') or state_change > clock_timestamp() - interval '1 s')`

function isOutOfConnections(error: unknown): boolean {
  return OUT_OF_CONNECTIONS.has(String((error as { code?: unknown }).code))
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS).unref())
}
