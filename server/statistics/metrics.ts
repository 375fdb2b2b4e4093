import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import type { ServiceMetrics } from '../schemas/metrics.ts'
import { sketchLists } from './rollups.ts'
import { mergeSketches, percentilesOf, type SketchLists, sketchesOf } from './sketch.ts'
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
 * Returns the metrics of the services that `where` selects, summed per service, project or workspace. `where` is a condition on
 * `services`, with `workspace` also on `projects`. A project or workspace without a selected service is left out.
 */
export async function readSummedMetrics(
  db: Queryable,
  by: MetricsBy,
  where: SQL | undefined,
  now: Date,
): Promise<Map<string, SummedMetrics>> {
  const join = by === 'workspace' ? sql`join ${projects} on ${matchesRow(services.projectId, projects)}` : sql``
  const rows = await db.execute<ServiceMetricsRow & { key: string }>(sql`
    select ${KEYS[by]} as key, ${metricsColumns} from ${services} ${join} ${metricsJoins(latencyBounds(now))}
    where ${where}`)
  return new Map([...Map.groupBy(rows, ({ key }) => key)].map(([key, own]) => [key, sumMetrics(own)]))
}

/** The latencies of one service. */
export type LatenciesRow = SketchLists

/** The columns of `LatenciesRow`, of a query on `services` with `latencyJoins`. */
export const latencyColumns = sql`h.ms, h.bins`

/**
 * Joins for a query on `services`, for those services that `where` selects. Lateral: otherwise the planner estimates a
 * third of all hours as recent and reads the hours of every service.
 */
function latencyJoins({ since }: LatencyBounds, where: SQL = sql`true`): SQL {
  const { ms, bins } = sketchLists({ ms: sql`h.ms`, bins: sql`h.bins` })
  return sql`
    left join lateral (
      select ${ms.sql} as ms, ${bins.sql} as bins
      from run_hours h where h.organization_id = services.organization_id and h.service_id = services.id
        and h.hour >= ${since}::timestamptz and ${where}) h on true`
}

/** The current hour, and the first of the hours that the percentiles cover. */
export type LatencyBounds = Record<'hour' | 'since', string>

export function latencyBounds(now: Date): LatencyBounds {
  const { from, current } = recentHours(now)
  return { hour: current.toISOString(), since: from.toISOString() }
}

/** One service with what sums of metrics need. */
export type ServiceMetricsRow = MetricTotals & LatenciesRow & { serviceId: string }

/** The columns of `MetricTotals`, of a query with `service_states st`. */
export const totalsColumns = sql`
  coalesce(st.probes_total, 0)::float8 as "probesTotal", coalesce(st.probes_success, 0)::float8 as "probesSuccess",
  coalesce(st.probes_failure, 0)::float8 as "probesFailure", coalesce(st.probes_timeout, 0)::float8 as "probesTimeout",
  st.last_status as "lastStatus", st.last_consecutive as "lastConsecutive", st.last_response_ms as "lastResponseMs",
  floor(date_part('epoch', st.last_run_at)) as "lastRunAt"`

/** The columns of `ServiceMetricsRow`, of a query on `services` with `metricsJoins`. */
export const metricsColumns = sql`services.id as "serviceId", ${totalsColumns}, ${latencyColumns}`

/** The join of `totalsColumns`, for a query on `services`. */
export const stateJoin = sql`
  left join service_states st on st.organization_id = services.organization_id and st.service_id = services.id`

/** Joins for a query on `services`. A service that has not run has no latencies, so none are looked for. */
export function metricsJoins(bounds: LatencyBounds): SQL {
  return sql`${stateJoin} ${latencyJoins(bounds, sql`st.last_run_at is not null`)}`
}

/** Sums the metrics of services. The state is that of the service that ran last. */
export function sumMetrics(rows: readonly ServiceMetricsRow[]): SummedMetrics {
  const [first, ...others] = rows
  if (!first) return { metrics: null, serviceCount: 0 }
  const totals = { ...first }
  for (const row of others) {
    if (row.lastRunAt !== null && row.lastRunAt > (totals.lastRunAt ?? 0)) {
      const { lastStatus, lastConsecutive, lastResponseMs, lastRunAt } = row
      Object.assign(totals, { lastStatus, lastConsecutive, lastResponseMs, lastRunAt })
    }
    totals.probesTotal += row.probesTotal
    totals.probesSuccess += row.probesSuccess
    totals.probesFailure += row.probesFailure
    totals.probesTimeout += row.probesTimeout
  }
  return { metrics: presentMetrics(totals, sumPercentiles(rows)), serviceCount: rows.length }
}

export type MetricTotals = {
  probesTotal: number
  probesSuccess: number
  probesFailure: number
  probesTimeout: number
  lastStatus: string | null
  lastConsecutive: number | null
  lastResponseMs: number | null
  /** Epoch seconds. */
  lastRunAt: number | null
}

/** Returns the wire shape, or null before the first run. */
export function presentMetrics(
  totals: MetricTotals,
  percentiles: Percentiles | null | undefined,
): ServiceMetrics | null {
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
      lastRunAt: totals.lastRunAt,
    },
    percentiles: percentiles ?? { p50: null, p95: null, p99: null },
  }
}

export type Percentiles = { p50: number; p95: number; p99: number }

/** Returns nearest-rank percentiles over the last 24 hours, by service. */
export async function readPercentiles(
  db: Queryable,
  where: SQL | undefined,
  now: Date,
): Promise<Map<string, Percentiles | null>> {
  const rows = await db.execute<LatenciesRow & { id: string }>(sql`
    select services.id, ${latencyColumns} from services ${latencyJoins(latencyBounds(now))} where ${where}`)
  return new Map(rows.map((row) => [row.id, sumPercentiles([row])]))
}

/** Returns the nearest-rank percentiles over the latencies of all services, null without any. */
export function sumPercentiles(rows: readonly LatenciesRow[]): Percentiles | null {
  // A service with more latencies than a sketch lists is binned before they are put in order.
  const sketches = rows.length === 1 ? rows.flatMap(sketchesOf) : rows.map((row) => mergeSketches(sketchesOf(row)))
  const percentiles = percentilesOf(sketches, [0.5, 0.95, 0.99])
  return percentiles && { p50: percentiles[0], p95: percentiles[1], p99: percentiles[2] }
}
