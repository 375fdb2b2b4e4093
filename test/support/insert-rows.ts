import { getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '#db/client.ts'

/**
 * Inserts many rows by one statement with one parameter. Its text is the same for any number of rows, so it stays
 * prepared; a statement with a parameter per value is parsed and planned each time. Columns that no row has get their
 * defaults, the others null where a row lacks them. Not for columns of bytes.
 */
export async function insertRows<T extends PgTable>(
  db: Db,
  table: T,
  rows: readonly T['$inferInsert'][],
): Promise<void> {
  const given = new Set(rows.flatMap((row) => Object.keys(row)))
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => given.has(field))
  const json = rows.map((row) => {
    return Object.fromEntries(columns.map(([field, { name }]) => [name, (row as Record<string, unknown>)[field]]))
  })
  const names = sql.join(
    columns.map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  )
  await db.execute(sql`
    insert into ${table} (${names})
    select ${names} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(json)}::jsonb)`)
}
