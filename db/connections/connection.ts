import { tracingChannel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import pg from 'pg'
import postgres from 'postgres'
import type { DatabaseTarget } from '../database-url.ts'
import { ConnectionBroken, DatabaseUnavailable } from '../errors.ts'
import { currentDeadline } from './request-bounds.ts'
import { setSettings } from './session-settings.ts'
import { openSocket } from './socket.ts'

/** The time in addition to a statement's limit in which the server may report that it cancelled the statement. */
export const MARGIN_MS = 1_000
/** The longest time to apply the settings of a new connection. TCP and TLS have their own limit (socket.ts). */
const SETTINGS_MS = 5_000
/** The longest time of a timer. */
export const LONGEST_MS = 2 ** 31 - 1
/** The start of a transaction whose session may have other defaults. */
const BEGIN = 'begin isolation level read committed read write'
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
  asArrays?: boolean
  /** For statements that belong to the connection and not to the request that happens to send them. */
  ignoresDeadline?: boolean
  limitMs?: number
}

/** Publishes each statement that is sent, and its end. */
const statements = tracingChannel<unknown, { text: string }>('soundline.statement')

type Rows = postgres.RowList<postgres.Row[]>

/**
 * One connection. Once it is lost, it executes nothing more. The driver by itself would reconnect, and then run the
 * rest of a transaction outside of it, or throw an error that no code can catch (porsager/postgres#1208).
 */
export class Connection {
  readonly openedAt = performance.now()
  idleSince = this.openedAt
  readonly #ended = new AbortController()
  /** Aborts with the reason when the connection is lost or closed. */
  readonly signal = this.#ended.signal
  readonly #options: ConnectionOptions
  readonly #socket: Socket
  readonly #client: postgres.Sql

  private constructor(options: ConnectionOptions, socket: Socket) {
    this.#options = options
    this.#socket = socket
    socket.once('error', (error) => this.#ended.abort(new ConnectionBroken(error.message, { cause: error })))
    socket.once('close', () => this.#ended.abort(new ConnectionBroken('the connection to the database broke')))
    const sockets = [socket]
    const connect = async () => sockets.pop() ?? Promise.reject(new ConnectionBroken('the connection is over'))
    this.#client = postgres({ ...options.driver, socket: connect } as unknown as postgres.Options<
      Record<string, never>
    >)
  }

  /** @throws DatabaseUnavailable when the server does not respond; Error when it refuses the connection */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options, await openSocket(options.target))
    const settings = options.isPooled ? '' : setSettings(options.statementMs, false)
    try {
      await connection.run(settings, [], { ignoresDeadline: true, limitMs: SETTINGS_MS })
      return connection
    } catch (error) {
      connection.end()
      throw error
    }
  }

  /** Begins a transaction; behind a pooler with all settings. */
  begin(): Promise<unknown> {
    const { isPooled, statementMs } = this.#options
    return this.run(isPooled ? `${BEGIN}; ${setSettings(statementMs, true)}` : 'begin')
  }

  /**
   * Executes a statement. Without an answer within its limit, or before the request's deadline, the connection is
   * destroyed, and the server ends the statement.
   */
  async run(text: string, values: unknown[] = [], options: RunOptions = {}): Promise<Rows> {
    const { isPooled, statementMs } = this.#options
    const { asArrays, ignoresDeadline, prepare = false, limitMs = statementMs && statementMs + MARGIN_MS } = options
    const leftMs = ignoresDeadline ? Number.POSITIVE_INFINITY : currentDeadline() - performance.now()
    this.signal.throwIfAborted()
    if (leftMs <= 0) throw new DatabaseUnavailable('the deadline of the request has passed')
    const parameters = values as postgres.ParameterOrJSON<never>[]
    const query = this.#client.unsafe(text, parameters, { prepare: prepare && !isPooled })
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    ;(asArrays ? query.values() : query).then(resolve as (rows: unknown) => void, reject)
    // The driver forgets some statements when a connection breaks.
    const onLost = () => reject(this.signal.reason)
    this.signal.addEventListener('abort', onLost)
    // A request's deadline says nothing about other connections.
    const kind = leftMs < (limitMs || LONGEST_MS) ? DatabaseUnavailable : ConnectionBroken
    const giveUp = () => this.destroy('the database did not answer in time', kind)
    const timer = setTimeout(giveUp, Math.min(leftMs, limitMs || LONGEST_MS))
    try {
      return await statements.tracePromise(() => promise, { text })
    } finally {
      clearTimeout(timer)
      this.signal.removeEventListener('abort', onLost)
    }
  }

  /** Ends the connection at once. Outstanding statements reject with the reason. */
  destroy(reason: string, kind: new (reason: string) => DatabaseUnavailable = ConnectionBroken): void {
    this.#ended.abort(new kind(reason))
    this.#socket.destroy()
  }

  /** Closes the connection in an orderly way. */
  end(): void {
    this.#ended.abort(new DatabaseUnavailable('the connection was ended'))
    if (this.#socket.writable) this.#socket.write(TERMINATE)
    this.#socket.destroySoon()
  }
}

/** Returns the driver's options. A pooler refuses start parameters that it does not know, so it gets no `statementMs`. */
export function driverOptions(target: DatabaseTarget, name: string, statementMs: number | null): DriverOptions {
  const { host, port, user, password, database } = target
  const { options } = postgres({
    ...{ host, port, user, password, database, max: 1 },
    ...{ ssl: false, idle_timeout: 0, max_lifetime: null, connect_timeout: 0, fetch_types: false },
    onnotice: () => {},
    // The first statement must not run into a shorter default. A string, because the driver omits the number zero.
    connection: {
      application_name: name,
      ...(statementMs !== null && { statement_timeout: String(statementMs) as unknown as number }),
    },
  })
  for (const type of ARRAY_TYPES) options.parsers[type] = pg.types.getTypeParser(type)
  return options
}
