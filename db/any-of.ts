import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** An array of UUIDs as one parameter. The value of a placeholder is that of `uuidArray`. */
export function uuids(ids: readonly string[] | Placeholder): SQL {
  return sql`${Array.isArray(ids) ? uuidArray(ids) : ids}::uuid[]`
}

export function uuidArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`
}

/** Matches a column against UUIDs. The text is the same for any number of them, so the statement stays prepared. */
export function anyOf(column: PgColumn, ids: readonly string[]): SQL {
  return sql`${column} = any(${uuids(ids)})`
}
