import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import type { ServiceMetrics } from '../../schemas/metrics.ts'
import { asJson } from './rollups.ts'
import { latencyPercentiles, mergeSketches, type Percentiles, type Sketch } from './sketch.ts'
import { lastBuckets } from './windows.ts'

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
 * `services` and `projects`. A project or workspace without a selected service is left out.
 */
export async function readSummedMetrics(
  db: Queryable,
  by: MetricsBy,
  where: SQL | undefined,
  now: Date,
): Promise<Map<string, SummedMetrics>> {
  const rows = await db.execute<ServiceRow & { key: string }>(sql`
    select ${KEYS[by]} as key, ${totalsColumns}, h.sketches
    from ${services} join ${projects} on ${matchesRow(services.projectId, projects)} ${stateJoin}
      left join ${recentSketches(now)} on st.last_run_at is not null
    where ${where}`)
  return new Map([...Map.groupBy(rows, ({ key }) => key)].map(([key, own]) => [key, sumMetrics(own)]))
}

/** Returns percentiles over the current hour and the 23 before it, by service. */
export async function readPercentiles(
  db: Queryable,
  where: SQL | undefined,
  now: Date,
): Promise<Map<string, Percentiles>> {
  const rows = await db.execute<{ id: string; sketches: Sketch[] | null }>(sql`
    select services.id, h.sketches from services left join ${recentSketches(now)} on true where ${where}`)
  return new Map(rows.map(({ id, sketches }) => [id, latencyPercentiles(sketches ?? [])]))
}

/**
 * The sketches of a service in the current hour and the 23 before it, for a query on `services`. Lateral: otherwise the
 * planner estimates a third of all hours as recent and reads the hours of every service.
 */
function recentSketches(now: Date): SQL {
  return sql`lateral (
    select json_agg(${asJson<Sketch>({ ms: sql`ms`, bins: sql`bins` })}) as sketches from run_hours
    where organization_id = services.organization_id and service_id = services.id
      and hour >= ${lastBuckets('hour', 24, now).since.toISOString()}::timestamptz) h`
}

type ServiceRow = MetricTotals & { sketches: Sketch[] | null }

/** The columns of `MetricTotals`, of a query with `service_states st`. */
export const totalsColumns = sql`
  coalesce(st.probes_total, 0)::float8 as "probesTotal", coalesce(st.probes_success, 0)::float8 as "probesSuccess",
  coalesce(st.probes_failure, 0)::float8 as "probesFailure", coalesce(st.probes_timeout, 0)::float8 as "probesTimeout",
  st.last_status as "lastStatus", st.last_consecutive as "lastConsecutive", st.last_response_ms as "lastResponseMs",
  floor(date_part('epoch', st.last_run_at)) as "lastRunAt"`

/** The join of `totalsColumns`, for a query on `services`. */
export const stateJoin = sql`
  left join service_states st on st.organization_id = services.organization_id and st.service_id = services.id`

/** Sums the metrics of services. The state is that of the service that ran last. */
function sumMetrics(rows: readonly ServiceRow[]): SummedMetrics {
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
  // Merged per service first, so that few exact values are sorted together. Those of a busy service lose up to 1 %.
  const sketches = others.length === 0 ? (first.sketches ?? []) : rows.map((row) => mergeSketches(row.sketches ?? []))
  return { metrics: presentMetrics(totals, latencyPercentiles(sketches)), serviceCount: rows.length }
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
export function presentMetrics(totals: MetricTotals, percentiles?: Percentiles | null): ServiceMetrics | null {
  const { probesTotal, probesSuccess, probesFailure, probesTimeout } = totals
  if (totals.lastRunAt === null) return null
  return {
    counters: { probesTotal, probesSuccess, probesFailure, probesTimeout },
    state: {
      lastStatus: totals.lastStatus,
      lastConsecutive: totals.lastConsecutive ?? 0,
      lastResponseMs: totals.lastResponseMs,
      lastRunAt: totals.lastRunAt,
    },
    percentiles: {
      p50: percentiles?.p50Ms ?? null,
      p95: percentiles?.p95Ms ?? null,
      p99: percentiles?.p99Ms ?? null,
    },
  }
}
