import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, sql, text, uuid } from '../drizzle.cjs'
import { instant, organizationKey } from './columns.ts'
import type { RunCause } from './runs.ts'

// No table here has foreign keys to configuration. So results remain after their service is deleted, until they are
// cleared, and writing them locks no configuration row.

/** One call of a run, stored inside the result's row. The API's shape is `ResultStep`. */
export type StoredStep = {
  id: string
  stepNum: number
  requestUrl: string | null
  /** The endpoint of the call: method and URL as written in the script. */
  method: string
  template: string
  statusCode: number | null
  responseTimeMs: number | null
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  ttfbMs: number | null
  transferMs: number | null
  responseSizeBytes: number | null
  outcome: 'success' | 'failure' | 'timeout' | 'skipped'
  error: string | null
  /** The phase in which the call timed out. Absent or null for other calls. */
  timeoutPhase?: 'dns' | 'connect' | 'tls' | 'ttfb' | 'transfer' | null
  /** The pause after the call, in milliseconds, as the script asks for. Absent without one. */
  waitMs?: number
  /** The trace id of the `traceparent` header that the request carried. Absent without one. */
  traceId?: string
  /** The first 500 characters of the text body of the step that failed. Absent or null for other steps. */
  excerpt?: string | null
  assertionResults: unknown[]
  headers: Record<string, string | string[]>
  /** The stored body: its store, its key there, its size, and the response's content type. */
  body: { storeId: string; key: string; bytes: number; contentType: string | null } | null
  bodyNotStoredReason: string | null
}

/**
 * One row per run, partitioned by the day of `startedAt` (in the migration, because drizzle cannot declare it). The id
 * is a UUIDv7 with the milliseconds of `startedAt`, so the id identifies the partition.
 */
export const results = pgTable(
  'results',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    startedAt: instant('started_at').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    agentSlug: text('agent_slug').notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    runDurationMs: integer('run_duration_ms').notNull(),
    totalResponseMs: integer('total_response_ms').notNull(),
    callCount: integer('call_count').notNull(),
    failedCalls: integer('failed_calls').notNull(),
    // No migration fills the nulls of old results: they may be millions of rows, which their retention deletes, and
    // nothing stored names their run or version.
    /** What failed or why it was skipped, in one line; null for other runs and for old results. */
    summary: text('summary'),
    /** The language's result without storage keys; null for a skipped run. */
    raw: jsonb('raw').$type<Record<string, unknown> | null>(),
    steps: jsonb('steps').$type<StoredStep[]>().notNull(),
    /** The version of the script that ran; null for a skipped run and for old results. */
    scriptVersion: integer('script_version'),
    /** The run that the result belongs to, and why it ran; null for old results. */
    runId: uuid('run_id'),
    cause: text('cause').$type<RunCause>(),
    /**
     * True where no statistic and no verdict counts the result: that of a run with values of its own, and a failure whose
     * recheck stands for its slot, and a skipped recheck. Otherwise null.
     */
    isUncounted: boolean('is_uncounted'),
    /** The failed result that this one rechecks, and the other way round the result of its recheck; null for others. */
    recheckOf: uuid('recheck_of'),
    recheckedBy: uuid('rechecked_by'),
    /** True where a maintenance held during the run, which makes the result uncounted. Otherwise null. */
    duringMaintenance: boolean('during_maintenance'),
  },
  (t) => [
    // Partitions that had results before the column was added do not have it: their results are read by service and time.
    index('results_run_idx').on(t.runId).where(sql`run_id is not null`),
    primaryKey({ name: 'results_pkey', columns: [t.organizationId, t.serviceId, t.startedAt, t.id] }),
    check('results_status_check', sql`status in ('success', 'failure', 'timeout', 'skipped')`),
  ],
)

export type RunStatus = 'success' | 'failure' | 'timeout' | 'skipped'

// Hourly roll-ups are written in the transaction that stores the results. When a day is over, upkeep folds its hours
// into daily rows; until then the day is read from its hours. `serviceStates.foldedUntil` separates the two.

/** Latencies (server/results/statistics/sketch.ts): up to 128 exact values, otherwise bins of about 2 %, each followed by its count. */
const sketchColumns = () => ({
  ms: integer('ms').array(),
  bins: integer('bins').array(),
})

const runCounters = () => ({
  runs: integer('runs').notNull().default(0),
  success: integer('success').notNull().default(0),
  failure: integer('failure').notNull().default(0),
  timeout: integer('timeout').notNull().default(0),
  skipped: integer('skipped').notNull().default(0),
  sumMs: bigint('sum_ms', { mode: 'number' }).notNull().default(0),
  callCount: bigint('call_count', { mode: 'number' }).notNull().default(0),
})

export const runHours = pgTable(
  'run_hours',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    hour: instant('hour').notNull(),
    agentSlug: text('agent_slug').notNull(),
    ...runCounters(),
    ...sketchColumns(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.serviceId, t.hour, t.agentSlug] })],
)

export const runDays = pgTable(
  'run_days',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    day: instant('day').notNull(),
    agentSlug: text('agent_slug').notNull(),
    ...runCounters(),
    ...sketchColumns(),
    /** 24 numbers, by UTC hour of the day, for the heatmap. */
    runsByHour: integer('runs_by_hour').array().notNull(),
    failedByHour: integer('failed_by_hour').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.serviceId, t.day, t.agentSlug] })],
)

const endpointCounters = () => ({
  endpointKey: text('endpoint_key').notNull(),
  method: text('method').notNull(),
  template: text('template').notNull(),
  calls: integer('calls').notNull().default(0),
  failedCalls: integer('failed_calls').notNull().default(0),
  /** Calls per status code; `none` for calls without a response. */
  statusCounts: jsonb('status_counts').$type<Record<string, number>>().notNull().default({}),
  /** Calls with phase timings: the divisor for the means of the sums below. */
  timed: integer('timed').notNull().default(0),
  dnsMs: bigint('dns_ms', { mode: 'number' }).notNull().default(0),
  connectMs: bigint('connect_ms', { mode: 'number' }).notNull().default(0),
  tlsMs: bigint('tls_ms', { mode: 'number' }).notNull().default(0),
  ttfbMs: bigint('ttfb_ms', { mode: 'number' }).notNull().default(0),
  transferMs: bigint('transfer_ms', { mode: 'number' }).notNull().default(0),
  responseMs: bigint('response_ms', { mode: 'number' }).notNull().default(0),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull().default(0),
})

export const endpointHours = pgTable(
  'endpoint_hours',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    hour: instant('hour').notNull(),
    ...endpointCounters(),
    ...sketchColumns(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.serviceId, t.hour, t.endpointKey] })],
)

export const endpointDays = pgTable(
  'endpoint_days',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    day: instant('day').notNull(),
    ...endpointCounters(),
    ...sketchColumns(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.serviceId, t.day, t.endpointKey] })],
)

const assertionCounters = () => ({
  assertionKey: text('assertion_key').notNull(),
  /** The assertion: `{method, template, kind, scope, op, expected}` or `{…, expression}`. */
  definition: jsonb('definition').$type<Record<string, unknown>>().notNull(),
  evaluations: integer('evaluations').notNull().default(0),
  failures: integer('failures').notNull().default(0),
  lastFailedAt: instant('last_failed_at'),
})

export const assertionHours = pgTable(
  'assertion_hours',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    hour: instant('hour').notNull(),
    ...assertionCounters(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.serviceId, t.hour, t.assertionKey] })],
)

export const assertionDays = pgTable(
  'assertion_days',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    day: instant('day').notNull(),
    ...assertionCounters(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.serviceId, t.day, t.assertionKey] })],
)

/** When each version of a service's script ran, and how its runs ended. Skipped runs ran no script. */
export const versionRuns = pgTable(
  'version_runs',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    version: integer('version').notNull(),
    /** The starts of its first and last run. */
    firstRunAt: instant('first_run_at').notNull(),
    lastRunAt: instant('last_run_at').notNull(),
    runs: integer('runs').notNull(),
    /** Failures and timeouts. */
    failed: integer('failed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.serviceId, t.version] })],
)

/** Why a service that passes is degraded: failed checks, or some of its agents that fail. Instants are ISO-8601. */
export type Degradation = {
  since: string
  summary: string
}

/** A service that changes so often that its incident stays open. Instants are ISO-8601. */
export type Flapping = {
  /** When it was announced, and the first of its changes. */
  since: string
  from: string
  /** How often the service failed. */
  failures: number
  /** The result of the last change. */
  resultId: string
  /** When the service was last seen switched off or under a maintenance: quiet time counts from then. */
  quietFrom?: string
}

/** The state of a service after its last run, and its totals of all time. */
export const serviceStates = pgTable(
  'service_states',
  {
    serviceId: uuid('service_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    lastStatus: text('last_status').$type<RunStatus>(),
    lastStatusSince: instant('last_status_since'),
    lastConsecutive: integer('last_consecutive').notNull().default(0),
    lastResponseMs: integer('last_response_ms'),
    /** A moving mean of the recent run durations, without waits for connections to a host. */
    meanRunMs: integer('mean_run_ms').notNull().default(0),
    lastRunAt: instant('last_run_at'),
    lastResultId: uuid('last_result_id'),
    /** What is wrong although the last run counts as passed. */
    degradation: jsonb('degradation').$type<Degradation | null>(),
    /** Failures and timeouts in a row. At `confirmFailures` the failure is announced. */
    failingRuns: integer('failing_runs').notNull().default(0),
    /** When the first of these failures in a row started, and the result of the last success. */
    failingSince: instant('failing_since'),
    lastPassingResultId: uuid('last_passing_result_id'),
    /** Whether a failure is confirmed and the service has not recovered since. */
    isAlerting: boolean('is_alerting').notNull().default(false),
    /** When `isAlerting` changed: the changes that count for flapping, and always the last one. */
    changedAt: instant('changed_at').array().notNull().default([]),
    flapping: jsonb('flapping').$type<Flapping | null>(),
    probesTotal: bigint('probes_total', { mode: 'number' }).notNull().default(0),
    probesSuccess: bigint('probes_success', { mode: 'number' }).notNull().default(0),
    probesFailure: bigint('probes_failure', { mode: 'number' }).notNull().default(0),
    probesTimeout: bigint('probes_timeout', { mode: 'number' }).notNull().default(0),
    /** Start of a day: earlier days are read from the daily roll-ups, this and later ones from their hours. A late run moves it back. */
    foldedUntil: instant('folded_until').notNull().default(sql`'epoch'`),
    /**
     * The contract's `lastFailure`: `{resultId, startedAt, status, assertions}`. The last column: between columns that change, it would be written to the write-ahead log with every run.
     */
    lastFailure: jsonb('last_failure').$type<Record<string, unknown> | null>(),
  },
  (t) => [
    organizationKey('service_states', t.organizationId, [t.serviceId]),
    index('service_states_folded_idx').on(t.foldedUntil),
    index('service_states_flapping_idx').on(t.serviceId).where(sql`flapping is not null`),
  ],
)

/**
 * The state of a service on one agent: its latest result there, which the script reads as `prev` while it is retained, and
 * the failures in a row on this agent.
 */
export const serviceAgentStates = pgTable(
  'service_agent_states',
  {
    serviceId: uuid('service_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    startedAt: instant('started_at').notNull(),
    resultId: uuid('result_id').notNull(),
    status: text('status').$type<'success' | 'failure' | 'timeout'>().notNull(),
    agentSlug: text('agent_slug').notNull(),
    /** When the agent first saw this status in a row. */
    statusSince: instant('status_since').notNull(),
    /** Failures and timeouts in a row on this agent, and the start of the first of them; null after a success. */
    failingRuns: integer('failing_runs').notNull().default(0),
    failingSince: instant('failing_since'),
    /** Successes in a row on this agent. */
    passingRuns: integer('passing_runs').notNull().default(0),
    /** Whether the agent's failures are confirmed, until `confirmRecoveries` successes in a row. */
    isFailed: boolean('is_failed').notNull().default(false),
    /** How many runs of the service were counted when this one was: an agent that falls behind has missed rounds. */
    serviceRuns: bigint('service_runs', { mode: 'number' }).notNull(),
    /** Why the last run failed, in one line; null after a success. */
    summary: text('summary'),
  },
  (t) => [organizationKey('service_agent_states', t.organizationId, [t.serviceId, t.agentId])],
)
