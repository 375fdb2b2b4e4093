import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { clientOf, type Queryable } from './client.ts'
import type { RunOptions } from './connections/connection.ts'
import { Client } from './connections/session.ts'
import type { Condition } from './statement.ts'

/** A table, and the condition that one of its rows must meet. */
export type Check = { table: string; condition: Condition }

/** Sends each statement as a part of the check: its rows are read and returned only if the check finds its row. */
class CheckedClient extends Client {
  /** What the check of the statements so far found; null before the first. */
  found: boolean | null = null
  readonly #client: Client
  readonly #check: Check

  constructor(client: Client, check: Check) {
    super(client.options, client.isPrepared)
    this.#client = client
    this.#check = check
  }

  override async run(text: string, values: unknown[], options: RunOptions): Promise<unknown> {
    const { table, condition } = this.#check
    // Drizzle ends a count with a semicolon.
    const part = text.replace(/;$/, '')
    const where = condition.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + values.length}`)
    const rows = (await this.#client.run(
      `select part.* from ${table} left join (select of_part.*, true as is_row from (${part}) of_part) part on true
       where ${where}`,
      [...values, ...condition.values],
      options,
    )) as unknown[]
    this.found = this.found !== false && rows.length > 0
    if (rows.length === 0) throw new Error(`the check found no row of ${table}`)
    return options.isRows ? rowsOf(rows as unknown[][]) : objectsOf(rows as Record<string, unknown>[])
  }
}

/** The last column is null in the row of a check whose part has no rows. Drizzle ignores columns that it did not select. */
function rowsOf(rows: unknown[][]): unknown[][] {
  return rows[0]?.at(-1) === null ? [] : rows
}

function objectsOf(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  return rows[0]?.is_row === null ? [] : rows.map(({ is_row: _, ...row }) => row)
}

/**
 * Returns what `read` reads from the database it gets. Each statement is checked by itself, in the same snapshot as its
 * rows. Throws what `refuse` returns when the check finds no row, also if `read` sends no statement.
 */
export async function withCheck<T>(
  db: Queryable,
  check: Check,
  refuse: () => Error,
  read: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = new CheckedClient(clientOf(db), check)
  try {
    const result = await read(drizzle(client as unknown as postgres.Sql) as unknown as Queryable)
    if (client.found === null) await client.run('select', [], {})
    return result
  } catch (error) {
    // Drizzle wraps the errors of its queries.
    throw client.found === false ? refuse() : error
  }
}
