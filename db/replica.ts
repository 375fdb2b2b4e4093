import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { closeDatabase, type DatabaseOptions, type Db, openDatabase, type Queryable } from './client.ts'
import type { RunOptions } from './connections/connection.ts'
import type { Pool } from './connections/pool.ts'
import { withinRequestBounds, withoutRequestBounds } from './connections/request-bounds.ts'
import { drizzle } from './drizzle.cjs'
import { isUnavailable, sqlErrorOf } from './errors.ts'
import { createPreparePolicy } from './prepared.ts'
import { Client, type PoolClient } from './session.ts'

/** Where reads go that may be a little old: statistics, lists of results and exports. */
export type Reads = {
  /** For single statements. What must be true now is read from the primary. */
  db: Queryable
  /** Resolves when reads show what is committed now. Null when they always do. */
  caughtUp: (() => Promise<void>) | null
  /** The pool of connections to the replica. */
  pool?: Pool
  close: () => Promise<void>
}

export type ReplicaOptions = DatabaseOptions & {
  url: string
  maxLagMs: number
  /** How long a replica that could not answer is not asked. */
  awayMs?: number
}

/** The shortest time between two comparisons, and the time that one may take. */
const CHECK_MS = 1_000
const AWAY_MS = 5_000
/** The pause between two looks at a replica that changes are waited for, and the longest wait. */
const CATCH_UP_MS = 100
const CATCH_UP_LIMIT_MS = 5_000
/** A replica cancels a statement that keeps it from applying changes. */
const RECOVERY_CONFLICT = '40001'
/** The time limit of a statement: on the primary it would take as long. */
const CANCELLED = '57014'

// Positions are compared as bytes of the write-ahead log: clocks play no part, and an idle primary makes no lag.
const PRIMARY_POSITION = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as at`
const REPLICA_POSITION = `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as at`

/** Reads from the primary. */
export function readsFromPrimary(primary: Db): Reads {
  return { db: primary, caughtUp: null, close: () => Promise.resolve() }
}

/** Reads from a streaming replica while it lags at most `maxLagMs` behind, else from the primary. */
export function readsFromReplica(primary: Db, { url, maxLagMs, awayMs = AWAY_MS, ...options }: ReplicaOptions): Reads {
  const replica = openDatabase(url, options)
  const lag = new ReplicaLag(primary.$client.pool, replica.$client.pool, maxLagMs, awayMs)
  const client = new ReplicaClient(primary.$client, replica.$client.pool, lag)
  return {
    db: drizzle(client as unknown as postgres.Sql) as unknown as Db,
    caughtUp: () => withoutRequestBounds(() => lag.catchUp()),
    pool: replica.$client.pool,
    close: () => closeDatabase(replica),
  }
}

/** Sends each statement to the replica, or to the primary while the replica lags or is away. */
class ReplicaClient extends Client {
  readonly #primary: PoolClient
  readonly #replica: Pool
  readonly #lag: ReplicaLag

  constructor(primary: PoolClient, replica: Pool, lag: ReplicaLag) {
    super(primary.options, createPreparePolicy())
    this.#primary = primary
    this.#replica = replica
    this.#lag = lag
  }

  override async run(text: string, values: unknown[], options: RunOptions): Promise<unknown> {
    if (!(await this.#lag.isFresh())) return await this.#primary.run(text, values, options)
    try {
      return await this.#replica.run(text, values, options)
    } catch (error) {
      const { sqlState } = sqlErrorOf(error)
      if (sqlState === CANCELLED || (sqlState !== RECOVERY_CONFLICT && !isUnavailable(error))) throw error
      if (sqlState !== RECOVERY_CONFLICT) this.#lag.distrust()
      return await this.#primary.run(text, values, options)
    }
  }
}

/** Knows whether a replica shows what the primary had committed `maxMs` ago. Its verdict may be `CHECK_MS` old. */
class ReplicaLag {
  readonly #primary: Pool
  readonly #replica: Pool
  readonly #maxMs: number
  readonly #awayMs: number
  /** Where the primary was at a time, by `performance.now()`. */
  #samples: { time: number; at: number }[] = []
  #isFresh = false
  #nextCheckAt = 0
  #checking: Promise<void> | null = null

  constructor(primary: Pool, replica: Pool, maxMs: number, awayMs: number) {
    this.#primary = primary
    this.#replica = replica
    this.#maxMs = maxMs
    this.#awayMs = awayMs
  }

  /** Whether the replica may be asked now. */
  async isFresh(): Promise<boolean> {
    if (performance.now() >= this.#nextCheckAt) {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = null
      })
      await this.#checking
    }
    return this.#isFresh
  }

  /** The replica could not answer: it is not asked for a while. */
  distrust(): void {
    this.#isFresh = false
    this.#nextCheckAt = performance.now() + this.#awayMs
  }

  /** Resolves when the replica shows what is committed now, or is not asked, or after some seconds. */
  async catchUp(): Promise<void> {
    const end = performance.now() + Math.min(this.#maxMs, CATCH_UP_LIMIT_MS)
    try {
      const wanted = await positionOf(this.#primary, PRIMARY_POSITION)
      while (performance.now() < end && (await this.isFresh())) {
        if ((await positionOf(this.#replica, REPLICA_POSITION)) >= wanted) return
        await sleep(CATCH_UP_MS, undefined, { ref: false })
      }
    } catch {
      // The primary or the replica is away: the next read finds out.
    }
  }

  async #check(): Promise<void> {
    const time = performance.now()
    const [primary, replica] = await Promise.allSettled([
      positionOf(this.#primary, PRIMARY_POSITION),
      positionOf(this.#replica, REPLICA_POSITION),
    ])
    this.#nextCheckAt = performance.now() + CHECK_MS
    if (replica.status === 'rejected') return this.distrust()
    // A primary that is too busy to answer: its former positions count as long as they may.
    if (primary.status === 'fulfilled') this.#samples.push({ time, at: primary.value })
    this.#samples = this.#samples.filter((sample) => time - sample.time <= this.#maxMs)
    this.#isFresh = this.#samples.some((sample) => sample.at <= replica.value)
  }
}

/** @throws Error when the server does not answer in time, or has no such position: it is not a streaming replica */
async function positionOf(pool: Pool, text: string): Promise<number> {
  // Outside of the request: its deadline must not end the comparison that other requests wait for.
  const [row] = await withoutRequestBounds(() => withinRequestBounds(CHECK_MS, () => pool.run(text)))
  if (typeof row?.at !== 'number') throw new Error('the server has no position')
  return row.at
}
