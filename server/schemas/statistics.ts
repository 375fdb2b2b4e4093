import { z } from 'zod'
import { AGENT_SLUG_EXAMPLE } from './agents.ts'
import { Instant, openEnum, queryInt } from './conventions.ts'
import { RANKED_PERCENTILES } from './metrics.ts'

/** The windows of the statistics. Each consists of whole buckets, the last of which is the current one. */
export const WINDOWS = ['24h', '7d', '30d', '90d'] as const
export type Window = (typeof WINDOWS)[number]

const WINDOW = {
  description:
    'The window, which ends now and consists of whole UTC hours (`24h`, `7d`) or days (`30d`, `90d`), the current one included.',
  example: '24h',
}

export const WindowQuery = z.object({ window: z.enum(WINDOWS).default('24h').meta(WINDOW) })
export const HoursQuery = z.object({
  hours: queryInt(1, 168)
    .default(24)
    .meta({ description: 'How many whole UTC hours to read, the current one included.', example: 24 }),
})
export const DaysQuery = z.object({
  days: queryInt(1, 365).default(90).meta({
    description: 'How many whole UTC days to read, the current one included.',
    example: 90,
  }),
})

/** The maximum of endpoints and of assertions in a response. */
export const ENDPOINTS_MAX = 50
export const ASSERTIONS_MAX = 200

const WindowName = openEnum(WINDOWS).meta(WINDOW)
const BucketType = openEnum(['hour', 'day']).meta({ description: 'How long each bucket is.' })
const Milliseconds = z.number().min(0).nullable()
const Percent = z.number().min(0).max(100).nullable()
const BucketStart = Instant.meta({ description: 'Start of the bucket.', example: '2026-11-20T12:00:00.000Z' })
const Since = Instant.meta({ description: 'Start of the window.', example: '2026-11-19T13:00:00.000Z' })
const Until = Instant.meta({ description: 'End of the window.', example: '2026-11-20T12:30:00.000Z' })
const Latencies = {
  p50Ms: Milliseconds.meta({ description: 'Median in milliseconds; null without any.', example: 92 }),
  p95Ms: Milliseconds.meta({ description: '95th percentile in milliseconds; null without any.', example: 184 }),
  p99Ms: Milliseconds.meta({ description: '99th percentile in milliseconds; null without any.', example: 310 }),
}

export const HourlyBucket = z
  .object({
    hour: Instant.meta({ description: 'Start of the UTC hour.', example: '2026-11-20T12:00:00.000Z' }),
    total: z.int().meta({ description: 'Executed runs.', example: 12 }),
    success: z.int().meta({ description: 'Runs that passed.', example: 11 }),
    failure: z.int().meta({ description: 'Runs that failed.', example: 1 }),
    timeout: z.int().meta({ description: 'Runs that timed out.', example: 0 }),
    sumMs: z.int().meta({ description: "Sum of the runs' total response times, in milliseconds.", example: 2208 }),
    callCount: z.int().meta({ description: 'Calls that the runs made.', example: 24 }),
  })
  .meta({ id: 'HourlyBucket', description: 'The runs of one hour.' })
export type HourlyBucket = z.output<typeof HourlyBucket>

export const StatisticsBucket = z
  .object({
    bucketStart: BucketStart,
    ...Latencies,
    uptimePct: Percent.meta({ description: 'Share of successful runs; null without runs.', example: 91.67 }),
    errorRatePct: Percent.meta({
      description: 'Share of failed and timed-out runs; null without runs.',
      example: 8.33,
    }),
    probeCount: z.int().meta({ description: 'Executed runs.', example: 12 }),
  })
  .meta({
    id: 'StatisticsBucket',
    description: `The runs of one UTC hour or day. ${RANKED_PERCENTILES}`,
  })
export type StatisticsBucket = z.output<typeof StatisticsBucket>

export const Region = z
  .object({
    agentSlug: z.string().meta({ description: 'The slug of the agent.', example: AGENT_SLUG_EXAMPLE }),
    buckets: z.array(StatisticsBucket).meta({ description: 'Oldest first; hours or days without runs are present.' }),
  })
  .meta({ id: 'Region', description: 'The same buckets for the runs of one agent.' })

const StatusCodes = z.record(z.string(), z.int()).meta({
  description: 'Calls per status code; `none` counts calls without a response.',
  example: { '200': 24, none: 1 },
})

export const PhaseComparison = z
  .object({
    avgMs: Milliseconds.meta({ description: 'Mean in this window; null without a timed call.', example: 12.4 }),
    previousAvgMs: Milliseconds.meta({ description: 'Mean in the previous window.', example: 11.8 }),
  })
  .meta({ id: 'PhaseComparison', description: 'How long one phase of the calls took, in milliseconds.' })

const EndpointWindow = {
  calls: z.int().meta({ description: 'Calls to the endpoint.', example: 25 }),
  failedCalls: z.int().meta({ description: 'Calls of these that failed.', example: 1 }),
  statusCodes: StatusCodes,
  avgSizeBytes: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'Mean size of the response bodies; null without any.', example: 5120 }),
}

const Endpoint = {
  key: z
    .string()
    .meta({ description: 'The same for the same method and template.', example: 'q1w2E3r4T5y6U7i8O9p0aB' }),
  method: z.string().meta({ description: 'The request method, in upper case.', example: 'GET' }),
  template: z.string().meta({
    description: 'The URL as written in the script, variables unresolved.',
    example: 'https://shop.example/cart/$cartId',
  }),
}

export const EndpointStatistics = z
  .object({
    ...Endpoint,
    ...EndpointWindow,
    ...Latencies,
    phases: z
      .object({
        dnsMs: PhaseComparison,
        connectMs: PhaseComparison,
        tlsMs: PhaseComparison,
        ttfbMs: PhaseComparison,
        transferMs: PhaseComparison,
        responseTimeMs: PhaseComparison,
      })
      .meta({ id: 'EndpointPhases', description: 'The phases of the calls, and the whole response time.' }),
    previous: z.object(EndpointWindow).meta({ id: 'EndpointPreviousWindow', description: 'The previous window.' }),
  })
  .meta({ id: 'EndpointStatistics', description: 'The calls to one endpoint in the window.' })
export type EndpointStatistics = z.output<typeof EndpointStatistics>

const EndpointsTruncated = z
  .boolean()
  .meta({ description: `True when there are more than ${ENDPOINTS_MAX} endpoints.`, example: false })

export const Statistics = z
  .object({
    window: WindowName,
    bucketType: BucketType,
    overall: z.array(StatisticsBucket).meta({ description: 'Oldest first; hours or days without runs are present.' }),
    regions: z.array(Region).meta({ description: 'The same per agent, by slug.' }),
    endpoints: z.array(EndpointStatistics).meta({ description: 'Most called first.' }),
    endpointsTruncated: EndpointsTruncated,
  })
  .meta({ id: 'Statistics', description: 'Latencies and uptime of a service over time.' })

export const EndpointPoint = z
  .object({
    bucketStart: BucketStart,
    calls: z.int().meta({ description: 'Calls in the bucket.', example: 25 }),
    failedCalls: z.int().meta({ description: 'Calls of these that failed.', example: 1 }),
    ...Latencies,
    errorRatePct: Percent.meta({ description: 'Share of failed calls; null without calls.', example: 4 }),
  })
  .meta({
    id: 'EndpointPoint',
    description:
      'The calls of one UTC hour or day. Percentiles are by nearest rank over the calls that got a response; values above 128 calls are within 1 %.',
  })
export type EndpointPoint = z.output<typeof EndpointPoint>

export const EndpointSeries = z
  .object({
    window: WindowName,
    bucketType: BucketType,
    buckets: z.array(Instant).meta({
      description: 'Start of each bucket, oldest first.',
      example: ['2026-11-20T12:00:00.000Z'],
    }),
    all: z.array(EndpointPoint).meta({ description: 'All endpoints together, one point per bucket.' }),
    endpoints: z
      .array(
        z
          .object({ ...Endpoint, points: z.array(EndpointPoint).meta({ description: 'One point per bucket.' }) })
          .meta({ id: 'EndpointSeriesEntry', description: 'The calls to one endpoint over time.' }),
      )
      .meta({ description: 'Most called first.' }),
    endpointsTruncated: EndpointsTruncated,
  })
  .meta({ id: 'EndpointSeries', description: 'The calls to each endpoint over time.' })

export const AssertionFailure = z
  .object({
    key: z
      .string()
      .meta({ description: 'The same for the same check at the same endpoint.', example: 'Zx8Yw7Vu6Ts5Rq4Po3Nm2L' }),
    endpoint: z
      .object({ method: Endpoint.method, template: Endpoint.template })
      .meta({ id: 'AssertedEndpoint', description: 'The endpoint whose responses are checked.' }),
    assertion: openEnum(['expect', 'check', 'assert']).meta({ description: 'The chain method that contains it.' }),
    kind: openEnum(['expect', 'check']).meta({ description: '`expect` ends the run when it fails, `check` does not.' }),
    scope: z.string().nullable().meta({ description: 'What was compared; null for a condition.', example: 'status' }),
    op: z.string().nullable().meta({ description: 'How it was compared; null for a condition.', example: 'eq' }),
    expected: z.unknown().meta({
      description:
        'The expected value as written in the script: the value itself, or the text of an expression that runs evaluate. Null for a condition.',
      example: 200,
    }),
    expression: z.string().nullable().meta({ description: 'The condition as written; null otherwise.', example: null }),
    failures: z.int().meta({ description: 'How often it failed in the window.', example: 3 }),
    evaluations: z.int().meta({ description: 'How often it was checked in the window.', example: 288 }),
    failureRatePct: z.number().min(0).max(100).meta({ description: 'Share of checks that failed.', example: 1.04 }),
    lastFailedAt: Instant.nullable().meta({
      description: 'Start of the last run in which it failed; null without any.',
    }),
  })
  .meta({ id: 'AssertionFailure', description: 'How often one assertion failed.' })
export type AssertionFailure = z.output<typeof AssertionFailure>

export const AssertionFailures = z
  .object({
    window: WindowName,
    since: Since,
    until: Until,
    truncated: z
      .boolean()
      .meta({ description: `True when there are more than ${ASSERTIONS_MAX} assertions.`, example: false }),
    assertions: z.array(AssertionFailure).meta({ description: 'Most failures first.' }),
  })
  .meta({ id: 'AssertionFailures', description: 'How often each assertion of a service failed.' })

export const FailureHeatmap = z
  .object({
    days: z.int().meta({ description: 'How many days were read.', example: 90 }),
    timezone: z.string().meta({ description: 'The time zone of weekdays and hours.', example: 'UTC' }),
    since: Since.meta({ example: '2026-08-23T00:00:00.000Z' }),
    until: Until,
    coveredFrom: Instant.nullable().meta({
      description: 'First day with runs; null without any.',
      example: '2026-11-01T00:00:00.000Z',
    }),
    coveredTo: Instant.nullable().meta({ description: 'End of the last day with runs, or now; null without any.' }),
    totalRuns: z.int().meta({ description: 'Executed runs.', example: 5616 }),
    totalFailedRuns: z.int().meta({ description: 'Runs that failed or timed out.', example: 42 }),
    cells: z
      .array(
        z
          .object({
            weekday: z.int().min(1).max(7).meta({ description: 'ISO: 1 is Monday.', example: 5 }),
            hour: z.int().min(0).max(23).meta({ description: 'Hour of the day in UTC.', example: 12 }),
            runs: z.int().meta({ description: 'Executed runs.', example: 33 }),
            failedRuns: z.int().meta({ description: 'Runs that failed or timed out.', example: 2 }),
          })
          .meta({ id: 'HeatmapCell', description: 'The runs of one hour of the week.' }),
      )
      .meta({ description: 'All 168 hours of the week, by weekday and hour.' }),
  })
  .meta({ id: 'FailureHeatmap', description: 'Failed runs by hour of day and weekday.' })
