import type { Queryable } from './client.ts'
import { sql } from './drizzle.cjs'

/** Returns the start of the current transaction by the database's clock, which all processes share. */
export async function databaseNow(db: Queryable): Promise<Date> {
  const [row] = await db.execute<{ ms: number }>(sql`select (extract(epoch from now()) * 1000)::float8 as ms`)
  return new Date((row as { ms: number }).ms)
}
