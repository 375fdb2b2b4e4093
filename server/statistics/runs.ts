import { and, asc, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { runDays, runHours } from '#db/schema/results.ts'
import type { HourlyBucket, StatisticsBucket } from '../schemas/statistics.ts'
import { type Latencies, latencyPercentiles } from './percentiles.ts'
import { daySketch, hourSketch, latenciesOf, ROLLUPS, type ServiceRef, selectRollups } from './rollups.ts'
import { type Buckets, bucketStart, lastBuckets } from './windows.ts'

type RunRow = {
  start: Date
  latencies: Latencies
  agentSlug: string
  runs: number
  success: number
  failure: number
  timeout: number
}

/** Returns the buckets of a service over all agents, and those of each agent that ran it, ordered by slug. */
export async function readRunBuckets(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ overall: StatisticsBucket[]; regions: { agentSlug: string; buckets: StatisticsBucket[] }[] }> {
  const rows = await readRunRows(db, service, buckets)
  const byAgent = Map.groupBy(rows, (row) => row.agentSlug)
  const overall = toBuckets(rows, buckets)
  return {
    overall,
    regions: [...byAgent]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      // Most services have one agent, whose buckets are the overall ones.
      .map(([agentSlug, own]) => ({ agentSlug, buckets: byAgent.size === 1 ? overall : toBuckets(own, buckets) })),
  }
}

async function readRunRows(db: Queryable, service: ServiceRef, buckets: Buckets): Promise<RunRow[]> {
  const rows = await selectRollups(db, ROLLUPS.runs, service, buckets, {
    hours: { start: runHours.hour, ...counters(runHours), ...hourSketch(runHours) },
    days: { start: runDays.day, ...counters(runDays), ...daySketch(runDays) },
  })
  return rows.map((row) => ({ ...row, start: bucketStart(row.start, buckets.type), latencies: latenciesOf(row) }))
}

function counters(table: typeof runHours | typeof runDays) {
  return {
    agentSlug: table.agentSlug,
    runs: table.runs,
    success: table.success,
    failure: table.failure,
    timeout: table.timeout,
  }
}

function toBuckets(rows: RunRow[], buckets: Buckets): StatisticsBucket[] {
  const byStart = Map.groupBy(rows, (row) => row.start.getTime())
  return buckets.starts.map((start) => {
    const own = byStart.get(start.getTime()) ?? []
    const runs = sumBy(own, (row) => row.runs)
    return {
      bucketStart: start.toISOString(),
      ...latencyPercentiles(own.map((row) => row.latencies)),
      uptimePct: percentage(
        sumBy(own, (row) => row.success),
        runs,
      ),
      errorRatePct: percentage(
        sumBy(own, (row) => row.failure + row.timeout),
        runs,
      ),
      probeCount: runs,
    }
  })
}

/** Selects hourly sums over the services that `where` selects (a condition on `services` and `projects`). */
export function selectHistory(db: Queryable, where: SQL, hours: number, now: Date) {
  const { since } = lastBuckets('hour', hours, now)
  return db
    .select({
      hour: runHours.hour,
      total: sqlSum(runHours.runs).as('total'),
      success: sqlSum(runHours.success).as('success'),
      failure: sqlSum(runHours.failure).as('failure'),
      timeout: sqlSum(runHours.timeout).as('timeout'),
      sumMs: sqlSum(runHours.sumMs).as('sumMs'),
      callCount: sqlSum(runHours.callCount).as('callCount'),
    })
    .from(services)
    .innerJoin(projects, matchesRow(services.projectId, projects))
    .innerJoin(
      runHours,
      and(
        eq(runHours.organizationId, services.organizationId),
        eq(runHours.serviceId, services.id),
        gte(runHours.hour, since),
      ),
    )
    .where(where)
    .groupBy(runHours.hour)
    .orderBy(asc(runHours.hour))
}

type HourRow = Omit<HourlyBucket, 'hour'> & { hour: Date }

/** Returns one bucket per hour, oldest first. */
export function presentHistory(rows: HourRow[], hours: number, now: Date): HourlyBucket[] {
  const { starts } = lastBuckets('hour', hours, now)
  const byHour = new Map(rows.map((row) => [row.hour.getTime(), row]))
  return starts.map((start) => {
    const row = byHour.get(start.getTime())
    return {
      hour: start.toISOString(),
      total: row?.total ?? 0,
      success: row?.success ?? 0,
      failure: row?.failure ?? 0,
      timeout: row?.timeout ?? 0,
      sumMs: row?.sumMs ?? 0,
      callCount: row?.callCount ?? 0,
    }
  })
}

/** Sums a column in SQL. The result is a double, because the driver returns `bigint` sums as strings. */
export function sqlSum(column: AnyPgColumn): SQL<number> {
  return sql<number>`sum(${column})::float8`
}

export function sumBy<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}

/** Returns percent with two decimals, null when `whole` is 0. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}
