import type postgres from 'postgres'
import type { Connection, DriverOptions, RunOptions } from './connections/connection.ts'
import type { Pool } from './connections/pool.ts'
import { DatabaseUnavailable } from './errors.ts'
import type { PreparePolicy } from './prepared.ts'

// The part of postgres.js that drizzle calls (`unsafe`, `begin`, `savepoint`), over connections of the pool.

type Rows<T> = postgres.RowList<T extends readonly unknown[] ? T : never>
type Work<T> = (client: SessionClient) => Promise<T>

/** What drizzle calls to send a statement. */
export abstract class Client {
  readonly options: DriverOptions
  readonly isPrepared: PreparePolicy

  constructor(options: DriverOptions, isPrepared: PreparePolicy) {
    this.options = options
    this.isPrepared = isPrepared
  }

  abstract run(text: string, values: unknown[], options: RunOptions): Promise<unknown>

  /** Sends a statement with its values; `values()` returns rows as arrays. Repeated statements are prepared. */
  unsafe<T = postgres.Row[]>(text: string, values: unknown[] = []) {
    let asArrays = false
    // In the next turn, after drizzle has called `values`.
    const rows = Promise.resolve().then(() => {
      const prepare = values.length > 0 && this.isPrepared(text)
      return this.run(text, values, { prepare, asArrays }) as Promise<Rows<T>>
    })
    const withArrays = () => {
      asArrays = true
      return rows
    }
    return Object.assign(rows, { values: withArrays })
  }
}

/** A pool as drizzle's client. */
export class PoolClient extends Client {
  readonly pool: Pool

  constructor(pool: Pool, isPrepared: PreparePolicy) {
    super(pool.options.driver, isPrepared)
    this.pool = pool
  }

  /** Behind a pooler, a statement outside of a transaction has one of its own, which sets what the statement needs. */
  override run(text: string, values: unknown[], options: RunOptions): Promise<unknown> {
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

  begin<T>(work: Work<T>): Promise<T> {
    return this.#scope(work, () => this.#connection.begin(), 'commit', 'rollback')
  }

  savepoint<T>(work: Work<T>): Promise<T> {
    return this.#scope(work, () => this.#connection.run('savepoint s'), 'release s', 'rollback to s; release s')
  }

  async #scope<T>(work: Work<T>, begin: () => Promise<unknown>, commit: string, rollback: string): Promise<T> {
    const connection = this.#connection
    const inner = new SessionClient(connection, this.options, this.isPrepared)
    try {
      await begin()
      const result = await work(inner)
      // A failed statement aborts the transaction, even if the caller caught its error.
      if (inner.#failure) throw inner.#failure
      inner.#isOver = true
      await connection.run(commit)
      return result
    } catch (error) {
      inner.#isOver = true
      // A connection whose rollback fails must not return to the pool.
      await connection
        .run(rollback, [], { ignoresDeadline: true })
        .catch((failed: Error) => connection.destroy(failed.message))
      throw error
    }
  }
}
