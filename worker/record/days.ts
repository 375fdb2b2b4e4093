import { type SQL, sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Db, Tx } from '#db/client.ts'
import { unpackSketch } from '#server/statistics/packed-sketch.ts'
import type { Sketch } from '#server/statistics/sketch.ts'
import { bucketStart } from '#server/statistics/windows.ts'
import type { Additions, EndpointAddition, RunAddition } from './additions.ts'
import {
  addAssertions,
  bigints,
  columns,
  ENDPOINT_COUNTERS,
  foldAssertions,
  KEY_FIELDS,
  packedSum,
  RUN_COUNTERS,
  records,
  sums,
} from './hours.ts'

// Days are added up when they are over. Written with each run they were two thirds of what a run cost: a day's row is
// long, and every change writes the whole of it to the log.

/** Services folded in one transaction, some 4,000 hourly rows of plain scripts: their writers wait for it. */
const SERVICES_MAX = 25
/** Hourly rows of theirs at most, but for a first service that has more alone. */
const ROWS_MAX = 20_000

/**
 * Folds the hours of days before `now`'s into their days. A service that a writer holds is left for the next time, and
 * so is one that cannot be folded: after a failure they are taken singly, so that none keeps the others.
 */
export async function foldDays(db: Db, now: Date): Promise<void> {
  const today = dayOf(now)
  const progress: FoldProgress = { limit: SERVICES_MAX, without: [], taken: [] }
  const failures: unknown[] = []
  do {
    progress.taken = []
    try {
      await db.transaction((tx) => foldSome(tx, today, progress))
    } catch (error) {
      // Nothing was begun: the database itself does not answer.
      if (progress.taken.length === 0) throw error
      if (progress.taken.length === 1) {
        progress.without.push(...progress.taken)
        failures.push(error)
      }
      progress.limit = 1
    }
  } while (progress.taken.length > 0)
  if (failures.length > 0) throw failures[0]
}

/** How many services may be folded at once, those that are not to be, and those that are. */
type FoldProgress = { limit: number; without: string[]; taken: string[] }

/** Folds one day of some services. Whoever holds a state may add to its days. */
async function foldSome(tx: Tx, today: string, progress: FoldProgress): Promise<void> {
  const services = await tx.execute<{ service_id: string; organization_id: string; folded_until: string }>(sql`
    select service_id, organization_id, folded_until from service_states
    where folded_until < ${today}::timestamptz and service_id <> all(${uuids(progress.without)})
    order by folded_until limit ${progress.limit} for update skip locked`)
  if (services.length === 0) return
  // The next day that has hours; without any there is nothing to fold until today.
  const days = await tx.execute<Day>(sql`
    with next as (
      select i.service_id, i.organization_id, date_trunc('day', (select min(h.hour) from run_hours h
        where h.organization_id = i.organization_id and h.service_id = i.service_id
          and h.hour >= i.folded_until and h.hour < ${today}::timestamptz), 'UTC') as day
      from ${records(services, 'service_id uuid, organization_id uuid, folded_until timestamptz')})
    select n.*, (${countHours('endpoint_hours')} + ${countHours('assertion_hours')})::float8 as rows from next n`)
  const taken = limitRows(days)
  progress.taken = taken.map((row) => row.service_id)
  const found = taken.filter((row) => row.day !== null)
  if (found.length > 0) {
    await addToDays(tx, await readHours(tx, found))
    await tx.execute(foldAssertions(found))
  }
  await tx.execute(sql`
    update service_states s set folded_until = coalesce(i.day + interval '24 hours', ${today}::timestamptz)
    from ${records(taken, 'service_id uuid, day timestamptz')} where s.service_id = i.service_id`)
}

type Day = { service_id: string; organization_id: string; day: string | null; rows: number }

/** Of the rows that grow with the script; those of runs are one an hour and agent. */
function countHours(table: string): SQL {
  return sql`(select count(*) from ${sql.raw(table)} h where h.organization_id = n.organization_id
    and h.service_id = n.service_id and h.hour >= n.day and h.hour < n.day + interval '24 hours')`
}

/** The first of them, one at least, as far as their rows are few enough to be held at once. */
function limitRows(days: Day[]): Day[] {
  let rows = 0
  return days.filter((day, i) => {
    rows += day.rows
    return i === 0 || rows <= ROWS_MAX
  })
}

async function readHours(tx: Tx, days: unknown[]): Promise<Additions> {
  const read = <T extends Record<string, unknown>>(table: string, fields: SQL) =>
    tx.execute<T>(sql`
      select h.organization_id, h.service_id, h.hour as bucket, ${fields}
      from ${records(days, 'organization_id uuid, service_id uuid, day timestamptz')}
      join ${sql.raw(table)} h on h.organization_id = i.organization_id and h.service_id = i.service_id
        and h.hour >= i.day and h.hour < i.day + interval '24 hours'`)
  const counters = (names: readonly string[]) => sql.raw(names.map((name) => `h.${name}::float8`).join(', '))
  return {
    runs: await read<RunAddition>('run_hours', sql`h.agent_slug, ${counters(RUN_COUNTERS)}, h.ms, h.bins, h.counts`),
    endpoints: await read<EndpointAddition>(
      'endpoint_hours',
      sql`h.endpoint_key, h.method, h.template, ${counters(ENDPOINT_COUNTERS)}, h.status_counts, h.ms, h.bins, h.counts`,
    ),
    // These are added up where they are: a script may have thousands of them, and another thousand after each change.
    assertions: [],
  }
}

/** Adds hours to the days they belong to. The caller holds the states of their services, and so their days. */
export async function addToDays(tx: Tx, { runs, endpoints, assertions }: Additions): Promise<void> {
  if (runs.length > 0) {
    const days = byDay(runs, 'agent_slug').map((own) => ({ ...sumOfDay(own, RUN_COUNTERS), ...countByHour(own) }))
    await tx.execute(addRunDays(await withPackedSketch(tx, 'run_days', 'agent_slug', days)))
  }
  if (endpoints.length > 0) {
    const days = byDay(endpoints, 'endpoint_key').map((own) => ({
      ...sumOfDay(own, ENDPOINT_COUNTERS),
      status_counts: addStatusCounts(own),
    }))
    await tx.execute(addEndpointDays(await withPackedSketch(tx, 'endpoint_days', 'endpoint_key', days)))
  }
  if (assertions.length > 0) {
    const days = byDay(assertions, 'assertion_key').map((own) => ({
      ...sumOfDay(own, ['evaluations', 'failures']),
      last_failed_at: latest(own.map((row) => row.last_failed_at)),
    }))
    await tx.execute(addAssertions('day', days))
  }
}

type Hour = { organization_id: string; service_id: string; bucket: string }
type Hours<T> = [T, ...T[]]

function byDay<T extends Hour>(rows: T[], name: keyof T): Hours<T>[] {
  return [...Map.groupBy(rows, (row) => `${row.service_id} ${dayOf(row.bucket)} ${row[name]}`).values()] as Hours<T>[]
}

/** The first hour's row with the day as its bucket, the sums of the counters, and all the hours' latencies. */
function sumOfDay<T extends Hour>(own: Hours<T>, counters: readonly (keyof T)[]): T & { hours: T[] } {
  const sums = counters.map((name) => [name, own.reduce((total, row) => total + (row[name] as number), 0)])
  return { ...own[0], ...Object.fromEntries(sums), bucket: dayOf(own[0].bucket), hours: own }
}

function countByHour(own: RunAddition[]) {
  const runs_by_hour = Array<number>(24).fill(0)
  const failed_by_hour = Array<number>(24).fill(0)
  for (const row of own) {
    const hour = new Date(row.bucket).getUTCHours()
    runs_by_hour[hour] = (runs_by_hour[hour] as number) + row.runs
    failed_by_hour[hour] = (failed_by_hour[hour] as number) + row.failure + row.timeout
  }
  return { runs_by_hour, failed_by_hour }
}

function addStatusCounts(own: EndpointAddition[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of own) {
    for (const [status, count] of Object.entries(row.status_counts)) counts[status] = (counts[status] ?? 0) + count
  }
  return counts
}

function latest(times: (string | null)[]): string | null {
  const known = times.filter((time) => time !== null).map((time) => Date.parse(time))
  return known.length === 0 ? null : new Date(Math.max(...known)).toISOString()
}

/** With the latencies of their hours and those the day has already, packed, as the database reads bytes. */
async function withPackedSketch<T extends Hour & { hours: Sketch[] }>(
  tx: Tx,
  table: 'run_days' | 'endpoint_days',
  name: 'agent_slug' | 'endpoint_key',
  days: T[],
): Promise<(Omit<T, 'hours'> & { sketch: string | null })[]> {
  const keyOf = (row: Hour) => `${row.service_id} ${dayOf(row.bucket)} ${row[name as never]}`
  const keys = days.map(({ organization_id, service_id, bucket, [name as never]: key }) => ({
    organization_id,
    service_id,
    bucket,
    key,
  }))
  const kept = await tx.execute<Hour & { sketch: Buffer | null }>(sql`
    select r.service_id, r.day as bucket, r.${sql.raw(name)}, r.sketch
    from ${records(keys, `${KEY_FIELDS}, key text`)} join ${sql.raw(table)} r on r.organization_id = i.organization_id
      and r.service_id = i.service_id and r.day = i.bucket and r.${sql.raw(name)} = i.key`)
  const sketchOf = new Map(kept.map((row) => [keyOf(row), unpackSketch(row.sketch)]))
  return days.map(({ hours, ...day }) => {
    const before = sketchOf.get(keyOf(day as unknown as Hour))
    return { ...day, sketch: packedSum(before ? [before, ...hours] : hours) }
  })
}

function dayOf(at: Date | string): string {
  return bucketStart(new Date(at), 'day').toISOString()
}

function addRunDays(rows: unknown[]): SQL {
  const fields = `${KEY_FIELDS}, agent_slug text, ${bigints(RUN_COUNTERS)}, sketch bytea, runs_by_hour int[], failed_by_hour int[]`
  return sql`
    insert into run_days as r (organization_id, service_id, day, agent_slug, ${columns(RUN_COUNTERS)}, sketch,
      runs_by_hour, failed_by_hour)
    select i.organization_id, i.service_id, i.bucket, i.agent_slug, ${columns(RUN_COUNTERS, 'i.')}, i.sketch,
      i.runs_by_hour, i.failed_by_hour
    from ${records(rows, fields)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, day, agent_slug) do update set ${sums(RUN_COUNTERS)},
      sketch = excluded.sketch,
      runs_by_hour = sum_each(r.runs_by_hour, excluded.runs_by_hour),
      failed_by_hour = sum_each(r.failed_by_hour, excluded.failed_by_hour)`
}

function addEndpointDays(rows: unknown[]): SQL {
  const fields = `${KEY_FIELDS}, endpoint_key text, method text, template text, ${bigints(ENDPOINT_COUNTERS)}, status_counts jsonb, sketch bytea`
  return sql`
    insert into endpoint_days as r (organization_id, service_id, day, endpoint_key, method, template,
      ${columns(ENDPOINT_COUNTERS)}, status_counts, sketch)
    select i.organization_id, i.service_id, i.bucket, i.endpoint_key, i.method, i.template,
      ${columns(ENDPOINT_COUNTERS, 'i.')}, i.status_counts, i.sketch
    from ${records(rows, fields)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, day, endpoint_key) do update set ${sums(ENDPOINT_COUNTERS)},
      status_counts = sum_counts(r.status_counts, excluded.status_counts), sketch = excluded.sketch`
}
