import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { closeDatabase, type DatabaseOptions, type Db, openDatabase, type Queryable } from './client.ts'
import type { Pool } from './connections/pool.ts'
import { createPreparePolicy } from './connections/prepared.ts'
import { ReplicaClient } from './connections/replica-client.ts'
import { ReplicaLag } from './connections/replica-lag.ts'

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

export type ReplicaOptions = Pick<DatabaseOptions, 'name' | 'max' | 'healthChecks'> & {
  url: string
  maxLagMs: number
  /** How long a replica that could not answer is not asked. */
  awayMs?: number
}

/** Reads from the primary. */
export function readsFromPrimary(primary: Db): Reads {
  return { db: primary, caughtUp: null, close: () => Promise.resolve() }
}

/** Reads from a streaming replica while it lags at most `maxLagMs` behind, else from the primary. */
export function readsFromReplica(primary: Db, { url, maxLagMs, awayMs, ...options }: ReplicaOptions): Reads {
  const replica = openDatabase(url, options)
  const lag = new ReplicaLag(primary.$client.pool, replica.$client.pool, maxLagMs, awayMs)
  const client = new ReplicaClient(primary.$client, replica.$client.pool, lag, createPreparePolicy())
  return {
    db: drizzle(client as unknown as postgres.Sql) as unknown as Db,
    caughtUp: () => lag.caughtUp(),
    pool: replica.$client.pool,
    close: () => closeDatabase(replica),
  }
}
