import type postgres from 'postgres'
import { Connection, driverOptions } from './connections/connection.ts'
import { Pool } from './connections/pool.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { drizzle, type PostgresJsDatabase } from './drizzle.cjs'
import { createPreparePolicy } from './prepared.ts'
import { PoolClient, SessionClient } from './session.ts'

export type Db = PostgresJsDatabase<Record<string, never>> & { $client: PoolClient }
/** A transaction of `db.transaction`. All statements of a write use it. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** The parameter of query functions: the pool or a transaction. */
export type Queryable = Db | Tx

const STATEMENT_MS = 15_000
const CONNECTIONS_MAX = 10

export type DatabaseOptions = {
  /** Shown as `application_name` in `pg_stat_activity`. */
  name: string
  /** The most connections. They are opened when needed. */
  max?: number
  /** The longest time of a statement, limited by the server and by this process; 0 for no limit. */
  statementMs?: number
  /** The server itself, where the URL is that of a pooler that gives each transaction another server process. */
  sessionUrl?: string | undefined
  /** The longest time to connect. */
  connectMs?: number
}

/**
 * Opens a pool of connections to a database. A statement may take 15 s, or `statementMs`. Statements
 * reject with `DatabaseUnavailable` when a connection breaks or gets no response.
 * @throws Error when the URL is invalid
 */
export function openDatabase(url: string, options: DatabaseOptions): Db {
  const { name, sessionUrl, connectMs, statementMs = STATEMENT_MS, max = CONNECTIONS_MAX } = options
  const isPooled = sessionUrl !== undefined && sessionUrl !== url
  const connectionTo = (address: string, isShared: boolean) => {
    const target = { ...parseDatabaseUrl(address), ...(connectMs && { connectMs }) }
    const driver = driverOptions(target, name, isShared ? null : statementMs)
    return { target, statementMs, isPooled: isShared, driver }
  }
  const sessions = connectionTo(sessionUrl ?? url, false)
  const connection = isPooled ? connectionTo(url, true) : sessions
  const pool = new Pool({ ...connection, sessions, max })
  return drizzle(new PoolClient(pool, createPreparePolicy()) as unknown as postgres.Sql) as unknown as Db
}

/** Closes the pool. Connections still busy after five seconds are destroyed. */
export async function closeDatabase(db: Db): Promise<void> {
  await db.$client.pool.close(5_000)
}

/**
 * Calls `work` with one connection of its own, for work that needs a session: settings, advisory locks, statements
 * outside of transactions. Its statements have no time limit.
 */
export async function withSession<T>(db: Db, work: (session: Db) => Promise<T>): Promise<T> {
  const { sessions } = db.$client.pool.options
  const connection = await Connection.open({ ...sessions, statementMs: 0 })
  try {
    const client = new SessionClient(connection, sessions.driver, () => false)
    return await work(drizzle(client as unknown as postgres.Sql) as unknown as Db)
  } finally {
    connection.end()
  }
}
