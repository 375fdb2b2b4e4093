import { desc, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { allEndpointHours, endpointDays } from '#db/schema/results.ts'
import { ENDPOINTS_MAX, type EndpointPoint, type EndpointStatistics } from '../schemas/statistics.ts'
import { readHourlyRows } from './hourly-rows.ts'
import { collectParts, type Part } from './parts.ts'
import { type Latencies, latencyPercentiles } from './percentiles.ts'
import { NO_POINT, type PartRow, type Points } from './points.ts'
import {
  aggregateSketches,
  daySketch,
  hourSketch,
  latenciesOf,
  latenciesOfAggregate,
  ROLLUPS,
  type ServiceRef,
  type Span,
  selectRollups,
} from './rollups.ts'
import { percentage, sqlSum } from './runs.ts'
import { type Buckets, bucketNumber } from './windows.ts'

type Counters = typeof allEndpointHours.$inferSelect
type Column = (typeof PHASES)[keyof typeof PHASES] | 'sizeBytes'

type Identity = Pick<Counters, 'endpointKey' | 'method' | 'template'>
/** An endpoint over a whole window. */
type Totals = Pick<Counters, 'calls' | 'failedCalls' | 'statusCounts' | 'timed' | Column>
type WindowRow = Identity & Totals & { latencies: Latencies[] }

const PHASES = {
  dnsMs: 'dnsMs',
  connectMs: 'connectMs',
  tlsMs: 'tlsMs',
  ttfbMs: 'ttfbMs',
  transferMs: 'transferMs',
  responseTimeMs: 'responseMs',
} as const

/** Returns the endpoints called in the window, most called first, each compared with the previous window. */
export async function readEndpoints(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ endpoints: EndpointStatistics[]; endpointsTruncated: boolean }> {
  const [found, before] = await Promise.all([readWindow(db, service, buckets), readPrevious(db, service, buckets)])
  return {
    endpoints: found.slice(0, ENDPOINTS_MAX).map((own) => compare(own, before.get(own.endpointKey))),
    endpointsTruncated: found.length > ENDPOINTS_MAX,
  }
}

/** Returns a point per bucket for each endpoint called in the window, and for all endpoints together. */
export async function readEndpointSeries(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{
  all: EndpointPoint[]
  endpoints: { key: string; method: string; template: string; points: EndpointPoint[] }[]
  endpointsTruncated: boolean
}> {
  const stored =
    buckets.type === 'hour'
      ? await readHourlyRows(db, service, buckets, 'endpoints')
      : { rows: await readDailyRows(db, service, buckets), days: [] }
  const { list, points } = await collectParts(buckets, stored)
  const starts = buckets.starts.map((start) => start.toISOString())
  const all = toPoints(await points(), starts)
  const kept = mostCalled(list).map(async ({ name, points: own }) => {
    const [key, method, template] = name as [string, string, string]
    return { key, method, template, points: list.length === 1 ? all : toPoints(await own(), starts) }
  })
  return {
    all,
    endpoints: await Promise.all(kept),
    endpointsTruncated: list.length > ENDPOINTS_MAX,
  }
}

function rollupsOf(db: Queryable, service: ServiceRef, span: Span) {
  return selectRollups(db, ROLLUPS.endpoints, service, span, {
    hours: { start: allEndpointHours.hour, ...columns(allEndpointHours), ...hourSketch(allEndpointHours) },
    days: { start: endpointDays.day, ...columns(endpointDays), ...daySketch(endpointDays) },
  }).as('rows')
}

function columns(table: typeof allEndpointHours | typeof endpointDays) {
  return {
    endpointKey: table.endpointKey,
    method: table.method,
    template: table.template,
    calls: table.calls,
    failedCalls: table.failedCalls,
    statusCounts: table.statusCounts,
    timed: table.timed,
    dnsMs: table.dnsMs,
    connectMs: table.connectMs,
    tlsMs: table.tlsMs,
    ttfbMs: table.ttfbMs,
    transferMs: table.transferMs,
    responseMs: table.responseMs,
    sizeBytes: table.sizeBytes,
  }
}

type Rollups = ReturnType<typeof rollupsOf>

async function readDailyRows(db: Queryable, service: ServiceRef, buckets: Buckets): Promise<PartRow[]> {
  const from = rollupsOf(db, service, { ...buckets, sums: true })
  const { start, endpointKey, method, template, calls, failedCalls, ms, bins, counts, packed } = from
  const rows = await db
    .select({ start, endpointKey, method, template, calls, failedCalls, ms, bins, counts, packed })
    .from(from)
  return rows.map((row) => ({
    bucket: bucketNumber(row.start, buckets),
    name: [row.endpointKey, row.method, row.template],
    count: row.calls,
    failed: row.failedCalls,
    latencies: latenciesOf(row),
  }))
}

/**
 * Endpoints over the whole window, most called first. Returns one more than the limit if there are more. Sums need no
 * hours, so the whole days of the window are read from their daily rows.
 */
async function readWindow(db: Queryable, service: ServiceRef, { since }: Buckets): Promise<WindowRow[]> {
  const from = rollupsOf(db, service, { type: 'day', since, sums: true })
  const sums = totalsOf(from)
  const rows = await db
    .select({
      endpointKey: from.endpointKey,
      method: sql<string>`min(${from.method})`,
      template: sql<string>`min(${from.template})`,
      ...sums,
      ...aggregateSketches(from),
    })
    .from(from)
    .groupBy(from.endpointKey)
    .orderBy(desc(sums.calls), sql`${from.endpointKey} collate "C"`)
    .limit(ENDPOINTS_MAX + 1)
  return rows.map((row) => ({
    ...row,
    statusCounts: addCounts(row.statusCounts),
    latencies: latenciesOfAggregate(row),
  }))
}

/** The sums of the previous window, by endpoint. */
async function readPrevious(db: Queryable, service: ServiceRef, buckets: Buckets): Promise<Map<string, Totals>> {
  const { since, previousSince } = buckets
  const from = rollupsOf(db, service, { type: 'day', since: previousSince, before: since })
  const rows = await db
    .select({ endpointKey: from.endpointKey, ...totalsOf(from) })
    .from(from)
    .groupBy(from.endpointKey)
  return new Map(rows.map((row) => [row.endpointKey, { ...row, statusCounts: addCounts(row.statusCounts) }]))
}

function totalsOf(from: Rollups) {
  return {
    calls: sqlSum(from.calls),
    failedCalls: sqlSum(from.failedCalls),
    statusCounts: sql<Counters['statusCounts'][]>`jsonb_agg(${from.statusCounts})`,
    timed: sqlSum(from.timed),
    dnsMs: sqlSum(from.dnsMs),
    connectMs: sqlSum(from.connectMs),
    tlsMs: sqlSum(from.tlsMs),
    ttfbMs: sqlSum(from.ttfbMs),
    transferMs: sqlSum(from.transferMs),
    responseMs: sqlSum(from.responseMs),
    sizeBytes: sqlSum(from.sizeBytes),
  }
}

/** The endpoints with the most calls. Ties are ordered by key, so that the order is stable. */
function mostCalled(endpoints: Part[]): Part[] {
  return endpoints.toSorted((a, b) => b.count - a.count || (a.name[0] < b.name[0] ? -1 : 1)).slice(0, ENDPOINTS_MAX)
}

function compare(own: WindowRow, before: Totals | undefined): EndpointStatistics {
  const phases = Object.fromEntries(
    Object.entries(PHASES).map(([name, column]) => [
      name,
      { avgMs: mean(own, column), previousAvgMs: mean(before, column) },
    ]),
  ) as EndpointStatistics['phases']
  return { ...identity(own), ...totals(own), ...latencyPercentiles(own.latencies), phases, previous: totals(before) }
}

function identity(of: Identity) {
  return { key: of.endpointKey, method: of.method, template: of.template }
}

function totals(of: Totals | undefined) {
  return {
    calls: of?.calls ?? 0,
    failedCalls: of?.failedCalls ?? 0,
    statusCodes: of?.statusCounts ?? {},
    avgSizeBytes: mean(of, 'sizeBytes'),
  }
}

function addCounts(all: Counters['statusCounts'][]): Counters['statusCounts'] {
  const sums: Counters['statusCounts'] = {}
  for (const counts of all) {
    for (const code in counts) sums[code] = (sums[code] ?? 0) + (counts[code] as number)
  }
  return sums
}

/** The mean over the timed calls, rounded to two decimals. */
function mean(of: Totals | undefined, column: Column): number | null {
  return of === undefined || of.timed === 0 ? null : Math.round((of[column] / of.timed) * 100) / 100
}

function toPoints(points: Points, starts: string[]): EndpointPoint[] {
  return starts.map((bucketStart, i) => {
    const { count, failed, p50Ms, p95Ms, p99Ms } = points[i] ?? NO_POINT
    return {
      bucketStart,
      calls: count,
      failedCalls: failed,
      ...{ p50Ms, p95Ms, p99Ms },
      errorRatePct: percentage(failed, count),
    }
  })
}
