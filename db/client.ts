import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { preparing } from './prepared.ts'

export type Db = PostgresJsDatabase<Record<string, never>> & { $client: postgres.Sql }
/** Inside `db.transaction`. Everything a write touches goes through it. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** What a query function accepts: the pool, or the transaction it is part of. */
export type Queryable = Db | Tx

/**
 * A pool of connections. Statements are bounded on the server (15 s) and connecting in time (5 s), so a request never
 * waits for a database that does not answer.
 */
export function openDatabase(url: string, options: { max?: number; name: string }): Db {
  const client = postgres(url, {
    max: options.max ?? 10,
    connect_timeout: 5,
    max_lifetime: 30 * 60,
    onnotice: () => {},
    connection: {
      application_name: options.name,
      statement_timeout: 15_000,
      idle_in_transaction_session_timeout: 30_000,
      TimeZone: 'UTC',
    },
  })
  return drizzle(preparing(client)) as unknown as Db
}

/** Ends the pool; connections still busy after five seconds are dropped. */
export async function closeDatabase(db: Db): Promise<void> {
  await db.$client.end({ timeout: 5 })
}
