import { fillPlaceholders, Placeholder, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { clientOf, type Queryable } from './client.ts'
import { isPreparable } from './prepared.ts'

/** Sends a statement with the values of its placeholders, and returns its rows as the driver reads them. */
export type Statement<V extends Record<string, unknown>, R> = (db: Queryable, values: V) => Promise<R[]>

/** A condition as text, with the values of its parameters. */
export type Condition = { text: string; values: unknown[] }

type Compiled = { text: string; params: unknown[]; isPrepared: boolean }

const dialect = new PgDialect()

/**
 * Returns a statement whose text is built once, and which is prepared from its first use: building a text takes drizzle
 * longer than the database takes to find a row. `build` marks what differs from call to call by `sql.placeholder`.
 */
export function statement<V extends Record<string, unknown>, R>(build: () => SQL): Statement<V, R> {
  let compiled: Compiled | null = null
  return async (db, values) => {
    compiled ??= compile(build())
    const { text, params, isPrepared } = compiled
    const rows = await clientOf(db).unsafe<R[]>(text, fillPlaceholders(params, values), { prepare: isPrepared })
    return rows as unknown as R[]
  }
}

/** Returns a condition whose text is built once, see `statement`. */
export function condition<V extends Record<string, unknown>>(build: () => SQL): (values: V) => Condition {
  let compiled: Compiled | null = null
  return (values) => {
    compiled ??= compile(build())
    return { text: compiled.text, values: fillPlaceholders(compiled.params, values) }
  }
}

/** A placeholder that occurs several times is one parameter. */
function compile(query: SQL): Compiled {
  const { sql: text, params } = dialect.sqlToQuery(query)
  const kept: unknown[] = []
  const numbers = params.map((param) => {
    const known = kept.findIndex((other) => nameOf(param) !== null && nameOf(other) === nameOf(param))
    return known < 0 ? kept.push(param) : known + 1
  })
  const numbered = text.replace(/\$(\d+)/g, (_, number: string) => `$${numbers[Number(number) - 1]}`)
  return { text: numbered, params: kept, isPrepared: isPreparable(numbered) }
}

function nameOf(param: unknown): string | null {
  return param instanceof Placeholder ? param.name : null
}
