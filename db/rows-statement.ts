import { type SQL, sql } from 'drizzle-orm'
import { uuids } from './any-of.ts'
import type { Queryable, Tx } from './client.ts'
import type { RowKey } from './row-match.ts'

// Rows as one array per column: the text of a statement is then the same for any number of rows, so it stays prepared, and
// PostgreSQL reads arrays in half the time of JSON records.

type ValueType = 'uuid' | 'text' | 'int' | 'bigint' | 'boolean' | 'timestamptz' | 'jsonb' | 'int[]' | 'numeric'
/** Of a `repeated` type, each value is sent once, with its position for each row: for columns with few values. */
type ColumnType = ValueType | `repeated ${ValueType}`

/** The columns by name: the type of the field of that name, or the type with a getter of the value. */
export type Columns<T> = Readonly<Record<string, ColumnType | readonly [ColumnType, (row: T) => unknown]>>

/** Sends a statement with rows, and returns what it returns. */
export type RowsStatement<T, R> = (db: Queryable, rows: readonly T[]) => Promise<R[]>

/**
 * Returns a statement over any number of rows. `build` gets the rows as the table `i` with the given columns, and with
 * their positions from 1 on as `n`; and the number of rows.
 */
export function rowsStatement<T extends object, R = never>(
  columns: Columns<T>,
  build: (rows: SQL, count: SQL) => SQL,
): RowsStatement<T, R> {
  const fields = Object.entries(columns).map(([name, column]): Field<T> => {
    const [given, read] =
      typeof column === 'string' ? [column, (row: T) => (row as Record<string, unknown>)[name]] : column
    const type = given.replace(REPEATED, '') as ValueType
    return { name, type, isRepeated: given !== type, read }
  })
  return async (db, rows) => {
    const values: Record<string, string> = {}
    for (const field of fields) {
      const found = rows.map(field.read)
      if (field.isRepeated) {
        const distinct = [...new Set(found)]
        const positions = new Map(distinct.map((value, i) => [value, i + 1]))
        values[distinctOf(field.name)] = arrayText(distinct, field.type)
        values[field.name] = `{${found.map((value) => positions.get(value)).join(',')}}`
      } else values[field.name] = arrayText(found, field.type)
    }
    const sent = await db.execute(build(unnested(fields, values), sql`${rows.length}::int`))
    return sent as unknown as R[]
  }
}

/** Returns the positions of the rows that the update found, or null if it found all of them. */
export type UpdateStatement<T> = RowsStatement<T, { positions: number[] | null }>

/** Returns a statement for `updateOrMissing`: an update that returns `i.n`, the positions of the rows that it found. */
export function updateStatement<T extends object>(columns: Columns<T>, build: (rows: SQL) => SQL): UpdateStatement<T> {
  return rowsStatement<T, { positions: number[] | null }>(
    columns,
    (rows, count) => sql`
      with updated as (${build(rows)})
      select case when count(*) < ${count} then coalesce(array_agg(n), '{}') end as positions from updated`,
  )
}

/** Updates rows, and returns those that do not exist. */
export async function updateOrMissing<T>(db: Queryable, rows: readonly T[], update: UpdateStatement<T>): Promise<T[]> {
  const [found] = await update(db, rows)
  if (!found?.positions) return []
  const positions = new Set(found.positions.map(Number))
  return rows.filter((_, i) => !positions.has(i + 1))
}

const REPEATED = 'repeated '

type Field<T> = { name: string; type: ValueType; isRepeated: boolean; read: (row: T) => unknown }

const distinctOf = (name: string) => `${name}_values`

function unnested<T>(fields: readonly Field<T>[], values: Record<string, string>): SQL {
  const names = fields.map(({ name }) => name)
  // Arrays of arrays are flat to `unnest`, so an array is sent as its text.
  const elementOf = (type: ValueType) => (type === 'int[]' ? 'text' : type)
  const arrayOf = (name: string, type: ValueType) => sql`${values[name]}::${sql.raw(elementOf(type))}[]`
  const arrays = fields.map(({ name, type, isRepeated }) => arrayOf(name, isRepeated ? 'int' : type))
  const selected = fields.map(({ name, type, isRepeated }) => {
    const column = sql.raw(name)
    const value = isRepeated ? sql`(${arrayOf(distinctOf(name), type)})[${column}]` : column
    return elementOf(type) === type ? sql`${value} as ${column}` : sql`${value}::${sql.raw(type)} as ${column}`
  })
  return sql`(select n, ${sql.join(selected, sql`, `)}
    from unnest(${sql.join(arrays, sql`, `)}) with ordinality as u(${sql.raw(names.join(', '))}, n)) as i`
}

/** Returns values in the text form of an array. */
function arrayText(values: readonly unknown[], type: ValueType): string {
  const textOf = TEXTS[type]
  let text = ''
  for (const value of values) {
    text += `${text === '' ? '{' : ','}${value === null || value === undefined ? 'null' : textOf(value)}`
  }
  return `${text || '{'}}`
}

const TEXTS: Record<ValueType, (value: unknown) => string> = {
  uuid: String,
  int: String,
  bigint: String,
  numeric: String,
  boolean: String,
  timestamptz: (value) => (value instanceof Date ? value.toISOString() : String(value)),
  text: (value) => quoted(value as string),
  jsonb: (value) => quoted(JSON.stringify(value)),
  'int[]': (value) => `"{${(value as number[]).join(',')}}"`,
}

const SPECIAL = /["\\]/

function quoted(text: string): string {
  return SPECIAL.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`
}

/**
 * Returns a statement about services. It finds them by two arrays instead of a join with their keys, like `matchesRows`:
 * the planner reads the whole table for a join with rows that it has to lock.
 */
export function servicesStatement<R>(
  build: (organizationIds: SQL, ids: SQL) => SQL,
): (tx: Tx, services: readonly RowKey<string>[]) => Promise<R[]> {
  return async (tx, services) => {
    const organizationIds = [...new Set(services.map((service) => service.organizationId))]
    const found = await tx.execute(build(uuids(organizationIds), uuids(services.map((service) => service.id))))
    return found as unknown as R[]
  }
}
