import type { Queryable } from './client.ts'
import type { PgTable } from './drizzle.cjs'
import { type Column, getTableColumns, type SQL, sql } from './drizzle.cjs'

// Many rows in one statement, as one parameter of JSON: the text is the same for any number of rows, so it stays prepared.
// Not for columns of bytes.

type Rows<T extends PgTable> = readonly Readonly<Partial<T['$inferInsert']>>[]

/** Returns rows as the relation `i` with the columns of a table, null where a row has no field. Other fields are left out. */
export function rowsOf<T extends PgTable>(table: T, rows: Rows<T>): SQL {
  const columns = Object.entries(getTableColumns(table))
  const records = rows.map((row) =>
    Object.fromEntries(columns.map(([field, { name }]) => [name, (row as Record<string, unknown>)[field]])),
  )
  return sql`jsonb_populate_recordset(null::${table}, ${JSON.stringify(records)}::jsonb) as i`
}

/**
 * Inserts rows. Columns that no row has get their defaults. `rest` is the end of the statement: `on conflict …`, `returning …`.
 */
export async function insertRows<T extends PgTable>(
  db: Queryable,
  table: T,
  rows: Rows<T>,
  rest: SQL = sql``,
): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return []
  const given = new Set(rows.flatMap((row) => Object.keys(row)))
  const columns = Object.entries(getTableColumns(table)).flatMap(([field, { name }]) => (given.has(field) ? name : []))
  const names = sql.join(columns.map(sql.identifier), sql`, `)
  return await db.execute(sql`insert into ${table} (${names}) select ${names} from ${rowsOf(table, rows)} ${rest}`)
}

/** Returns `column = source.column, …` for `set`. The source is `i`, or `excluded` in `on conflict`. */
export function setFrom(source: 'i' | 'excluded', columns: Record<string, Column>): SQL {
  const names = Object.values(columns).map(({ name }) => sql.identifier(name))
  return sql.join(
    names.map((name) => sql`${name} = ${sql.raw(source)}.${name}`),
    sql`, `,
  )
}
