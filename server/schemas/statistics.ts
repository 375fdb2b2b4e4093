import { z } from 'zod'
import { Instant, openEnum, queryInt } from './conventions.ts'

/** The windows of the statistics. Each consists of whole buckets, the last of which is the current one. */
export const WINDOWS = ['24h', '7d', '30d', '90d'] as const
export type Window = (typeof WINDOWS)[number]

export const WindowQuery = z.object({ window: z.enum(WINDOWS).default('24h') })
export const HoursQuery = z.object({ hours: queryInt(1, 168).default(24) })
export const DaysQuery = z.object({ days: queryInt(1, 365).default(90) })

/** The maximum of endpoints and of assertions in a response. */
export const ENDPOINTS_MAX = 50
export const ASSERTIONS_MAX = 200

const WindowName = openEnum(WINDOWS)
const BucketType = openEnum(['hour', 'day'])
const Milliseconds = z.number().min(0).nullable()
const Percent = z.number().min(0).max(100).nullable()

export const HourlyBucket = z
  .object({
    hour: Instant.meta({ description: 'Start of the UTC hour.' }),
    total: z.int().meta({ description: 'Executed runs.' }),
    success: z.int(),
    failure: z.int(),
    timeout: z.int(),
    sumMs: z.int().meta({ description: "Sum of the runs' total response times, in milliseconds." }),
    callCount: z.int(),
  })
  .meta({ id: 'HourlyBucket' })
export type HourlyBucket = z.output<typeof HourlyBucket>

export const StatisticsBucket = z
  .object({
    bucketStart: Instant,
    p50Ms: Milliseconds,
    p95Ms: Milliseconds,
    p99Ms: Milliseconds,
    uptimePct: Percent.meta({ description: 'Share of successful runs; null without runs.' }),
    errorRatePct: Percent.meta({ description: 'Share of failed and timed-out runs; null without runs.' }),
    probeCount: z.int().meta({ description: 'Executed runs.' }),
  })
  .meta({ id: 'StatisticsBucket' })
export type StatisticsBucket = z.output<typeof StatisticsBucket>

export const Region = z
  .object({ agentSlug: z.string(), buckets: z.array(StatisticsBucket) })
  .meta({ id: 'Region', description: 'The same buckets for the runs of one agent.' })

const StatusCodes = z
  .record(z.string(), z.int())
  .meta({ description: 'Calls per status code; `none` counts calls without a response.' })

export const PhaseComparison = z
  .object({
    avgMs: Milliseconds.meta({ description: 'Mean in this window; null without a timed call.' }),
    previousAvgMs: Milliseconds.meta({ description: 'Mean in the previous window.' }),
  })
  .meta({ id: 'PhaseComparison' })

const EndpointWindow = {
  calls: z.int(),
  failedCalls: z.int(),
  statusCodes: StatusCodes,
  avgSizeBytes: z.number().min(0).nullable().meta({ description: 'Mean size of the response bodies.' }),
}

const Endpoint = {
  key: z.string().meta({ description: 'The same for the same method and template.' }),
  method: z.string(),
  template: z.string().meta({ description: 'The URL as written in the script, variables unresolved.' }),
}

export const EndpointStatistics = z
  .object({
    ...Endpoint,
    ...EndpointWindow,
    p50Ms: Milliseconds,
    p95Ms: Milliseconds,
    p99Ms: Milliseconds,
    phases: z
      .object({
        dnsMs: PhaseComparison,
        connectMs: PhaseComparison,
        tlsMs: PhaseComparison,
        ttfbMs: PhaseComparison,
        transferMs: PhaseComparison,
        responseTimeMs: PhaseComparison,
      })
      .meta({ id: 'EndpointPhases' }),
    previous: z.object(EndpointWindow).meta({ id: 'EndpointPreviousWindow', description: 'The previous window.' }),
  })
  .meta({ id: 'EndpointStatistics' })
export type EndpointStatistics = z.output<typeof EndpointStatistics>

const EndpointsTruncated = z
  .boolean()
  .meta({ description: `True when there are more than ${ENDPOINTS_MAX} endpoints.` })

export const Statistics = z
  .object({
    window: WindowName,
    bucketType: BucketType,
    overall: z.array(StatisticsBucket).meta({ description: 'Oldest first; hours or days without runs are present.' }),
    regions: z.array(Region),
    endpoints: z.array(EndpointStatistics).meta({ description: 'Most called first.' }),
    endpointsTruncated: EndpointsTruncated,
  })
  .meta({ id: 'Statistics' })

export const EndpointPoint = z
  .object({
    bucketStart: Instant,
    calls: z.int(),
    failedCalls: z.int(),
    p50Ms: Milliseconds,
    p95Ms: Milliseconds,
    p99Ms: Milliseconds,
    errorRatePct: Percent,
  })
  .meta({ id: 'EndpointPoint' })
export type EndpointPoint = z.output<typeof EndpointPoint>

export const EndpointSeries = z
  .object({
    window: WindowName,
    bucketType: BucketType,
    buckets: z.array(Instant).meta({ description: 'Start of each bucket, oldest first.' }),
    all: z.array(EndpointPoint).meta({ description: 'All endpoints together, one point per bucket.' }),
    endpoints: z.array(z.object({ ...Endpoint, points: z.array(EndpointPoint) }).meta({ id: 'EndpointSeriesEntry' })),
    endpointsTruncated: EndpointsTruncated,
  })
  .meta({ id: 'EndpointSeries' })

export const AssertionFailure = z
  .object({
    key: z.string().meta({ description: 'The same for the same check at the same endpoint.' }),
    endpoint: z.object({ method: z.string(), template: z.string() }).meta({ id: 'AssertedEndpoint' }),
    assertion: openEnum(['expect', 'check', 'assert']).meta({ description: 'The chain method that contains it.' }),
    kind: openEnum(['expect', 'check']).meta({ description: '`expect` ends the run when it fails, `check` does not.' }),
    scope: z.string().nullable().meta({ description: 'What was compared; null for a condition.' }),
    op: z.string().nullable(),
    expected: z.unknown().meta({ description: 'The expected value as written in the script; null for a condition.' }),
    expression: z.string().nullable().meta({ description: 'The condition as written; null otherwise.' }),
    failures: z.int(),
    evaluations: z.int(),
    failureRatePct: z.number().min(0).max(100),
    lastFailedAt: Instant.nullable(),
  })
  .meta({ id: 'AssertionFailure' })
export type AssertionFailure = z.output<typeof AssertionFailure>

export const AssertionFailures = z
  .object({
    window: WindowName,
    since: Instant,
    until: Instant,
    truncated: z.boolean().meta({ description: `True when there are more than ${ASSERTIONS_MAX} assertions.` }),
    assertions: z.array(AssertionFailure).meta({ description: 'Most failures first.' }),
  })
  .meta({ id: 'AssertionFailures' })

export const FailureHeatmap = z
  .object({
    days: z.int(),
    timezone: z.string(),
    since: Instant,
    until: Instant,
    coveredFrom: Instant.nullable().meta({ description: 'First day with runs; null without any.' }),
    coveredTo: Instant.nullable().meta({ description: 'End of the last day with runs, or now.' }),
    totalRuns: z.int(),
    totalFailedRuns: z.int(),
    cells: z.array(
      z
        .object({
          weekday: z.int().min(1).max(7).meta({ description: 'ISO: 1 is Monday.' }),
          hour: z.int().min(0).max(23).meta({ description: 'UTC.' }),
          runs: z.int(),
          failedRuns: z.int(),
        })
        .meta({ id: 'HeatmapCell' }),
    ),
  })
  .meta({ id: 'FailureHeatmap', description: 'Failed runs by hour of day and weekday.' })
