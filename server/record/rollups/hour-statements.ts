import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { rowsStatement, updateStatement } from '#db/rows-statement.ts'
import { packSketch } from '../../statistics/packed-sketch.ts'
import { EXACT_MAX, mergeSketches, type Sketch } from '../../statistics/sketch.ts'
import type {
  AssertionAddition,
  EndpointAddition,
  EndpointHourAddition,
  RunAddition,
  RunHourAddition,
} from './additions.ts'
import { CLEAN_CALL_MS_MAX, callSumsText, cleanSetOf } from './clean-runs.ts'

// The statements that add a batch's sums to the hourly roll-ups. Times are CPU of the database, for 100 runs of three calls
// with an assertion each; 95 % of the updates write no index entry (HOT).

// The upserts write their rows in the order of their key, so that two writers of the same rows wait for each other instead
// of deadlocking.

/** The hours of a service from `from` up to but not including `until`. */
export type HourSpan = { organization_id: string; service_id: string; from: string; until: string }

export type RunHourKey = { service_id: string; bucket: string; agent_slug: string }

/** Adds sums of runs, and returns the keys of the rows that they fit into. */
export function addRunHours(rows: RunHourAddition[]): SQL {
  const stored = rows.map(({ clean, ...row }) => ({
    ...row,
    clean_runs: clean?.runs.length ?? 0,
    ...(clean && {
      clean_call_sums: callSumsText(clean),
      clean_call_ms: clean.callMs,
      clean_key: clean.key,
      clean_set: cleanSetOf(clean),
    }),
  }))
  const kept = (name: string) => sql.raw(`${name} = coalesce(r.${name}, excluded.${name})`)
  return sql`
    insert into run_hours as r (organization_id, service_id, hour, agent_slug, ${columns(RUN_COUNTERS)}, ms, bins, counts,
      clean_runs, clean_call_sums, clean_call_ms, clean_key, clean_set)
    select i.organization_id, i.service_id, i.bucket, i.agent_slug, ${columns(RUN_COUNTERS, 'i.')}, i.ms, i.bins, i.counts,
      i.clean_runs, i.clean_call_sums, i.clean_call_ms, i.clean_key, i.clean_set
    from ${records(stored, RUN_HOUR_FIELDS)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, hour, agent_slug) do update set ${sums(RUN_COUNTERS)}, ${sketchSum()},
      clean_runs = r.clean_runs + excluded.clean_runs,
      clean_call_sums = coalesce(r.clean_call_sums + excluded.clean_call_sums, r.clean_call_sums, excluded.clean_call_sums),
      clean_call_ms = excluded.clean_call_ms || r.clean_call_ms, ${kept('clean_key')}, ${kept('clean_set')}
    where r.clean_key is null or excluded.clean_key is null or (${CLEAN.fits('excluded')})
    returning service_id, hour as bucket, agent_slug`
}

/** Returns the hours whose rows count the same clean runs, and can hold no more. */
export function findFullHours(tx: Tx, rows: RunHourAddition[]): Promise<HourSpan[]> {
  const keys = rows.map(({ clean, ms, bins, counts, ...row }) => ({ ...row, clean_key: clean?.key }))
  return tx.execute<HourSpan>(sql`
    select r.organization_id, r.service_id, r.hour as from, r.hour + interval '1 hour' as until
    from ${records(keys, `${KEY_FIELDS}, agent_slug text, clean_key text`)}
    join run_hours r on r.organization_id = i.organization_id and r.service_id = i.service_id and r.hour = i.bucket
      and r.agent_slug = i.agent_slug and r.clean_key = i.clean_key`)
}

/** Adds sums of endpoints. */
export function addEndpointHours(rows: EndpointAddition[]): SQL {
  return upsertEndpointHours(records(rows, ENDPOINT_FIELDS))
}

/** Adds the rows `i` to the hours of endpoints. */
export function upsertEndpointHours(rows: SQL): SQL {
  return sql`
    insert into endpoint_hours as r (organization_id, service_id, hour, endpoint_key, method, template,
      ${columns(ENDPOINT_COUNTERS)}, status_counts, ms, bins, counts)
    select i.organization_id, i.service_id, i.bucket, i.endpoint_key, i.method, i.template,
      ${columns(ENDPOINT_COUNTERS, 'i.')}, i.status_counts, i.ms, i.bins, i.counts
    from ${rows}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, hour, endpoint_key) do update set ${sums(ENDPOINT_COUNTERS)},
      status_counts = sum_counts(r.status_counts, excluded.status_counts), ${sketchSum()}`
}

/** Adds sums of assertions. */
export function addAssertions(by: 'hour' | 'day', rows: AssertionAddition[]): SQL {
  return sql`
    insert into ${sql.raw(`assertion_${by}s`)} as r (organization_id, service_id, ${sql.raw(by)}, assertion_key,
      definition, evaluations, failures, last_failed_at)
    select i.organization_id, i.service_id, i.bucket, i.assertion_key, i.definition, i.evaluations, i.failures,
      i.last_failed_at
    from ${records(rows, ASSERTION_FIELDS)}
    order by 1, 2, 3, 4
    on conflict (organization_id, service_id, ${sql.raw(by)}, assertion_key) do update set ${assertionSum('excluded')}`
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
    on conflict (organization_id, service_id, day, assertion_key) do update set ${assertionSum('excluded')}`
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
const SKETCH_FIELDS = 'ms int[], bins int[], counts int[]'
const RUN_FIELDS = `${KEY_FIELDS}, agent_slug text, ${bigints(RUN_COUNTERS)}, ${SKETCH_FIELDS}`
const RUN_HOUR_FIELDS = `${RUN_FIELDS}, clean_runs int, clean_call_sums numeric, clean_call_ms int[], clean_key text, clean_set jsonb`
const ENDPOINT_FIELDS = `${KEY_FIELDS}, endpoint_key text, method text, template text, ${bigints(ENDPOINT_COUNTERS)}, status_counts jsonb, ${SKETCH_FIELDS}`
const ASSERTION_FIELDS = `${KEY_FIELDS}, assertion_key text, definition jsonb, evaluations int, failures int, last_failed_at timestamptz`

/** `added` names the row that is added: `excluded` in an upsert. */
export function assertionSum(added: string): SQL {
  return sql.raw(`evaluations = r.evaluations + ${added}.evaluations,
    failures = r.failures + ${added}.failures,
    last_failed_at = greatest(r.last_failed_at, ${added}.last_failed_at)`)
}

/** Few values are concatenated here, because calling a function costs more. */
function sketchSum(): SQL {
  const isListed = `r.bins is null and excluded.bins is null
    and coalesce(cardinality(r.ms), 0) + coalesce(cardinality(excluded.ms), 0) <= ${EXACT_MAX}`
  const merged = 'sketch_merge(r.ms, r.bins, r.counts, excluded.ms, excluded.bins, excluded.counts)'
  return sql.raw(`ms = case when ${isListed} then excluded.ms || r.ms else (${merged}).ms end,
    bins = case when ${isListed} then null else (${merged}).bins end,
    counts = case when ${isListed} then null else (${merged}).counts end`)
}

export function records(rows: unknown[], fields: string): SQL {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(${sql.raw(fields)})`
}

/** Merges latencies and packs them. Returns the text form of `bytea`, which a JSON record can hold. */
export function packedSum(sketches: Iterable<Sketch>): string | null {
  const packed = packSketch(mergeSketches(sketches))
  return packed && byteaText(packed)
}

export function byteaText(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`
}

export function bigints(names: readonly string[]): string {
  return names.map((name) => `${name} bigint`).join(', ')
}

export function columns(names: readonly string[], prefix = ''): SQL {
  return sql.raw(names.map((name) => `${prefix}${name}`).join(', '))
}

/** `added` names the row that is added. */
export function sums(names: readonly string[], added = 'excluded'): SQL {
  return sql.raw(names.map((name) => `${name} = r.${name} + ${added}.${name}`).join(', '))
}

const KEY = { organization_id: 'uuid', service_id: 'uuid', bucket: 'timestamptz' } as const

/**
 * Adds listed latencies where they stay a list. The new ones come first: PostgreSQL leaves the unchanged end of a row out of
 * the write-ahead log.
 */
const LISTED = {
  sum: sql.raw('ms = i.ms || r.ms'),
  fits: sql.raw(`r.bins is null and coalesce(cardinality(r.ms), 0) + coalesce(cardinality(i.ms), 0) <= ${EXACT_MAX}`),
}

const CLEAN = {
  fits: (added: string) =>
    sql.raw(`r.clean_key = ${added}.clean_key
      and cardinality(r.clean_call_ms) + cardinality(${added}.clean_call_ms) <= ${CLEAN_CALL_MS_MAX}`),
}

/** 2 ms. */
export const updateRunHours = updateStatement<RunHourAddition>(
  {
    ...{ ...KEY, agent_slug: 'text', ...all(RUN_COUNTERS, 'bigint'), ms: 'int[]' },
    clean_key: ['text', ({ clean }) => clean?.key],
    clean_runs: ['int', ({ clean }) => clean?.runs.length ?? 0],
    clean_call_sums: ['numeric', ({ clean }) => clean && callSumsText(clean)],
    clean_call_ms: ['int[]', ({ clean }) => clean?.callMs],
  },
  (rows) => sql`
    update run_hours r set ${sums(RUN_COUNTERS, 'i')}, ${LISTED.sum}, clean_runs = r.clean_runs + i.clean_runs,
      clean_call_sums = case when i.clean_key is null then r.clean_call_sums else r.clean_call_sums + i.clean_call_sums end,
      clean_call_ms = i.clean_call_ms || r.clean_call_ms
    from ${rows}
    where r.organization_id = i.organization_id and r.service_id = i.service_id and r.hour = i.bucket
      and r.agent_slug = i.agent_slug and ${LISTED.fits} and (i.clean_key is null or (${CLEAN.fits('i')}))
    returning i.n`,
)

/** 3 ms. For calls of a single status, which nearly every row adds: `sum_counts` takes twice as long. */
export const updateEndpointHours = updateStatement<EndpointHourAddition>(
  { ...KEY, endpoint_key: 'text', ...all(ENDPOINT_COUNTERS, 'bigint'), status: 'text', ms: 'int[]' },
  (rows) => sql`
    update endpoint_hours r set ${sums(ENDPOINT_COUNTERS, 'i')}, ${LISTED.sum}, status_counts =
      r.status_counts || jsonb_build_object(i.status, coalesce((r.status_counts->>i.status)::int, 0) + i.calls)
    from ${rows}
    where r.organization_id = i.organization_id and r.service_id = i.service_id and r.hour = i.bucket
      and r.endpoint_key = i.endpoint_key and ${LISTED.fits}
    returning i.n`,
)

/** 2 ms. */
export const updateAssertionHours = updateStatement<AssertionAddition>(
  { ...KEY, assertion_key: 'text', evaluations: 'int', failures: 'int', last_failed_at: 'timestamptz' },
  (rows) => sql`
    update assertion_hours r set ${assertionSum('i')}
    from ${rows}
    where r.organization_id = i.organization_id and r.service_id = i.service_id and r.hour = i.bucket
      and r.assertion_key = i.assertion_key
    returning i.n`,
)

/** Deletes the merged latencies of the last day in which these late runs are missing: 0.2 ms. */
export const deleteRecentSums = rowsStatement<RunAddition>(
  KEY,
  (rows) => sql`
    delete from recent_latencies r using ${rows}
    where r.organization_id = i.organization_id and r.service_id = i.service_id and r.hour > i.bucket`,
)

function all<T extends string, C extends string>(names: readonly T[], type: C): Record<T, C> {
  return Object.fromEntries(names.map((name) => [name, type])) as Record<T, C>
}
