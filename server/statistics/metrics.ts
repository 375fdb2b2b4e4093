import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import type { ServiceMetrics } from '../schemas/metrics.ts'
import { percentilesOf } from './percentiles.ts'
import { arrayAsText, parseArrays } from './rollups.ts'
import type { Sketch } from './sketch.ts'
import { recentHours } from './windows.ts'

export type MetricsBy = 'service' | 'project' | 'workspace'

const KEYS: Record<MetricsBy, SQL> = {
  service: sql`${services.id}`,
  project: sql`${services.projectId}`,
  workspace: sql`${projects.workspaceId}`,
}

export type SummedMetrics = {
  /** Null until one of the services has run. */
  metrics: ServiceMetrics | null
  serviceCount: number
}

/**
 * Returns the metrics of the services that `where` selects, summed per project or workspace. `where` is a condition on
 * `services`, with `workspace` also on `projects`. A project or workspace without a selected service is left out.
 */
export async function readSummedMetrics(
  db: Queryable,
  by: 'project' | 'workspace',
  where: SQL | undefined,
  now: Date,
): Promise<Map<string, SummedMetrics>> {
  const [totals, percentiles] = await Promise.all([readTotals(db, by, where), readPercentiles(db, by, where, now)])
  return new Map(
    totals.map((row) => [
      row.key,
      { metrics: presentMetrics(row, percentiles.get(row.key)), serviceCount: row.serviceCount },
    ]),
  )
}

export type MetricTotals = {
  probesTotal: number
  probesSuccess: number
  probesFailure: number
  probesTimeout: number
  lastStatus: string | null
  lastConsecutive: number | null
  lastResponseMs: number | null
  lastRunAt: Date | null
}

/** Returns the wire shape, or null before the first run. For one service, `totals` is its row of `service_states`. */
export function presentMetrics(totals: MetricTotals, percentiles: Percentiles | undefined): ServiceMetrics | null {
  if (totals.lastRunAt === null) return null
  return {
    counters: {
      probesTotal: totals.probesTotal,
      probesSuccess: totals.probesSuccess,
      probesFailure: totals.probesFailure,
      probesTimeout: totals.probesTimeout,
    },
    state: {
      lastStatus: totals.lastStatus,
      lastConsecutive: totals.lastConsecutive ?? 0,
      lastResponseMs: totals.lastResponseMs,
      lastRunAt: Math.floor(totals.lastRunAt.getTime() / 1_000),
    },
    percentiles: percentiles ?? { p50: null, p95: null, p99: null },
  }
}

async function readTotals(
  db: Queryable,
  by: 'project' | 'workspace',
  where: SQL | undefined,
): Promise<(MetricTotals & { key: string; serviceCount: number })[]> {
  const latest = (column: SQL) => sql`(array_agg(${column} order by st.last_run_at desc nulls last))[1]`
  const rows = await db.execute<TotalsRow>(sql`
    select ${KEYS[by]} as key, count(*)::int as "serviceCount",
      coalesce(sum(st.probes_total), 0)::float8 as "probesTotal",
      coalesce(sum(st.probes_success), 0)::float8 as "probesSuccess",
      coalesce(sum(st.probes_failure), 0)::float8 as "probesFailure",
      coalesce(sum(st.probes_timeout), 0)::float8 as "probesTimeout",
      ${latest(sql`st.last_status`)} as "lastStatus", ${latest(sql`st.last_consecutive`)} as "lastConsecutive",
      ${latest(sql`st.last_response_ms`)} as "lastResponseMs", max(st.last_run_at) as "lastRunAt"
    from ${services} ${join(by)} left join service_states st on (st.organization_id, st.service_id) = (${services.organizationId}, ${services.id})
    where ${where} group by 1`)
  return rows.map((row) => ({ ...row, lastRunAt: row.lastRunAt === null ? null : new Date(row.lastRunAt) }))
}

type TotalsRow = Omit<MetricTotals, 'lastRunAt'> & { key: string; serviceCount: number; lastRunAt: string | null }

export type Percentiles = { p50: number; p95: number; p99: number }

/**
 * Returns nearest-rank percentiles over the last 24 hours by service, project or workspace. They are read from the sum
 * of the completed hours (`recent_latencies`) and the current hour, or from all hours while there is no such sum. The
 * database returns arrays as text: sorting the runs of a busy project in SQL took four times as long. One row per
 * service keeps each row small.
 */
export async function readPercentiles(
  db: Queryable,
  by: MetricsBy,
  where: SQL | undefined,
  now: Date,
): Promise<Map<string, Percentiles>> {
  const { from, current } = recentHours(now)
  const joined = (column: SQL) => sql`string_agg(${arrayAsText(column)}, ',' order by h.hour, h.agent_slug)`
  // Lateral: otherwise the planner estimates a third of all hours as recent and reads the hours of every service.
  const rows = await db.execute<LatenciesRow>(sql`
    select ${KEYS[by]} as key, r.sketch as completed, h.ms, h.bins, h.counts
    from ${services} ${join(by)}
    left join recent_latencies r on (r.organization_id, r.service_id) = (${services.organizationId}, ${services.id}) and r.hour = ${current.toISOString()}::timestamptz
    cross join lateral (
      select ${joined(sql`h.ms`)} as ms, ${joined(sql`h.bins`)} as bins, ${joined(sql`h.counts`)} as counts
      from run_hours h where (h.organization_id, h.service_id) = (${services.organizationId}, ${services.id})
        and h.hour >= coalesce(r.hour, ${from.toISOString()}::timestamptz)) h
    where ${where}`)
  const found = new Map<string, Percentiles>()
  for (const [key, own] of Map.groupBy(rows, (row) => row.key)) {
    const percentiles = percentilesOf(
      own.flatMap((row) => [row.completed, parseArrays(row)]),
      [0.5, 0.95, 0.99],
    )
    if (percentiles !== null) found.set(key, { p50: percentiles[0], p95: percentiles[1], p99: percentiles[2] })
  }
  return found
}

/** One service: the sum of its completed hours, and the joined arrays of the other hours. */
type LatenciesRow = { key: string; completed: Buffer | null } & Record<keyof Sketch, string | null>

function join(by: MetricsBy): SQL {
  return by === 'workspace' ? sql`join ${projects} on ${matchesRow(services.projectId, projects)}` : sql``
}
