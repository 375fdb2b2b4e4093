import { type SQL, sql } from 'drizzle-orm'
import type { AssertionAddition, EndpointAddition, RunAddition } from './rollups.ts'

// Each adds its records to one table of roll-ups, in the order of the key: two writers that meet in several rows then
// meet in the same order, and wait for each other instead of locking each other out.

export function addRunHours(rows: RunAddition[]): SQL {
  return sql`
    insert into run_hours as r (organization_id, service_id, hour, agent_slug, runs, success, failure, timeout, skipped,
      sum_ms, call_count, ms, bins, counts)
    select i.organization_id, i.service_id, i.bucket, i.agent_slug, i.runs, i.success, i.failure, i.timeout, i.skipped,
      i.sum_ms, i.call_count, s.ms, s.bins, s.counts
    from ${records(rows, RUN_FIELDS)}, ${sketchOf('i')} s
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, hour, agent_slug) do update set ${RUN_SUMS}, ${SKETCH_SUM}`
}

export function addRunDays(rows: RunAddition[]): SQL {
  return sql`
    insert into run_days as r (organization_id, service_id, day, agent_slug, runs, success, failure, timeout, skipped,
      sum_ms, call_count, ms, bins, counts, runs_by_hour, failed_by_hour)
    select i.organization_id, i.service_id, i.bucket, i.agent_slug, i.runs, i.success, i.failure, i.timeout, i.skipped,
      i.sum_ms, i.call_count, s.ms, s.bins, s.counts, i.runs_by_hour, i.failed_by_hour
    from ${records(rows, RUN_FIELDS)}, ${sketchOf('i')} s
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, day, agent_slug) do update set ${RUN_SUMS}, ${SKETCH_SUM},
      runs_by_hour = sum_each(r.runs_by_hour, excluded.runs_by_hour),
      failed_by_hour = sum_each(r.failed_by_hour, excluded.failed_by_hour)`
}

export function addEndpoints(by: 'hour' | 'day', rows: EndpointAddition[]): SQL {
  return sql`
    insert into ${sql.raw(`endpoint_${by}s`)} as r (organization_id, service_id, ${sql.raw(by)}, endpoint_key, method,
      template, calls, failed_calls, status_counts, timed, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, response_ms,
      size_bytes, ms, bins, counts)
    select i.organization_id, i.service_id, i.bucket, i.endpoint_key, i.method, i.template, i.calls, i.failed_calls,
      i.status_counts, i.timed, i.dns_ms, i.connect_ms, i.tls_ms, i.ttfb_ms, i.transfer_ms, i.response_ms, i.size_bytes,
      s.ms, s.bins, s.counts
    from ${records(rows, ENDPOINT_FIELDS)}, ${sketchOf('i')} s
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, ${sql.raw(by)}, endpoint_key) do update set ${ENDPOINT_SUMS},
      status_counts = sum_counts(r.status_counts, excluded.status_counts), ${SKETCH_SUM}`
}

export function addAssertions(by: 'hour' | 'day', rows: AssertionAddition[]): SQL {
  return sql`
    insert into ${sql.raw(`assertion_${by}s`)} as r (organization_id, service_id, ${sql.raw(by)}, assertion_key,
      definition, evaluations, failures, last_failed_at)
    select i.organization_id, i.service_id, i.bucket, i.assertion_key, i.definition, i.evaluations, i.failures,
      i.last_failed_at
    from ${records(rows, ASSERTION_FIELDS)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, ${sql.raw(by)}, assertion_key) do update set
      evaluations = r.evaluations + excluded.evaluations,
      failures = r.failures + excluded.failures,
      last_failed_at = greatest(r.last_failed_at, excluded.last_failed_at)`
}

const PLACE = 'organization_id uuid, service_id uuid, bucket timestamptz'
const RUN_COUNTERS = ['runs', 'success', 'failure', 'timeout', 'skipped', 'sum_ms', 'call_count']
const ENDPOINT_COUNTERS = [
  'calls',
  'failed_calls',
  'timed',
  'dns_ms',
  'connect_ms',
  'tls_ms',
  'ttfb_ms',
  'transfer_ms',
  'response_ms',
  'size_bytes',
]
const RUN_FIELDS = `${PLACE}, agent_slug text, ${bigints(RUN_COUNTERS)}, ms int[], runs_by_hour int[], failed_by_hour int[]`
const ENDPOINT_FIELDS = `${PLACE}, endpoint_key text, method text, template text, ${bigints(ENDPOINT_COUNTERS)}, status_counts jsonb, ms int[]`
const ASSERTION_FIELDS = `${PLACE}, assertion_key text, definition jsonb, evaluations int, failures int, last_failed_at timestamptz`

const RUN_SUMS = sums(RUN_COUNTERS)
const ENDPOINT_SUMS = sums(ENDPOINT_COUNTERS)
const SKETCH_SUM = sql.raw(`(ms, bins, counts) = (select m.ms, m.bins, m.counts
  from sketch_merge(r.ms, r.bins, r.counts, excluded.ms, excluded.bins, excluded.counts) m)`)

function records(rows: unknown[], fields: string): SQL {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(${sql.raw(fields)})`
}

function sketchOf(alias: string): SQL {
  return sql.raw(`sketch_merge(null, null, null, ${alias}.ms, null, null)`)
}

function bigints(names: string[]): string {
  return names.map((name) => `${name} bigint`).join(', ')
}

function sums(names: string[]): SQL {
  return sql.raw(names.map((name) => `${name} = r.${name} + excluded.${name}`).join(', '))
}
