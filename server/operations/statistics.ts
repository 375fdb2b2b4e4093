import type { z } from 'zod'
import type { ActorContext } from '../context.ts'
import { hoursStart, retentionStart } from '../results/results/retention.ts'
import { readStanding } from '../results/results/standing.ts'
import { readVersionMarks } from '../results/results/versions.ts'
import { readAssertions } from '../results/statistics/assertions.ts'
import { readEndpointSeries, readEndpoints } from '../results/statistics/endpoints.ts'
import { readLatencyParts } from '../results/statistics/latency-parts.ts'
import { readRunBuckets } from '../results/statistics/runs.ts'
import { readAgents, readSeries } from '../results/statistics/series.ts'
import { readHeatmap, readWeek } from '../results/statistics/week.ts'
import { bucketsOf } from '../results/statistics/windows.ts'
import { spanBuckets, type ZonedBuckets, zonedBuckets } from '../results/statistics/zoned-buckets.ts'
import {
  LatencyParts,
  LatencyQuery,
  Series,
  SeriesQuery,
  Standing,
  Week,
  WeekQuery,
} from '../schemas/results/series.ts'
import {
  AssertionFailures,
  DaysQuery,
  EndpointSeries,
  FailureHeatmap,
  Statistics,
  WindowQuery,
} from '../schemas/statistics.ts'
import { router, serviceProcedure } from '../trpc.ts'

const tags = ['Metrics']

const ofService = serviceProcedure('read')

const overview = ofService
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/statistics',
      operationId: 'getServiceStatistics',
      summary: 'Read latencies and uptime over time, by agent and by endpoint',
      description:
        'Whole hours or days, the last of which is the current one: percentiles and uptime of all runs, per agent, and per endpoint beside the previous window.',
      tags,
    },
  })
  .input(WindowQuery)
  .output(Statistics)
  .query(async ({ ctx, input }) => {
    const buckets = bucketsOf(input.window, ctx.now())
    const [runs, endpoints] = await Promise.all([
      readRunBuckets(ctx.reads.db, ctx.service, buckets),
      readEndpoints(ctx.reads.db, ctx.service, buckets),
    ])
    return { window: input.window, bucketType: buckets.type, ...runs, ...endpoints }
  })

const endpointSeries = ofService
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/statistics/endpoint-series',
      operationId: 'getServiceEndpointSeries',
      summary: 'Read calls and latencies of each endpoint over time',
      description:
        'The series behind `endpoints` of the statistics: one point per bucket, for all endpoints together and for each.',
      tags,
    },
  })
  .input(WindowQuery)
  .output(EndpointSeries)
  .query(async ({ ctx, input }) => {
    const buckets = bucketsOf(input.window, ctx.now())
    return {
      window: input.window,
      bucketType: buckets.type,
      buckets: buckets.starts.map((start) => start.toISOString()),
      ...(await readEndpointSeries(ctx.reads.db, ctx.service, buckets)),
    }
  })

const assertions = ofService
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/statistics/assertions',
      operationId: 'getServiceAssertionFailures',
      summary: 'Read how often each assertion failed',
      description: 'Which checks fail most: each assertion that failed in the window, with how often it was checked.',
      tags,
    },
  })
  .input(WindowQuery)
  .output(AssertionFailures)
  .query(async ({ ctx, input }) => {
    const buckets = bucketsOf(input.window, ctx.now())
    return {
      window: input.window,
      since: buckets.since.toISOString(),
      until: buckets.until.toISOString(),
      ...(await readAssertions(ctx.reads.db, ctx.service, buckets)),
    }
  })

const failureHeatmap = ofService
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/statistics/failure-heatmap',
      operationId: 'getServiceFailureHeatmap',
      summary: 'Read failed runs by weekday and hour of day',
      description: 'Shows at which hours a service tends to fail. Weekdays and hours are in UTC.',
      tags,
    },
  })
  .input(DaysQuery)
  .output(FailureHeatmap)
  .query(({ ctx, input }) => readHeatmap(ctx.reads.db, ctx.service, input.days, ctx.now()))

/** The charts of the dashboard: runs and latencies over a range or a part of it, on the clocks of a zone. */
const series = ofService
  .input(SeriesQuery)
  .output(Series)
  .query(async ({ ctx, input }) => {
    const { range, zone, agent } = input
    const buckets = chartBuckets(ctx, input)
    const [runs, agents, versions] = await Promise.all([
      readSeries(ctx.reads.db, ctx.service, buckets, agent),
      readAgents(ctx.reads.db, ctx.service, ctx.now()),
      readVersionMarks(ctx.reads.db, ctx.service, { since: buckets.since, before: buckets.bounds.at(-1) as Date }),
    ])
    return { range, zone, length: buckets.length, buckets: runs, agents, versions }
  })

/** The response time of a run over the same buckets, by phase and by agent. */
const latency = ofService
  .input(LatencyQuery)
  .output(LatencyParts)
  .query(async ({ ctx, input }) => {
    const { range, zone } = input
    const buckets = chartBuckets(ctx, input)
    const parts = await readLatencyParts(ctx.reads.db, ctx.service, buckets)
    return { range, zone, length: buckets.length, ...parts }
  })

/** The heatmap of the dashboard: when runs fail, on the clocks of a zone. */
const week = ofService
  .input(WeekQuery)
  .output(Week)
  .query(({ ctx, input }) => readWeek(ctx.reads.db, ctx.service, input, ctx.now()))

const standing = ofService.output(Standing).query(({ ctx }) => readStanding(ctx.db, ctx.service))

export const statisticsRouter = router({
  overview,
  endpointSeries,
  assertions,
  failureHeatmap,
  latency,
  series,
  week,
  standing,
})

function chartBuckets(ctx: Pick<ActorContext, 'now' | 'settings'>, chart: z.output<typeof LatencyQuery>): ZonedBuckets {
  const { range, zone, since, until } = chart
  const now = ctx.now()
  if (since === undefined || until === undefined) return zonedBuckets(range, zone, now)
  const days = ctx.settings.RESULT_RETENTION_DAYS
  return spanBuckets({ since, until }, zone, { results: retentionStart(now, days), hours: hoursStart(now, days) })
}
