import type { Socket } from 'node:net'
import pg from 'pg'
import postgres from 'postgres'
import type { DatabaseTarget } from '../database-url.ts'
import { ConnectionBroken, DatabaseUnavailable } from '../errors.ts'
import { currentDeadline } from './request-bounds.ts'
import { setSettings } from './session-settings.ts'
import { openSocket, requestCancel } from './socket.ts'
import { observeStatement } from './statement-observer.ts'

/** The time in addition to a statement's limit in which the server may report that it cancelled the statement. */
const MARGIN_MS = 1_000
/** The longest time to open a connection and apply its settings. */
const OPEN_MS = 5_000
/** The message with which a client ends its session. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4])
/** Array types, parsed as node-postgres does. `fetch_types` would ask each server, and fail where nothing catches it. */
const ARRAY_TYPES = [199, 1000, 1001, 1005, 1007, 1009, 1015, 1016, 1021, 1022, 2951, 3807]

export type ConnectionOptions = {
  target: DatabaseTarget
  /** The longest time of a statement, limited by the server and by this process; 0 for no limit. */
  statementMs: number
  /** The target is a pooler that gives each transaction another server process: the connection keeps no state. */
  isPooled: boolean
  /** The driver's parsed options, with the parsers and serializers that all connections of a pool share. */
  driver: DriverOptions
}

export type DriverOptions = postgres.ParsedOptions

export type RunOptions = {
  /** The server keeps the plan, for later statements with the same text. */
  prepare?: boolean
  /** Rows as arrays of values. */
  isRows?: boolean
  /** The statement ignores the request's deadline. */
  isEnd?: boolean
  limitMs?: number
  /** The text that observers get: that of the part that matters. */
  shownAs?: string
}

type Rows = postgres.RowList<postgres.Row[]>
type Query = postgres.PendingQuery<postgres.Row[]> & { state: { pid: number; secret: number } | null }

/**
 * One connection. Once it is lost, it executes nothing more. The driver by itself would reconnect, and then run the
 * rest of a transaction outside of it, or throw an error that no code can catch (porsager/postgres#1208).
 */
export class Connection {
  /** Resolves with the reason when the connection is lost or closed. */
  readonly lost: Promise<Error>
  readonly openedAt = performance.now()
  idleSince = this.openedAt
  #error: Error | null = null
  readonly #onLost: (reason: Error) => void
  /** Rejects the outstanding statements: the driver forgets some of them when a connection breaks. */
  readonly #waiting = new Set<(error: Error) => void>()
  #socket: Socket | null = null
  readonly #options: ConnectionOptions
  readonly #client: postgres.Sql

  private constructor(options: ConnectionOptions) {
    this.#options = options
    const { promise, resolve } = Promise.withResolvers<Error>()
    this.lost = promise
    this.#onLost = resolve
    this.#client = postgres({
      ...options.driver,
      socket: () => this.#connect(),
      onclose: () => this.#lose(new ConnectionBroken('the connection to the database broke')),
    } as unknown as postgres.Options<Record<string, never>>)
  }

  /** @throws DatabaseUnavailable when the server does not respond; Error when it refuses the connection */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options)
    const { isPooled, statementMs } = options
    try {
      await connection.run(isPooled ? '' : setSettings(statementMs, false), [], { isEnd: true, limitMs: OPEN_MS })
      return connection
    } catch (error) {
      connection.end()
      throw error
    }
  }

  async #connect(): Promise<Socket> {
    if (this.#socket || this.#error) throw this.#error ?? new DatabaseUnavailable('the connection is over')
    this.#socket = await openSocket(this.#options.target).catch((error: Error) => {
      throw new DatabaseUnavailable(error.message, { cause: error })
    })
    if (this.#error) this.#socket.destroy()
    return this.#socket
  }

  get isLost(): boolean {
    return this.#error !== null
  }

  /** Begins a transaction; behind a pooler with all settings. */
  async begin(): Promise<void> {
    const { isPooled, statementMs } = this.#options
    if (!isPooled) await this.run('begin')
    else await this.run(`begin isolation level read committed read write; ${setSettings(statementMs, true)}`)
  }

  /**
   * Executes a statement. Without an answer within its limit, or at the request's deadline, the statement is cancelled and
   * the connection is destroyed.
   */
  async run(text: string, values: unknown[] = [], options: RunOptions = {}): Promise<Rows> {
    const { isPooled, statementMs } = this.#options
    const { isRows, isEnd, prepare, limitMs = statementMs && statementMs + MARGIN_MS, shownAs = text } = options
    const leftMs = isEnd ? Number.POSITIVE_INFINITY : currentDeadline() - performance.now()
    if (this.#error) throw this.#error
    if (leftMs <= 0) throw deadlineExceeded()
    const driverOptions = { prepare: prepare === true && !isPooled }
    const query = this.#client.unsafe(text, values as postgres.ParameterOrJSON<never>[], driverOptions) as Query
    const onEnd = observeStatement(shownAs)
    const ms = Math.min(leftMs, limitMs || Number.POSITIVE_INFINITY)
    const timer = Number.isFinite(ms) ? setTimeout(() => this.#giveUp(query, ms), ms) : undefined
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    this.#waiting.add(reject)
    let failure: unknown
    try {
      ;(isRows ? query.values() : query).then(resolve as (rows: unknown) => void, reject)
      return await promise
    } catch (error) {
      failure = this.#reasonOf(error)
      throw failure
    } finally {
      onEnd?.(failure)
      clearTimeout(timer)
      this.#waiting.delete(reject)
    }
  }

  #reasonOf(error: unknown): unknown {
    if (error instanceof postgres.PostgresError) return error
    if (this.#error) return this.#error
    const { code, message, syscall } = error as NodeJS.ErrnoException
    const isBroken = syscall !== undefined || /^CONNECT/.test(code ?? '')
    return isBroken ? new ConnectionBroken(message, { cause: error }) : error
  }

  #giveUp(query: Query, ms: number): void {
    if (query.state) requestCancel(this.#options.target, query.state).catch(() => {})
    this.destroy(`no response within ${Math.round(ms)} ms`)
  }

  /** Ends the connection at once. Outstanding statements reject with the reason. */
  destroy(reason: string): void {
    this.#lose(new ConnectionBroken(reason))
    this.#socket?.destroy()
  }

  /** Closes the connection in an orderly way. */
  end(): void {
    this.#lose(new DatabaseUnavailable('the connection was ended'))
    if (this.#socket?.writable) this.#socket.write(TERMINATE)
    this.#socket?.destroySoon()
  }

  #lose(reason: Error): void {
    this.#error ??= reason
    for (const reject of this.#waiting) reject(this.#error)
    this.#onLost(this.#error)
  }
}

export function deadlineExceeded(): DatabaseUnavailable {
  return new DatabaseUnavailable('the deadline of the request has passed')
}

/**
 * Returns the driver's options for connections to a target. Does not connect. A pooler refuses start parameters that it
 * does not know: with `statementMs` null there is none for the time of a statement.
 */
export function driverOptions(target: DatabaseTarget, name: string, statementMs: number | null): DriverOptions {
  const { host, port, user, password, database } = target
  const { options } = postgres({
    ...{ host, port, user, password, database, max: 1 },
    // `openSocket` encrypts the connection.
    ...{ ssl: false, idle_timeout: 0, max_lifetime: null, connect_timeout: 5, fetch_types: false },
    onnotice: () => {},
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
