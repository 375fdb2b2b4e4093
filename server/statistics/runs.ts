import { and, asc, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { runDays, runHours } from '#db/schema/results.ts'
import type { HourlyBucket, StatisticsBucket } from '../schemas/statistics.ts'
import { readHourlyRows } from './hourly-rows.ts'
import { collectParts } from './parts.ts'
import { NO_POINT, type PartRow, type Points } from './points.ts'
import { daySketch, hourSketch, latenciesOf, ROLLUPS, type ServiceRef, selectRollups } from './rollups.ts'
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

async function readDailyRows(db: Queryable, service: ServiceRef, buckets: Buckets): Promise<PartRow[]> {
  const { type, since } = buckets
  const rows = await selectRollups(
    db,
    ROLLUPS.runs,
    service,
    { type, since, sums: true },
    {
      hours: { start: runHours.hour, ...counters(runHours), ...hourSketch(runHours) },
      days: { start: runDays.day, ...counters(runDays), ...daySketch(runDays) },
    },
  )
  return rows.map((row) => ({
    bucket: bucketNumber(row.start, buckets),
    name: [row.agentSlug],
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

/** Returns percent with two decimals, null when `whole` is 0. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}
