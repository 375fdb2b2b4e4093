import { and, asc, eq, gte, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, unionAll } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { projects, services } from '#db/schema/resources.ts'
import { runDays, runHours } from '#db/schema/results.ts'
import type { HourlyBucket, StatisticsBucket } from '../schemas/statistics.ts'
import { type Latencies, latencyPercentiles } from './percentiles.ts'
import { daySketch, hourSketch, latenciesOf, ofDays, ofHours } from './rollups.ts'
import { type Buckets, bucketStart, lastBuckets } from './windows.ts'

export type ServiceRef = { id: string; organizationId: string }

type RunRow = {
  start: Date
  latencies: Latencies
  agentSlug: string
  runs: number
  success: number
  failure: number
  timeout: number
}

/** The overall buckets of a service, and the same for each agent that ran it, by slug. */
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
      // The only agent's are what all of them are, and most services have one.
      .map(([agentSlug, own]) => ({ agentSlug, buckets: byAgent.size === 1 ? overall : toBuckets(own, buckets) })),
  }
}

async function readRunRows(db: Queryable, service: ServiceRef, buckets: Buckets): Promise<RunRow[]> {
  const counters = (table: typeof runHours | typeof runDays) => ({
    agentSlug: table.agentSlug,
    runs: table.runs,
    success: table.success,
    failure: table.failure,
    timeout: table.timeout,
  })
  const hours = db
    .select({ start: runHours.hour, ...counters(runHours), ...hourSketch(runHours) })
    .from(runHours)
    .where(ofHours(runHours, service, buckets))
  const days = db
    .select({ start: runDays.day, ...counters(runDays), ...daySketch(runDays) })
    .from(runDays)
    .where(ofDays(runDays, service, buckets))
  const rows = await (buckets.type === 'day' ? unionAll(hours, days) : hours)
  return rows.map((row) => ({ ...row, start: bucketStart(row.start, buckets.type), latencies: latenciesOf(row) }))
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

/** The latest `hours` hours of the services that `where` selects (a condition on `services` and `projects`), summed. */
export async function readHistory(db: Queryable, where: SQL, hours: number, now: Date): Promise<HourlyBucket[]> {
  const { starts, since } = lastBuckets('hour', hours, now)
  const rows = await db
    .select({
      hour: runHours.hour,
      total: sqlSum(runHours.runs),
      success: sqlSum(runHours.success),
      failure: sqlSum(runHours.failure),
      timeout: sqlSum(runHours.timeout),
      sumMs: sqlSum(runHours.sumMs),
      callCount: sqlSum(runHours.callCount),
    })
    .from(services)
    .innerJoin(projects, eq(projects.id, services.projectId))
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

/** The sum of a column over the rows of a group, as a number that JavaScript holds. */
export function sqlSum(column: AnyPgColumn): SQL<number> {
  return sql<number>`sum(${column})::float8`
}

export function sumBy<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}

/** Percent to a hundredth; null of nothing. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}
