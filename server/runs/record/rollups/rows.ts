import type { Tx } from '#db/client.ts'
import { getTableColumns, getTableConfig, type PgColumn, type PgTable, type SQL, sql } from '#db/drizzle.cjs'
import { insertRows, setFrom } from '#db/rows.ts'
import { addCounts } from '../../../results/statistics/endpoints.ts'
import { asJson, ROLLUPS, type TimedKind } from '../../../results/statistics/rollups.ts'
import { mergeSketches } from '../../../results/statistics/sketch.ts'

// Runs and endpoints have sketches, which are merged here: their rows are read, added up and written. Assertions have none,
// and a script may have thousands of them: the database adds them up.

/** A row of an hourly table: of an agent or of an endpoint. Its column `runs` counts no skipped runs. */
export type HourRow = { [K in TimedKind]: (typeof ROLLUPS)[K]['hours']['$inferSelect'] }

/** Adds up rows of one agent or endpoint. What is no sum is that of the first row. */
export function addUp<R extends HourRow[TimedKind]>(rows: readonly R[]): R {
  const all = rows as readonly Record<string, unknown>[]
  const sum: Record<string, unknown> = { ...all[0] }
  for (const [name, value] of Object.entries(sum)) {
    if (typeof value === 'number') sum[name] = all.reduce((total, row) => total + (row[name] as number), 0)
  }
  if ('statusCounts' in sum) sum.statusCounts = addCounts(all.map((row) => row.statusCounts as CountsByStatus))
  return { ...sum, ...mergeSketches(rows) } as R
}

type CountsByStatus = HourRow['endpoints']['statusCounts']

/** As JSON: drizzle takes 200 ms to map the hours of a day of 1,000 endpoints, and the event loop waits. */
export async function readHours<K extends TimedKind>(tx: Tx, kind: K, where: SQL | undefined): Promise<HourRow[K][]> {
  const { hours } = ROLLUPS[kind]
  const row = asJson<HourRow[K]>(getTableColumns(hours) as Record<keyof HourRow[K], PgColumn>)
  const rows = await tx.execute<{ row: HourRow[K] }>(sql`select ${row} as row from ${hours} where ${where}`)
  return rows.map(({ row }) => ({ ...row, hour: new Date(row.hour) }))
}

/** Writes whole rows in place of those with the same keys. The caller holds the locks on the states of their services. */
export async function putRows<T extends PgTable>(tx: Tx, table: T, rows: readonly T['$inferInsert'][]): Promise<void> {
  const replace = sql`on conflict (${keyOf(table)}) do update set ${setFrom('excluded', getTableColumns(table))}`
  await insertRows(tx, table, rows, replace)
}

/** The columns of the primary key. */
export function keyOf(table: PgTable): SQL {
  const columns = getTableConfig(table).primaryKeys.flatMap((key) => key.columns)
  return sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )
}
