import { type AnyColumn, type SQL, sql } from './drizzle.cjs'

/** Orders by name with ICU's root collation, so that the order does not depend on the locale of the database. */
export function byName(name: AnyColumn | SQL | SQL.Aliased): SQL {
  return sql`${name} collate "und-x-icu"`
}
