import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { assertionDays, assertionHours, endpointDays, endpointHours, runDays, runHours } from '#db/schema/results.ts'
import { addCounts } from '../../statistics/endpoints.ts'
import { mergeSketches, type Sketch } from '../../statistics/sketch.ts'

// Rows of the roll-ups as the database has them: the fields have the names of the columns. `bucket` is the hour or the day.

type Bucket = { organization_id: string; service_id: string; bucket: string }

const RUN_SUMS = ['runs', 'success', 'failure', 'timeout', 'skipped', 'sum_ms', 'call_count'] as const
const PHASE_SUMS = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms', 'response_ms', 'size_bytes'] as const
const ENDPOINT_SUMS = ['calls', 'failed_calls', 'timed', ...PHASE_SUMS] as const
const ASSERTION_SUMS = ['evaluations', 'failures'] as const

type Sums<K extends string> = Record<K, number>

/** `runs` are performed runs. Skipped runs are counted in `skipped` only. */
export type RunRow = Bucket & Sketch & Sums<(typeof RUN_SUMS)[number]> & { agent_slug: string }
export type EndpointRow = Bucket &
  Sketch &
  Sums<(typeof ENDPOINT_SUMS)[number]> & {
    endpoint_key: string
    method: string
    template: string
    status_counts: Record<string, number>
  }
export type AssertionRow = Bucket &
  Sums<(typeof ASSERTION_SUMS)[number]> & {
    assertion_key: string
    definition: Record<string, unknown>
    last_failed_at: string | null
  }

export type RowOf = { run: RunRow; endpoint: EndpointRow; assertion: AssertionRow }
export type Kind = keyof RowOf

const KINDS = {
  run: { hour: runHours, day: runDays, name: 'agent_slug', sums: RUN_SUMS },
  endpoint: { hour: endpointHours, day: endpointDays, name: 'endpoint_key', sums: ENDPOINT_SUMS },
  assertion: { hour: assertionHours, day: assertionDays, name: 'assertion_key', sums: ASSERTION_SUMS },
} as const

/** Groups rows of the same bucket and the same agent, endpoint or assertion. */
export function groupRows<K extends Kind>(kind: K, rows: readonly RowOf[K][]): [RowOf[K], ...RowOf[K][]][] {
  const { name } = KINDS[kind]
  const keyOf = (row: RowOf[K]) => `${row.service_id} ${Date.parse(row.bucket)} ${row[name as keyof RowOf[K]]}`
  return [...Map.groupBy(rows, keyOf).values()] as [RowOf[K], ...RowOf[K][]][]
}

/** Adds up rows of one group. What is no sum is that of the first row. */
export function addUp<K extends Kind>(kind: K, rows: readonly [RowOf[K], ...RowOf[K][]]): RowOf[K] {
  const sum: Record<string, unknown> = { ...rows[0] }
  const all = rows as readonly Record<string, unknown>[]
  for (const name of KINDS[kind].sums) sum[name] = all.reduce((total, row) => total + (row[name] as number), 0)
  if (kind === 'assertion') sum.last_failed_at = latest(rows as readonly AssertionRow[])
  else Object.assign(sum, mergeSketches(rows as readonly Sketch[]))
  if (kind === 'endpoint')
    sum.status_counts = addCounts((rows as readonly EndpointRow[]).map((row) => row.status_counts))
  return sum as RowOf[K]
}

function latest(rows: readonly AssertionRow[]): string | null {
  const times = rows.flatMap((row) => (row.last_failed_at === null ? [] : Date.parse(row.last_failed_at)))
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString()
}

/** Reads the hours that have the keys of these rows. */
export async function readSameHours<K extends Kind>(tx: Tx, kind: K, rows: readonly RowOf[K][]): Promise<RowOf[K][]> {
  const { name } = KINDS[kind]
  const keys = rows.map((row) => {
    const { organization_id, service_id, bucket, [name as keyof RowOf[K]]: key } = row
    return { organization_id, service_id, bucket, key }
  })
  const isSame = sql`h.hour = i.bucket and h.${sql.identifier(name)} = i.key`
  return selectHours(
    tx,
    kind,
    records(keys, 'organization_id uuid, service_id uuid, bucket timestamptz, key text'),
    isSame,
  )
}

/** A day of a service, by its start. */
export type ServiceDay = { service_id: string; organization_id: string; day: string }

export function readHoursOfDays<K extends Kind>(tx: Tx, kind: K, days: readonly ServiceDay[]): Promise<RowOf[K][]> {
  return selectHours(
    tx,
    kind,
    records(days, 'organization_id uuid, service_id uuid, day timestamptz'),
    sql`h.hour >= i.day and h.hour < i.day + interval '24 hours'`,
  )
}

/**
 * As JSON: the driver takes long to parse arrays, and returns bigints as strings. `offset 0` makes the database look each
 * key up by the index, not read a table of which it knows too little.
 */
async function selectHours<K extends Kind>(tx: Tx, kind: K, keys: SQL, isMeant: SQL): Promise<RowOf[K][]> {
  const rows = await tx.execute<{ bucket: string; row: RowOf[K] }>(sql`
    select h.hour as bucket, to_json(h) as row from ${keys} cross join lateral (
      select * from ${KINDS[kind].hour} h
      where h.organization_id = i.organization_id and h.service_id = i.service_id and ${isMeant} offset 0) h`)
  return rows.map(({ bucket, row }) => ({ ...row, bucket }))
}

/** Adds to the hours of assertions. They have no sketch, so the database adds them up and nothing is read. */
export async function addAssertions(tx: Tx, rows: readonly AssertionRow[]): Promise<void> {
  const stored = JSON.stringify(rows.map(({ bucket, ...row }) => ({ ...row, hour: bucket })))
  await tx.execute(sql`
    insert into assertion_hours as r select * from json_populate_recordset(null::assertion_hours, ${stored}::json)
    order by organization_id, service_id, hour, assertion_key
    on conflict (organization_id, service_id, hour, assertion_key) do update set
      evaluations = r.evaluations + excluded.evaluations, failures = r.failures + excluded.failures,
      last_failed_at = greatest(r.last_failed_at, excluded.last_failed_at)`)
}

/**
 * Writes whole rows, in place of those with the same keys, in the order of the keys: two writers of the same rows wait for
 * each other instead of deadlocking. `rows` have all columns.
 */
export async function putRows<K extends Kind>(
  tx: Tx,
  kind: K,
  by: 'hour' | 'day',
  rows: readonly RowOf[K][],
): Promise<void> {
  if (rows.length === 0) return
  const { [by]: table, name } = KINDS[kind]
  const keys = ['organization_id', 'service_id', by, name]
  const names = Object.values(getTableColumns(table)).map((column) => column.name)
  const key = sql.raw(keys.join(', '))
  const changed = names.filter((column) => !keys.includes(column)).map((column) => `${column} = excluded.${column}`)
  const stored = JSON.stringify(rows.map(({ bucket, ...row }) => ({ ...row, [by]: bucket })))
  await tx.execute(sql`
    insert into ${table} select * from json_populate_recordset(null::${sql.identifier(getTableName(table))}, ${stored}::json)
    order by ${key} on conflict (${key}) do update set ${sql.raw(changed.join(', '))}`)
}

export function records(rows: readonly unknown[], fields: string): SQL {
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as i(${sql.raw(fields)})`
}
