import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** A list of UUIDs as one value. */
export function uuids(ids: readonly string[]): SQL {
  return sql`${`{${ids.join(',')}}`}::uuid[]`
}

/** That a column is one of these UUIDs, in the same words however many they are: a statement that can stay prepared. */
export function anyOf(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${uuids(ids)})`
}
