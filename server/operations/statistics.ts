import {
  AssertionFailures,
  DaysQuery,
  EndpointSeries,
  FailureHeatmap,
  Statistics,
  WindowQuery,
} from '../schemas/statistics.ts'
import { readAssertions } from '../statistics/assertions.ts'
import { readEndpointSeries, readEndpoints } from '../statistics/endpoints.ts'
import { readHeatmap } from '../statistics/heatmap.ts'
import { readRunBuckets } from '../statistics/runs.ts'
import { bucketsOf } from '../statistics/windows.ts'
import { router, serviceProcedure } from '../trpc.ts'

const tags = ['Metrics']

const overview = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/statistics',
      operationId: 'getServiceStatistics',
      summary: 'Read latencies and uptime over time, by agent and by endpoint',
      tags,
    },
  })
  .input(WindowQuery)
  .output(Statistics)
  .query(async ({ ctx, input }) => {
    const buckets = bucketsOf(input.window, ctx.now())
    const [runs, endpoints] = await Promise.all([
      readRunBuckets(ctx.db, ctx.service, buckets),
      readEndpoints(ctx.db, ctx.service, buckets),
    ])
    return { window: input.window, bucketType: buckets.type, ...runs, ...endpoints }
  })

const endpointSeries = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/statistics/endpoint-series',
      operationId: 'getServiceEndpointSeries',
      summary: 'Read calls and latencies of each endpoint over time',
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
      ...(await readEndpointSeries(ctx.db, ctx.service, buckets)),
    }
  })

const assertions = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/statistics/assertions',
      operationId: 'getServiceAssertionFailures',
      summary: 'Read how often each assertion failed',
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
      ...(await readAssertions(ctx.db, ctx.service, buckets)),
    }
  })

const failureHeatmap = serviceProcedure('read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/services/{id}/metrics/statistics/failure-heatmap',
      operationId: 'getServiceFailureHeatmap',
      summary: 'Read failed runs by weekday and hour of day',
      tags,
    },
  })
  .input(DaysQuery)
  .output(FailureHeatmap)
  .query(({ ctx, input }) => readHeatmap(ctx.db, ctx.service, input.days, ctx.now()))

export const statisticsRouter = router({ overview, endpointSeries, assertions, failureHeatmap })
