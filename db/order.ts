import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/**
 * Orders by a name as people read it, alike in every list and on every database: the root collation of ICU, whatever
 * locale the database was made with.
 */
export function byName(name: AnyColumn | SQL | SQL.Aliased): SQL {
  return sql`${name} collate "und-x-icu"`
}
