import type postgres from 'postgres'
import { DatabaseUnavailable, isConnectionBroken, sqlErrorOf } from '../errors.ts'
import { type Connection, type DriverOptions, deadlineExceeded, type RunOptions } from './connection.ts'
import type { Pool } from './pool.ts'
import type { PreparePolicy } from './prepared.ts'
import { currentRequestBounds } from './request-bounds.ts'

// The part of postgres.js that drizzle calls (`unsafe`, `begin`, `savepoint`), over connections of our own pool.

/** The texts of statements that may only read: the server judges those that are repeated. */
const MAY_READ = /^\s*(select|with)\b/i
const WRITES = /\b(insert|update|delete|merge)\b/i
/** The answer to a statement behind the one whose failure aborted the transaction. */
const IN_FAILED_TRANSACTION = '25P02'
/** Longer than `begin` takes on a healthy database. */
const NEAR_MS = 1_000

type Rows<T> = postgres.RowList<T extends readonly unknown[] ? T : never>
type Work<T> = (client: SessionClient) => Promise<T>

/** A statement that is sent when it is awaited. */
class Statement<T> implements PromiseLike<T> {
  readonly #send: (isRows: boolean) => Promise<T>

  constructor(send: (isRows: boolean) => Promise<T>) {
    this.#send = send
  }

  // biome-ignore lint/suspicious/noThenProperty: awaited as the driver's own statements are
  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send(false).then(done, failed)
  }

  values(): Promise<T> {
    return this.#send(true)
  }
}

/** What drizzle calls to send a statement. */
export abstract class Client {
  readonly options: DriverOptions
  readonly #isPrepared: PreparePolicy

  constructor(options: DriverOptions, isPrepared: PreparePolicy) {
    this.options = options
    this.#isPrepared = isPrepared
  }

  abstract run(text: string, values: unknown[], options: RunOptions): Promise<unknown>

  get isPrepared(): PreparePolicy {
    return this.#isPrepared
  }

  /** Sends a statement with its values. Repeated statements are prepared. */
  unsafe<T = postgres.Row[]>(
    text: string,
    values: unknown[] = [],
    options: postgres.UnsafeQueryOptions & Pick<RunOptions, 'isShort'> = {},
  ): Statement<Rows<T>> {
    return new Statement((isRows) => {
      const prepare = options.prepare || (values.length > 0 && this.#isPrepared(text))
      return this.run(text, values, { prepare, isRows, isShort: options.isShort }) as Promise<Rows<T>>
    })
  }
}

/** A pool as drizzle's client. */
export class PoolClient extends Client {
  readonly pool: Pool

  constructor(pool: Pool, isPrepared: PreparePolicy) {
    super(pool.options.driver, isPrepared)
    this.pool = pool
  }

  /** A read whose connection breaks before the answer is sent once more, over a connection that is opened afterwards. */
  override async run(text: string, values: unknown[], options: RunOptions): Promise<unknown> {
    try {
      return await this.#send(text, values, options)
    } catch (error) {
      if (!isConnectionBroken(error) || !MAY_READ.test(text) || WRITES.test(text)) throw error
      this.pool.dropIdle(performance.now())
      // The server itself refuses to write in it, should the text be misread.
      return await this.begin(async (session) => {
        await session.unsafe('set transaction read only')
        return await session.run(text, values, options)
      })
    }
  }

  /** Behind a pooler, a statement outside of a transaction has one of its own, which sets what the statement needs. */
  #send(text: string, values: unknown[], options: RunOptions): Promise<unknown> {
    if (!this.pool.options.isPooled) return this.pool.run(text, values, options)
    return this.begin((session) => session.run(text, values, options))
  }

  begin<T>(work: Work<T>): Promise<T> {
    return this.pool.use((connection) => new SessionClient(connection, this.options, this.isPrepared).begin(work))
  }
}

/** One connection, or a transaction or savepoint on it. */
export class SessionClient extends Client {
  readonly #connection: Connection
  #failure: unknown = null
  #isOver = false
  #savepoints = 0

  constructor(connection: Connection, options: DriverOptions, isPrepared: PreparePolicy) {
    super(options, isPrepared)
    this.#connection = connection
  }

  override async run(text: string, values: unknown[], options: RunOptions): Promise<unknown> {
    if (this.#isOver) throw new DatabaseUnavailable('the transaction is over')
    try {
      return await this.#connection.run(text, values, options)
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }

  /** The first statement is sent without waiting for the response to `begin`: one round trip less. */
  begin<T>(work: Work<T>): Promise<T> {
    return this.#scope(work, null, 'commit', 'rollback')
  }

  savepoint<T>(work: Work<T>): Promise<T> {
    const name = `s${this.#savepoints++}`
    return this.#scope(work, `savepoint ${name}`, `release ${name}`, `rollback to ${name}`)
  }

  async #scope<T>(work: Work<T>, savepoint: string | null, commit: string, rollback: string): Promise<T> {
    const connection = this.#connection
    const inner = new SessionClient(connection, this.options, this.isPrepared)
    inner.#savepoints = this.#savepoints
    const begun: Promise<unknown> = savepoint === null ? connection.begin() : connection.run(savepoint)
    begun.catch(() => {})
    try {
      // If the deadline cancelled `begin`, the statements behind it would run outside of a transaction.
      if (isNearDeadline()) await begun
      const result = await work(inner)
      await begun
      // A failed statement aborts the transaction, even if the caller caught its error.
      if (inner.#failure) throw inner.#failure
      inner.#isOver = true
      // Past its deadline the request fails, so its write must not be committed.
      const bounds = currentRequestBounds()
      if (bounds && performance.now() > bounds.deadline) throw deadlineExceeded()
      await connection.run(commit, [], { isEnd: true })
      return result
    } catch (error) {
      inner.#isOver = true
      // A connection whose rollback fails must not return to the pool.
      await connection.run(rollback, [], { isEnd: true }).catch((failed: Error) => connection.destroy(failed.message))
      // Of statements that are sent together, a later one may be the first whose failure the caller sees.
      throw sqlErrorOf(error).sqlState === IN_FAILED_TRANSACTION ? (inner.#failure ?? error) : error
    }
  }
}

/** Whether the request's deadline may cancel a statement that is sent now. */
function isNearDeadline(): boolean {
  const bounds = currentRequestBounds()
  return bounds !== null && bounds.deadline - performance.now() < NEAR_MS
}
