import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { clientOf, type Queryable } from './client.ts'
import type { RunOptions } from './connections/connection.ts'
import { Client } from './session.ts'
import type { Condition } from './statement.ts'

/** A table, and the condition that one of its rows must meet. */
export type Check = { table: string; condition: Condition }

/** Sends each statement as a part of the check: its rows are read and returned only if the check finds its row. */
class CheckedClient extends Client {
  /** The result of the check so far; null before the first statement. */
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
      { ...options, shownAs: part },
    )) as unknown[]
    this.found = this.found !== false && rows.length > 0
    const [first] = rows
    if (first === undefined) throw new Error(`the check found no row of ${table}`)
    // The further column is null in the row of a check whose part has no rows.
    const isRow = Array.isArray(first) ? first.at(-1) : (first as { is_row: true | null }).is_row
    return isRow === null ? [] : rows
  }

  /** Checks without a part. */
  async check(): Promise<void> {
    await this.run('select', [], {})
  }
}

/**
 * Returns what `read` reads from the database it gets. Each statement is checked by itself, in the same snapshot as its
 * rows; these have a further column `is_row`, which drizzle ignores. Throws what `refuse` returns when a check finds no
 * row, before any other error.
 */
export async function withCheck<T>(
  db: Queryable,
  check: Check,
  refuse: () => Error,
  read: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = new CheckedClient(clientOf(db), check)
  const reading = read(drizzle(client as unknown as postgres.Sql) as unknown as Queryable)
  await Promise.allSettled([reading])
  // A read may have sent no statement.
  const [checking] = client.found === null ? await Promise.allSettled([client.check()]) : []
  if (client.found === false) throw refuse()
  if (checking?.status === 'rejected') throw checking.reason
  return await reading
}
