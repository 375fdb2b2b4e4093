import { type SQL, sql } from 'drizzle-orm'
import { packSketch } from '../statistics/packed-sketch.ts'
import { EXACT_MAX, mergeSketches, type Sketch } from '../statistics/sketch.ts'
import type { AssertionAddition, EndpointAddition, RunAddition } from './additions.ts'

// The statements that add a batch's sums to the hourly roll-ups. Each one writes its rows in the order of their key, so
// that two writers of the same rows wait for each other instead of deadlocking. Times are medians on two shared cores,
// for 100 runs of three calls with an assertion each; 95 % of the updates write no index entry (HOT).

/** Adds sums of runs: 7 ms. */
export function addRunHours(rows: RunAddition[]): SQL {
  return sql`
    insert into run_hours as r (organization_id, service_id, hour, agent_slug, ${columns(RUN_COUNTERS)}, ms, bins, counts)
    select i.organization_id, i.service_id, i.bucket, i.agent_slug, ${columns(RUN_COUNTERS, 'i.')}, i.ms, i.bins, i.counts
    from ${records(rows, RUN_FIELDS)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, hour, agent_slug) do update set ${sums(RUN_COUNTERS)}, ${SKETCH_SUM}`
}

/** Adds sums of endpoints: 26 ms for 300 rows. */
export function addEndpointHours(rows: EndpointAddition[]): SQL {
  return sql`
    insert into endpoint_hours as r (organization_id, service_id, hour, endpoint_key, method, template,
      ${columns(ENDPOINT_COUNTERS)}, status_counts, ms, bins, counts)
    select i.organization_id, i.service_id, i.bucket, i.endpoint_key, i.method, i.template,
      ${columns(ENDPOINT_COUNTERS, 'i.')}, i.status_counts, i.ms, i.bins, i.counts
    from ${records(rows, ENDPOINT_FIELDS)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, hour, endpoint_key) do update set ${sums(ENDPOINT_COUNTERS)},
      status_counts = sum_counts(r.status_counts, excluded.status_counts), ${SKETCH_SUM}`
}

/** Adds sums of assertions: 20 ms for 300 rows. */
export function addAssertions(by: 'hour' | 'day', rows: AssertionAddition[]): SQL {
  return sql`
    insert into ${sql.raw(`assertion_${by}s`)} as r (organization_id, service_id, ${sql.raw(by)}, assertion_key,
      definition, evaluations, failures, last_failed_at)
    select i.organization_id, i.service_id, i.bucket, i.assertion_key, i.definition, i.evaluations, i.failures,
      i.last_failed_at
    from ${records(rows, ASSERTION_FIELDS)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, ${sql.raw(by)}, assertion_key) do update set ${ASSERTION_SUM}`
}

/** Deletes the merged latencies of the last day in which these late runs are missing: 2 ms. */
export function deleteRecentSums(rows: RunAddition[]): SQL {
  const hours = rows.map(({ organization_id, service_id, bucket }) => ({ organization_id, service_id, bucket }))
  return sql`
    delete from recent_latencies r using ${records(hours, KEY_FIELDS)}
    where (r.organization_id, r.service_id) = (i.organization_id, i.service_id) and r.hour > i.bucket`
}

/** Folds the hours of assertions into the given days (`organization_id`, `service_id`, `day`): 15 ms for 25 days. */
export function foldAssertions(days: unknown[]): SQL {
  return sql`
    insert into assertion_days as r (organization_id, service_id, day, assertion_key, definition, evaluations, failures,
      last_failed_at)
    select h.organization_id, h.service_id, i.day, h.assertion_key, (array_agg(h.definition))[1], sum(h.evaluations),
      sum(h.failures), max(h.last_failed_at)
    from ${records(days, 'organization_id uuid, service_id uuid, day timestamptz')}
    join assertion_hours h on h.organization_id = i.organization_id and h.service_id = i.service_id
      and h.hour >= i.day and h.hour < i.day + interval '24 hours'
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, day, assertion_key) do update set ${ASSERTION_SUM}`
}

export const KEY_FIELDS = 'organization_id uuid, service_id uuid, bucket timestamptz'
export const RUN_COUNTERS = ['runs', 'success', 'failure', 'timeout', 'skipped', 'sum_ms', 'call_count'] as const
export const ENDPOINT_COUNTERS = [
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
] as const
const SKETCH = 'ms int[], bins int[], counts int[]'
const RUN_FIELDS = `${KEY_FIELDS}, agent_slug text, ${bigints(RUN_COUNTERS)}, ${SKETCH}`
const ENDPOINT_FIELDS = `${KEY_FIELDS}, endpoint_key text, method text, template text, ${bigints(ENDPOINT_COUNTERS)}, status_counts jsonb, ${SKETCH}`
const ASSERTION_FIELDS = `${KEY_FIELDS}, assertion_key text, definition jsonb, evaluations int, failures int, last_failed_at timestamptz`

const ASSERTION_SUM = sql.raw(`evaluations = r.evaluations + excluded.evaluations,
  failures = r.failures + excluded.failures,
  last_failed_at = greatest(r.last_failed_at, excluded.last_failed_at)`)

// Few values are concatenated here, because calling a function costs more. The new values come first: PostgreSQL leaves
// the unchanged end of a row out of the write-ahead log.
const IS_LISTED = `r.bins is null and excluded.bins is null
  and coalesce(cardinality(r.ms), 0) + coalesce(cardinality(excluded.ms), 0) <= ${EXACT_MAX}`
const MERGED = 'sketch_merge(r.ms, r.bins, r.counts, excluded.ms, excluded.bins, excluded.counts)'
const SKETCH_SUM = sql.raw(`ms = case when ${IS_LISTED} then excluded.ms || r.ms else (${MERGED}).ms end,
  bins = case when ${IS_LISTED} then null else (${MERGED}).bins end,
  counts = case when ${IS_LISTED} then null else (${MERGED}).counts end`)

export function records(rows: unknown[], fields: string): SQL {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(${sql.raw(fields)})`
}

/** Merges latencies and packs them. Returns the text form of `bytea`, which a JSON record can hold. */
export function packedSum(sketches: Iterable<Sketch>): string | null {
  const packed = packSketch(mergeSketches(sketches))
  return packed && `\\x${packed.toString('hex')}`
}

export function bigints(names: readonly string[]): string {
  return names.map((name) => `${name} bigint`).join(', ')
}

export function columns(names: readonly string[], prefix = ''): SQL {
  return sql.raw(names.map((name) => `${prefix}${name}`).join(', '))
}

export function sums(names: readonly string[]): SQL {
  return sql.raw(names.map((name) => `${name} = r.${name} + excluded.${name}`).join(', '))
}
