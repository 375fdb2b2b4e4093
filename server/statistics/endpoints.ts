import { and, eq, gte, lt, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { endpointDays, endpointHours } from '#db/schema/results.ts'
import { ENDPOINTS_MAX, type EndpointPoint, type EndpointStatistics } from '../schemas/statistics.ts'
import { daySketch, hourSketch, isUnfolded, latenciesOf } from './folding.ts'
import { type Latencies, latencyPercentiles } from './percentiles.ts'
import { type ServiceRef, share, sum } from './runs.ts'
import { type Buckets, bucketStart } from './windows.ts'

type Totals = Pick<
  typeof endpointHours.$inferSelect,
  'endpointKey' | 'calls' | 'failedCalls' | 'statusCounts' | 'timed' | Column
>
type Row = Totals & { start: Date; method: string; template: string; latencies: Latencies }
type Column = (typeof PHASES)[keyof typeof PHASES] | 'sizeBytes'

const PHASES = {
  dnsMs: 'dnsMs',
  connectMs: 'connectMs',
  tlsMs: 'tlsMs',
  ttfbMs: 'ttfbMs',
  transferMs: 'transferMs',
  responseTimeMs: 'responseMs',
} as const

/** Endpoints called in the window, most called first, with the window before beside it. */
export async function readEndpoints(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ endpoints: EndpointStatistics[]; endpointsTruncated: boolean }> {
  const [rows, before] = await Promise.all([readRows(db, service, buckets), readPrevious(db, service, buckets)])
  const previous = Map.groupBy(before, (row) => row.endpointKey)
  const { kept, truncated } = mostCalled(rows)
  return {
    endpoints: kept.map((own) => compare(own, previous.get(own[0].endpointKey) ?? [])),
    endpointsTruncated: truncated,
  }
}

/** A point per bucket for each endpoint called in the window, and for all of them together. */
export async function readEndpointSeries(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{
  all: EndpointPoint[]
  endpoints: { key: string; method: string; template: string; points: EndpointPoint[] }[]
  endpointsTruncated: boolean
}> {
  const rows = await readRows(db, service, buckets)
  const { kept, truncated } = mostCalled(rows)
  return {
    all: toPoints(rows, buckets),
    endpoints: kept.map((own) => ({ ...identity(own[0]), points: toPoints(own, buckets) })),
    endpointsTruncated: truncated,
  }
}

type Table = typeof endpointHours | typeof endpointDays

async function readRows(db: Queryable, service: ServiceRef, buckets: Buckets): Promise<Row[]> {
  const hours = db
    .select({ start: endpointHours.hour, ...columns(endpointHours), ...hourSketch(endpointHours) })
    .from(endpointHours)
    .where(
      and(
        ofService(endpointHours, service),
        gte(endpointHours.hour, buckets.since),
        buckets.type === 'day' ? isUnfolded(endpointHours.hour, service) : undefined,
      ),
    )
  const days = db
    .select({ start: endpointDays.day, ...columns(endpointDays), ...daySketch(endpointDays) })
    .from(endpointDays)
    .where(and(ofService(endpointDays, service), gte(endpointDays.day, buckets.since)))
  const rows = await (buckets.type === 'day' ? unionAll(hours, days) : hours)
  return rows.map((row) => ({ ...row, start: bucketStart(row.start, buckets.type), latencies: latenciesOf(row) }))
}

/** The window before: only sums are told of it. */
function readPrevious(db: Queryable, service: ServiceRef, { type, since, previousSince }: Buckets): Promise<Totals[]> {
  const hours = db
    .select(totalColumns(endpointHours))
    .from(endpointHours)
    .where(
      and(
        ofService(endpointHours, service),
        gte(endpointHours.hour, previousSince),
        lt(endpointHours.hour, since),
        type === 'day' ? isUnfolded(endpointHours.hour, service) : undefined,
      ),
    )
  const days = db
    .select(totalColumns(endpointDays))
    .from(endpointDays)
    .where(and(ofService(endpointDays, service), gte(endpointDays.day, previousSince), lt(endpointDays.day, since)))
  return type === 'day' ? unionAll(hours, days) : hours
}

function columns(table: Table) {
  return { ...totalColumns(table), method: table.method, template: table.template }
}

function totalColumns(table: Table) {
  return {
    endpointKey: table.endpointKey,
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

function ofService(table: Table, service: ServiceRef): SQL | undefined {
  return and(eq(table.organizationId, service.organizationId), eq(table.serviceId, service.id))
}

type Rows = [Row, ...Row[]]

/** The endpoints with the most calls; equal ones by key, so that the answer is stable. */
function mostCalled(rows: Row[]): { kept: Rows[]; truncated: boolean } {
  const groups = [...Map.groupBy(rows, (row) => row.endpointKey).values()] as Rows[]
  const ranked = groups
    .map((own) => ({ own, calls: sum(own, (row) => row.calls) }))
    .sort((a, b) => b.calls - a.calls || (a.own[0].endpointKey < b.own[0].endpointKey ? -1 : 1))
  return { kept: ranked.slice(0, ENDPOINTS_MAX).map(({ own }) => own), truncated: ranked.length > ENDPOINTS_MAX }
}

function compare(own: Rows, before: Totals[]): EndpointStatistics {
  const phases = Object.fromEntries(
    Object.entries(PHASES).map(([name, column]) => [
      name,
      { avgMs: mean(own, column), previousAvgMs: mean(before, column) },
    ]),
  ) as EndpointStatistics['phases']
  return {
    ...identity(own[0]),
    ...totals(own),
    ...latencyPercentiles(own),
    phases,
    previous: totals(before),
  }
}

function identity(row: Row) {
  return { key: row.endpointKey, method: row.method, template: row.template }
}

function totals(rows: Totals[]) {
  const statusCodes: Record<string, number> = {}
  for (const row of rows) {
    for (const [code, count] of Object.entries(row.statusCounts)) statusCodes[code] = (statusCodes[code] ?? 0) + count
  }
  return {
    calls: sum(rows, (row) => row.calls),
    failedCalls: sum(rows, (row) => row.failedCalls),
    statusCodes,
    avgSizeBytes: mean(rows, 'sizeBytes'),
  }
}

/** Over the timed calls, to a hundredth. */
function mean(rows: Totals[], column: Column): number | null {
  const timed = sum(rows, (row) => row.timed)
  return timed === 0 ? null : Math.round((sum(rows, (row) => row[column]) / timed) * 100) / 100
}

function toPoints(rows: Row[], buckets: Buckets): EndpointPoint[] {
  const byStart = Map.groupBy(rows, (row) => row.start.getTime())
  return buckets.starts.map((start) => {
    const own = byStart.get(start.getTime()) ?? []
    const calls = sum(own, (row) => row.calls)
    const failedCalls = sum(own, (row) => row.failedCalls)
    return {
      bucketStart: start.toISOString(),
      calls,
      failedCalls,
      ...latencyPercentiles(own),
      errorRatePct: share(failedCalls, calls),
    }
  })
}
