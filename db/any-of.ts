import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** That a column is one of these UUIDs, in the same words however many they are: a statement that can stay prepared. */
export function anyOf(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${`{${ids.join(',')}}`}::uuid[])`
}
