import type { PgColumn } from './drizzle.cjs'
import { type SQL, sql } from './drizzle.cjs'

/** An array of UUIDs as one parameter. */
export function uuids(ids: readonly string[]): SQL {
  return sql`${`{${ids.join(',')}}`}::uuid[]`
}

/** Matches a column against UUIDs. The text is the same for any number of them, so the statement stays prepared. */
export function anyOf(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${uuids(ids)})`
}
