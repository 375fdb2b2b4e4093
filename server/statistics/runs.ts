import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { runDays, runHours } from '#db/schema/results.ts'
import type { HourlyBucket, StatisticsBucket } from '../schemas/statistics.ts'
import { readHourlyRows } from './hourly-rows.ts'
import { collectParts } from './parts.ts'
import { NO_POINT, type PartRow, type Points, toPartRows } from './points.ts'
import {
  daySketch,
  hourSketch,
  latenciesOf,
  parseNumbers,
  ROLLUPS,
  type ServiceRef,
  type SketchColumns,
  selectRollups,
} from './rollups.ts'
import { type Buckets, bucketNumber, lastBuckets } from './windows.ts'

/** Returns the buckets of a service over all agents, and those of each agent that ran it, ordered by slug. */
export async function readRunBuckets(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ overall: StatisticsBucket[]; regions: { agentSlug: string; buckets: StatisticsBucket[] }[] }> {
  const stored =
    buckets.type === 'hour'
      ? await readHourlyRows(db, service, buckets, 'runs')
      : { rows: await readDailyRows(db, service, buckets), days: [] }
  const { list, points } = await collectParts(buckets, stored)
  const starts = buckets.starts.map((start) => start.toISOString())
  const agents = list.toSorted((a, b) => (a.name[0] < b.name[0] ? -1 : 1))
  const overall = toBuckets(await points(), starts)
  const regions = agents.map(async ({ name: [agentSlug], points: own }) => {
    // Most services have one agent, whose buckets are the overall ones.
    return { agentSlug, buckets: list.length === 1 ? overall : toBuckets(await own(), starts) }
  })
  return { overall, regions: await Promise.all(regions) }
}

/** A row as the driver reads it. Drizzle takes longer to map the rows of 90 days than the database takes to read them. */
type DailyRow = { hour: string; agent_slug: string; runs: number; failed: number } & SketchColumns

async function readDailyRows(db: Queryable, service: ServiceRef, buckets: Buckets): Promise<PartRow[]> {
  const { type, since } = buckets
  const rows = await db.execute<DailyRow>(
    selectRollups(
      db,
      ROLLUPS.runs,
      service,
      { type, since, sums: true },
      {
        hours: { hour: runHours.hour, ...counters(runHours), ...hourSketch(runHours) },
        days: { hour: runDays.day, ...counters(runDays), ...daySketch(runDays) },
      },
    ),
  )
  return toPartRows(rows, (row) => ({
    bucket: bucketNumber(new Date(row.hour), buckets),
    name: [row.agent_slug],
    count: row.runs,
    failed: row.failed,
    latencies: latenciesOf(row),
  }))
}

function counters(table: typeof runHours | typeof runDays) {
  return {
    agentSlug: table.agentSlug,
    runs: table.runs,
    failed: sql<number>`${table.failure} + ${table.timeout}`.as('failed'),
  }
}

function toBuckets(points: Points, starts: string[]): StatisticsBucket[] {
  return starts.map((bucketStart, i) => {
    const { count, failed, p50Ms, p95Ms, p99Ms } = points[i] ?? NO_POINT
    return {
      bucketStart,
      ...{ p50Ms, p95Ms, p99Ms },
      uptimePct: percentage(count - failed, count),
      errorRatePct: percentage(failed, count),
      probeCount: count,
    }
  })
}

/** What a history sums, by column. */
const HISTORY_SUMS = {
  total: 'runs',
  success: 'success',
  failure: 'failure',
  timeout: 'timeout',
  sumMs: 'sum_ms',
  callCount: 'call_count',
} as const
type HistorySum = keyof typeof HISTORY_SUMS
const SUM_NAMES = Object.keys(HISTORY_SUMS) as HistorySum[]

/**
 * The hours with runs, in any order, as lists of numbers: the driver takes longer for 168 rows of seven columns than the
 * database. `buckets` are the numbers of the hours from the first one on. Null without any.
 */
type StoredHistory = Record<HistorySum | 'buckets', string | null>

/**
 * Returns the sums of the last hours, one bucket per hour, oldest first, over the services that `where` selects: a
 * condition on `services` and `projects`.
 */
export async function readHistory(
  db: Queryable,
  where: SQL | undefined,
  hours: number,
  now: Date,
): Promise<HourlyBucket[]> {
  const { since, starts } = lastBuckets('hour', hours, now)
  const [stored] = await db.execute<StoredHistory>(selectHistory(where, sql`${since.toISOString()}::timestamptz`))
  return presentHistory(stored as StoredHistory, starts)
}

function selectHistory(where: SQL | undefined, since: SQL): SQL {
  const sums = SUM_NAMES.map((name) => sql`sum(h.${sql.identifier(HISTORY_SUMS[name])}) as ${sql.identifier(name)}`)
  const lists = SUM_NAMES.map((name) => sql`${listOf(name)} as ${sql.identifier(name)}`)
  return sql`
    select ${listOf('bucket')} as buckets, ${sql.join(lists, sql`, `)}
    from (
      select (extract(epoch from h.hour - ${since}) / 3600)::int as bucket, ${sql.join(sums, sql`, `)}
      from services
        join projects on (projects.organization_id, projects.id) = (services.organization_id, services.project_id)
        join run_hours h on h.organization_id = services.organization_id and h.service_id = services.id
          and h.hour >= ${since}
      where ${where} group by h.hour) of_hour`
}

function listOf(column: string): SQL {
  return sql`string_agg(of_hour.${sql.identifier(column)}::text, ',')`
}

/** `starts` are the hours of the window. */
function presentHistory(stored: StoredHistory, starts: Date[]): HourlyBucket[] {
  const buckets = starts.map((start) => ({
    hour: start.toISOString(),
    ...{ total: 0, success: 0, failure: 0, timeout: 0, sumMs: 0, callCount: 0 },
  }))
  const numbers = parseNumbers(stored.buckets) ?? []
  for (const name of SUM_NAMES) {
    const sums = parseNumbers(stored[name]) ?? []
    for (const [i, number] of numbers.entries()) {
      const bucket = buckets[number]
      if (bucket) bucket[name] = sums[i] ?? 0
    }
  }
  return buckets
}

/** Sums a column in SQL. The result is a double, because the driver returns `bigint` sums as strings. */
export function sqlSum(column: AnyPgColumn): SQL<number> {
  return sql<number>`sum(${column})::float8`
}

/** Returns percent with two decimals, null when `whole` is 0. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}
