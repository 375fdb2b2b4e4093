import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

/**
 * Returns a fragment as one piece of text. For long fragments that are the same in every statement: drizzle puts the pieces
 * of a fragment together again for each statement.
 */
export function constant(fragment: SQL): SQL {
  return sql.raw(new PgDialect().sqlToQuery(fragment.inlineParams()).sql)
}
