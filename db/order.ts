import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** Orders by name with ICU's root collation: the same in every list, whatever the locale of the database is. */
export function byName(name: AnyColumn | SQL | SQL.Aliased): SQL {
  return sql`${name} collate "und-x-icu"`
}
