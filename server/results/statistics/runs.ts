import type { Queryable } from '#db/client.ts'
import { and, gte, type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { runHours } from '#db/schema/results.ts'
import type { HourlyBucket, StatisticsBucket } from '../../schemas/statistics.ts'
import { type Entry, pointsOf, readParts } from './points.ts'
import { type ServiceRef, sqlSum } from './rollups.ts'
import { type Buckets, lastBuckets } from './windows.ts'

/** Returns the buckets of a service over all agents, and those of each agent that ran it, ordered by slug: the API calls these `regions`. */
export async function readRunBuckets(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ overall: StatisticsBucket[]; regions: { agentSlug: string; buckets: StatisticsBucket[] }[] }> {
  const agents = await readParts(db, 'runs', service, buckets, (table) => ({
    part: sql<string>`${table.agentSlug}`,
    count: table.runs,
    failed: sql`${table.failure} + ${table.timeout}`,
  }))
  const overall = await toBuckets(
    agents.flatMap(({ entries }) => entries),
    buckets,
  )
  const regions = agents
    .toSorted((a, b) => (a.part < b.part ? -1 : 1))
    .map(async ({ part, entries }) => {
      // Most services have one agent, whose buckets are the overall ones.
      return { agentSlug: part, buckets: agents.length === 1 ? overall : await toBuckets(entries, buckets) }
    })
  return { overall, regions: await Promise.all(regions) }
}

async function toBuckets(entries: Entry[], { starts }: Buckets): Promise<StatisticsBucket[]> {
  const points = await pointsOf(entries, starts)
  return points.map(({ count, failed, ...point }) => ({
    ...point,
    uptimePct: percentage(count - failed, count),
    errorRatePct: percentage(failed, count),
    probeCount: count,
  }))
}

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
  const stored = await db
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
    .innerJoin(projects, matchesRow(services.projectId, projects))
    .innerJoin(runHours, matchesRow(runHours.serviceId, services))
    .where(and(where, gte(runHours.hour, since)))
    .groupBy(runHours.hour)
  const found = new Map(stored.map(({ hour, ...sums }) => [hour.getTime(), sums]))
  const none = { total: 0, success: 0, failure: 0, timeout: 0, sumMs: 0, callCount: 0 }
  return starts.map((start) => ({ hour: start.toISOString(), ...(found.get(start.getTime()) ?? none) }))
}

/** Returns percent with two decimals, null when `whole` is 0. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}
