import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
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
  /** Null while none of the services has run. */
  metrics: ServiceMetrics | null
  serviceCount: number
}

/**
 * Metrics of the services that `where` selects (a condition on `services`, with `workspace` also on `projects`), summed
 * per project or workspace. What has no service among them is not in the answer.
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

/** The wire shape; null while nothing has run. A row of `service_states` is the totals of one service. */
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
    from ${services} ${join(by)} left join service_states st on st.service_id = ${services.id}
    where ${where} group by 1`)
  return rows.map((row) => ({ ...row, lastRunAt: row.lastRunAt === null ? null : new Date(row.lastRunAt) }))
}

type TotalsRow = Omit<MetricTotals, 'lastRunAt'> & { key: string; serviceCount: number; lastRunAt: string | null }

export type Percentiles = { p50: number; p95: number; p99: number }

/**
 * Nearest rank over the last 24 hours, from the sum of those that are over and the current one, or from all of them where
 * there is no such sum. The database hands arrays over as text and does not take them apart: to sort the runs of a busy
 * project itself took it four times as long. A row per service, so that none is large.
 */
export async function readPercentiles(
  db: Queryable,
  by: MetricsBy,
  where: SQL | undefined,
  now: Date,
): Promise<Map<string, Percentiles>> {
  const { from, current } = recentHours(now)
  const together = (column: SQL) => sql`string_agg(${arrayAsText(column)}, ',' order by h.hour, h.agent_slug)`
  // Lateral, or a planner who takes a third of all hours for recent reads those of every service.
  const rows = await db.execute<LatenciesRow>(sql`
    select ${KEYS[by]} as key, r.sketch as over, h.ms, h.bins, h.counts
    from ${services} ${join(by)}
    left join recent_latencies r on r.service_id = ${services.id} and r.hour = ${current.toISOString()}::timestamptz
    cross join lateral (
      select ${together(sql`h.ms`)} as ms, ${together(sql`h.bins`)} as bins, ${together(sql`h.counts`)} as counts
      from run_hours h where h.organization_id = ${services.organizationId} and h.service_id = ${services.id}
        and h.hour >= coalesce(r.hour, ${from.toISOString()}::timestamptz)) h
    where ${where}`)
  const found = new Map<string, Percentiles>()
  for (const [key, own] of Map.groupBy(rows, (row) => row.key)) {
    const percentiles = percentilesOf(
      own.flatMap((row) => [row.over, parseArrays(row)]),
      [0.5, 0.95, 0.99],
    )
    if (percentiles !== null) found.set(key, { p50: percentiles[0], p95: percentiles[1], p99: percentiles[2] })
  }
  return found
}

/** Of a service: the sum of the hours that are over, and the other hours' lists one behind the other. */
type LatenciesRow = { key: string; over: Buffer | null } & Record<keyof Sketch, string | null>

function join(by: MetricsBy): SQL {
  return by === 'workspace' ? sql`join ${projects} on ${projects.id} = ${services.projectId}` : sql``
}
