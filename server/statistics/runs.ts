import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import type { HourlyBucket, StatisticsBucket } from '../schemas/statistics.ts'
import { NO_POINT, type Points, pointsOf, readParts } from './parts.ts'
import type { ServiceRef } from './rollups.ts'
import { type Buckets, lastBuckets } from './windows.ts'

/** Returns the buckets of a service over all agents, and those of each agent that ran it, ordered by slug. */
export async function readRunBuckets(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ overall: StatisticsBucket[]; regions: { agentSlug: string; buckets: StatisticsBucket[] }[] }> {
  const { parts, rows } = await readParts(db, service, buckets, 'runs')
  const starts = buckets.starts.map((start) => start.toISOString())
  const agents = parts.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const overall = toBuckets(await pointsOf(rows, buckets), starts)
  const regions = agents.map(async ({ key: agentSlug, rows: own }) => {
    // Most services have one agent, whose buckets are the overall ones.
    return { agentSlug, buckets: parts.length === 1 ? overall : toBuckets(await pointsOf(own, buckets), starts) }
  })
  return { overall, regions: await Promise.all(regions) }
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

/** The hours with runs, in any order; null without any. `bucket` is the number of the hour from the first one on. */
type StoredHistory = { hours: (Omit<HourlyBucket, 'hour'> & { bucket: number })[] | null }

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
  const found = new Map(stored?.hours?.map(({ bucket, ...sums }) => [bucket, sums]))
  const none = { total: 0, success: 0, failure: 0, timeout: 0, sumMs: 0, callCount: 0 }
  return starts.map((start, i) => ({ hour: start.toISOString(), ...(found.get(i) ?? none) }))
}

function selectHistory(where: SQL | undefined, since: SQL): SQL {
  return sql`
    select json_agg(of_hour) as hours
    from (
      select (extract(epoch from h.hour - ${since}) / 3600)::int as bucket, sum(h.runs) as total, sum(h.success) as success,
        sum(h.failure) as failure, sum(h.timeout) as timeout, sum(h.sum_ms) as "sumMs", sum(h.call_count) as "callCount"
      from services
        join projects on (projects.organization_id, projects.id) = (services.organization_id, services.project_id)
        join run_hours h on h.organization_id = services.organization_id and h.service_id = services.id
          and h.hour >= ${since}
      where ${where} group by h.hour) of_hour`
}

/** Sums a column in SQL. The result is a double, because the driver returns `bigint` sums as strings. */
export function sqlSum(column: AnyPgColumn): SQL<number> {
  return sql<number>`sum(${column})::float8`
}

/** Returns percent with two decimals, null when `whole` is 0. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}
