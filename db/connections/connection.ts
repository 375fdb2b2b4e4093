import type { Socket } from 'node:net'
import pg from 'pg'
import postgres from 'postgres'
import type { DatabaseTarget } from '../database-url.ts'
import { ConnectionBroken, DatabaseUnavailable, isDiskFailure, sqlErrorOf } from '../errors.ts'
import { currentRequestBounds } from './request-bounds.ts'
import { beginWithSettings, setSession } from './session-settings.ts'
import { openSocket, requestCancel } from './socket.ts'
import { observeStatement } from './statement-observer.ts'

/** The time in addition to a statement's limit in which the server may report that it cancelled the statement. */
const MARGIN_MS = 2_000
/** The time in which a cancelled statement must end. */
const CANCEL_MS = 500
/** The SQLSTATE of a write that a standby refuses. */
const READ_ONLY = '25006'
/** The longest time to open a connection and apply its settings. */
const OPEN_MS = 5_000

export type ConnectionOptions = {
  target: DatabaseTarget
  /** The longest time of a statement; 0 for no limit. */
  statementMs: number
  /**
   * The target is a pooler that gives each transaction another server process. The connection keeps no state: it sends
   * nothing outside of transactions but empty statements, and each transaction sets what it needs.
   */
  isPooled: boolean
  /** The driver's parsed options, with the parsers and serializers that all connections of a pool share. */
  driver: DriverOptions
}

export type DriverOptions = postgres.ParsedOptions

export type RunOptions = postgres.UnsafeQueryOptions & {
  /** Rows as arrays of values. */
  isRows?: boolean
  /** The end of a transaction: it ignores the request's deadline. */
  isEnd?: boolean
  /** Takes the server well below a millisecond, whatever is stored. It may share a connection with other requests. */
  isShort?: boolean
  limitMs?: number
  /** The text that observers get: that of the part that matters. */
  shownAs?: string
}

type Backend = { pid: number; secret: number }
type Query = postgres.PendingQuery<postgres.Row[]> & { state: Backend | null }

/**
 * One connection. Once it is lost, it executes nothing more. The driver by itself would reconnect, and then run the
 * rest of a transaction outside of it, or throw an error that no code can catch (porsager/postgres#1208).
 */
export class Connection {
  /** Resolves when the connection is lost or closed. */
  readonly lost: Promise<void>
  readonly openedAt = performance.now()
  idleSince = 0
  /** When the idle connection was checked last. */
  checkedAt = 0
  /** The id of the server's process; 0 until the connection is open, or the pooler's server process has answered. */
  pid = 0
  /** The server refused a write, because it is a standby: the primary is at another address now. */
  isStandby = false
  /** The disk of the server failed a statement. */
  hasDiskFailed = false
  /** The time since which a response is outstanding, by `performance.now()`; null without an outstanding response. */
  unansweredSince: number | null = null
  /** A cancellation was sent. It may arrive late, and must not hit the statement of another request. */
  mustClose = false
  #error: Error | null = null
  readonly #onLost: () => void
  /** Rejects the outstanding statements: the driver forgets some of them when a connection breaks. */
  readonly #waiting = new Set<(error: Error) => void>()
  #socket: Socket | null = null
  #pending = 0
  #limitMs: number
  #timer: NodeJS.Timeout | null = null
  readonly #client: postgres.Sql
  readonly #target: DatabaseTarget
  /** The statement that begins a transaction behind a pooler. */
  readonly #pooledBegin: string | null

  private constructor({ target, statementMs, isPooled, driver }: ConnectionOptions) {
    this.#target = target
    this.#pooledBegin = isPooled ? beginWithSettings(statementMs) : null
    this.#limitMs = statementMs && statementMs + MARGIN_MS
    const { promise, resolve } = Promise.withResolvers<void>()
    this.lost = promise
    this.#onLost = resolve
    this.#client = postgres({
      ...driver,
      socket: () => this.#connect(),
      onclose: () => this.#lose('the connection to the database broke'),
    } as unknown as postgres.Options<Record<string, never>>)
  }

  /** @throws DatabaseUnavailable when the server does not respond; Error when it refuses the connection */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options)
    try {
      const opening = { isEnd: true, limitMs: OPEN_MS }
      const [session] = await connection.run(options.isPooled ? '' : setSession(options.statementMs), [], opening)
      connection.pid = session?.pid ?? 0
      return connection
    } catch (error) {
      connection.end()
      throw error
    }
  }

  async #connect(): Promise<Socket> {
    if (this.#socket || this.#error) throw this.#error ?? new DatabaseUnavailable('the connection is over')
    this.#socket = await openSocket(this.#target).catch((error: Error) => {
      throw new DatabaseUnavailable(error.message, { cause: error })
    })
    if (this.#error) this.#socket.destroy()
    return this.#socket
  }

  get isLost(): boolean {
    return this.#error !== null
  }

  /** Sets the limit of this process for later statements; 0 for no limit. */
  limit(statementMs: number): void {
    this.#limitMs = statementMs && statementMs + MARGIN_MS
  }

  /** Begins a transaction. Statements may be sent before it resolves. */
  async begin(): Promise<void> {
    if (this.#pooledBegin === null) {
      await this.run('begin')
      return
    }
    this.pid = 0
    // The driver returns the results of several statements as a list.
    const answers = (await this.run(this.#pooledBegin)) as unknown as { pid?: number }[][]
    this.pid = answers.at(-1)?.[0]?.pid ?? 0
  }

  /**
   * Executes a statement. Without a response in time the connection is destroyed. At the request's deadline the
   * statement is cancelled.
   */
  async run(text: string, values: unknown[] = [], options: RunOptions = {}): Promise<postgres.RowList<postgres.Row[]>> {
    const { isRows, isEnd, isShort: _, limitMs, shownAs, ...rest } = options
    const bounds = isEnd ? null : currentRequestBounds()
    const leftMs = bounds && bounds.deadline - performance.now()
    if (this.#error) throw this.#error
    if (leftMs !== null && leftMs <= 0) throw deadlineExceeded()

    const query = this.#client.unsafe(text, values as postgres.ParameterOrJSON<never>[], rest) as unknown as Query
    const onEnd = observeStatement(shownAs ?? text)
    let failure: unknown
    const deadline = leftMs === null ? null : setTimeout(() => this.#cancel(query), leftMs)
    this.#watch(limitMs)
    const { promise, resolve, reject } = Promise.withResolvers<postgres.RowList<postgres.Row[]>>()
    this.#waiting.add(reject)
    try {
      ;(isRows ? query.values() : query).then(resolve as (rows: unknown) => void, reject)
      return await promise
    } catch (error) {
      if (sqlErrorOf(error).sqlState === READ_ONLY) this.isStandby = this.mustClose = true
      if (isDiskFailure(error)) this.hasDiskFailed = true
      failure = this.#reasonOf(error)
      throw failure
    } finally {
      onEnd?.(failure)
      if (deadline) clearTimeout(deadline)
      this.#waiting.delete(reject)
      this.#unwatch()
    }
  }

  #reasonOf(error: unknown): unknown {
    if (error instanceof postgres.PostgresError) return error
    if (this.#error) return this.#error
    const { code, message, syscall } = error as NodeJS.ErrnoException
    const isBroken = syscall !== undefined || /^CONNECT/.test(code ?? '')
    return isBroken ? new ConnectionBroken(message, { cause: error }) : error
  }

  /** Starts the timer for a response. Pipelined statements get their responses one after another. */
  #watch(limitMs = this.#limitMs): void {
    if (this.#pending++ > 0 || limitMs === 0) return
    this.unansweredSince = performance.now()
    this.#timer = setTimeout(() => this.destroy(`no response within ${limitMs} ms`), limitMs)
  }

  #unwatch(): void {
    const isSilent = --this.#pending > 0 && this.#timer !== null
    this.unansweredSince = isSilent ? performance.now() : null
    if (isSilent) this.#timer?.refresh()
    else if (this.#timer) {
      clearTimeout(this.#timer)
      this.#timer = null
    }
  }

  /** Cancels a statement, and destroys the connection if that does not help soon. */
  #cancel(query: Query): void {
    this.mustClose = true
    if (query.state) requestCancel(this.#target, query.state).catch(() => {})
    const limit = setTimeout(() => this.destroy('the deadline of the request has passed'), CANCEL_MS)
    const clear = () => clearTimeout(limit)
    query.then(clear, clear)
  }

  /** Ends the connection at once. Outstanding statements reject with the reason. */
  destroy(reason: string): void {
    this.#lose(reason)
    this.#socket?.destroy()
  }

  /** Closes the connection in an orderly way, if the server still responds. */
  end(): void {
    this.#error ??= new DatabaseUnavailable('the connection was ended')
    this.#client.end({ timeout: 0 }).catch(() => {})
    setTimeout(() => this.destroy('the connection was ended'), CANCEL_MS).unref()
  }

  #lose(reason: string): void {
    this.#error ??= new ConnectionBroken(reason)
    for (const reject of this.#waiting) reject(this.#error)
    this.#onLost()
  }
}

export function deadlineExceeded(): DatabaseUnavailable {
  return new DatabaseUnavailable('the deadline of the request has passed')
}

/**
 * Array types, parsed with node-postgres's parsers. With `fetch_types`, postgres.js would query each server for its
 * types, and throw an error that no code can catch when the connection breaks during the query.
 */
const ARRAY_TYPES = [199, 1000, 1001, 1005, 1007, 1009, 1015, 1016, 1021, 1022, 2951, 3807]

/**
 * Returns the driver's options for connections to a target. Does not connect. A pooler refuses start parameters that it
 * does not know: with `statementMs` null there is none for the time of a statement.
 */
export function driverOptions(target: DatabaseTarget, name: string, statementMs: number | null): DriverOptions {
  const { options } = postgres({
    host: target.host,
    port: target.port,
    user: target.user,
    password: target.password,
    database: target.database,
    max: 1,
    // `openSocket` encrypts the connection.
    ssl: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    onnotice: () => {},
    fetch_types: false,
    // A string, because the driver omits the number zero. Set here because the first statement, which sets everything
    // else, must not run into a shorter default.
    connection: {
      application_name: name,
      ...(statementMs !== null && { statement_timeout: String(statementMs) as unknown as number }),
    },
  })
  for (const type of ARRAY_TYPES) options.parsers[type] = pg.types.getTypeParser(type)
  return options
}
