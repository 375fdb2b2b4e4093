import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { driverOptions } from './connections/connection.ts'
import { HEALTH_CHECKS, type HealthChecks, Pool } from './connections/pool.ts'
import { createPreparePolicy } from './connections/prepared.ts'
import { PoolClient, SessionClient } from './connections/session.ts'
import { parseDatabaseUrl } from './database-url.ts'

export type Db = PostgresJsDatabase<Record<string, never>> & { $client: PoolClient }
/** Inside `db.transaction`. Everything a write touches goes through it. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** What a query function accepts: the pool, or the transaction it is part of. */
export type Queryable = Db | Tx

const STATEMENT_MS = 15_000
const CONNECTIONS_MAX = 10

export type DatabaseOptions = {
  /** Told to the server, for those who look there. */
  name: string
  /** Connections at most; made when they are needed. */
  max?: number
  /** The longest a statement may take, on either side of the connection; 0 for no end. */
  statementMs?: number
  onConnectionLimit?: (size: number) => void
  /** Other times than the usual ones. */
  healthChecks?: Partial<HealthChecks> & { connectMs?: number }
}

/**
 * A pool of connections to the database of a URL. A statement ends within 15 s unless said otherwise, and what breaks,
 * or is not answered, is `DatabaseUnavailable`.
 * @throws Error that says what is wrong with the URL
 */
export function openDatabase(url: string, options: DatabaseOptions): Db {
  const { connectMs, ...healthChecks } = options.healthChecks ?? {}
  const target = { ...parseDatabaseUrl(url), ...(connectMs && { connectMs }) }
  const statementMs = options.statementMs ?? STATEMENT_MS
  const pool = new Pool({
    target,
    max: options.max ?? CONNECTIONS_MAX,
    healthChecks: { ...HEALTH_CHECKS, ...healthChecks },
    statementMs,
    driver: driverOptions(target, options.name, statementMs),
    ...(options.onConnectionLimit && { onConnectionLimit: options.onConnectionLimit }),
  })
  return drizzle(new PoolClient(pool, createPreparePolicy()) as unknown as postgres.Sql) as unknown as Db
}

/** Ends the pool; connections still busy after five seconds are dropped. */
export async function closeDatabase(db: Db): Promise<void> {
  await db.$client.pool.close(5_000)
}

/**
 * One connection for the time of `work`, which keeps its session: settings, advisory locks, statements that want no
 * transaction. Its statements have no longest time, and it is closed afterwards.
 */
export async function withSession<T>(db: Db, work: (session: Db) => Promise<T>): Promise<T> {
  const { pool } = db.$client
  return await pool.use(async (connection) => {
    await connection.run('set statement_timeout = 0')
    connection.limit(0)
    const client = new SessionClient(connection, pool.options.driver, () => false)
    return await work(drizzle(client as unknown as postgres.Sql) as unknown as Db)
  }, true)
}
