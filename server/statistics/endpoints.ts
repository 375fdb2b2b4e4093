import { sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { endpointDays, endpointHours } from '#db/schema/results.ts'
import { ENDPOINTS_MAX, type EndpointPoint, type EndpointStatistics } from '../schemas/statistics.ts'
import { type Latencies, latencyPercentiles } from './percentiles.ts'
import { daySketch, hourSketch, latenciesOf, ofDays, ofHours } from './rollups.ts'
import { type ServiceRef, share, sum, total } from './runs.ts'
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
    .where(ofHours(endpointHours, service, buckets))
  const days = db
    .select({ start: endpointDays.day, ...columns(endpointDays), ...daySketch(endpointDays) })
    .from(endpointDays)
    .where(ofDays(endpointDays, service, buckets))
  const rows = await (buckets.type === 'day' ? unionAll(hours, days) : hours)
  return rows.map((row) => ({ ...row, start: bucketStart(row.start, buckets.type), latencies: latenciesOf(row) }))
}

/** The window before, added up by the database: only its totals are told. */
async function readPrevious(db: Queryable, service: ServiceRef, buckets: Buckets): Promise<Totals[]> {
  const span = { type: buckets.type, since: buckets.previousSince, before: buckets.since }
  const hours = db
    .select(totalColumns(endpointHours))
    .from(endpointHours)
    .where(ofHours(endpointHours, service, span))
  const days = db
    .select(totalColumns(endpointDays))
    .from(endpointDays)
    .where(ofDays(endpointDays, service, span))
  const rows = (span.type === 'day' ? unionAll(hours, days) : hours).as('rows')
  const sums = await db
    .select({
      endpointKey: rows.endpointKey,
      calls: total(rows.calls),
      failedCalls: total(rows.failedCalls),
      statusCounts: sql<Totals['statusCounts'][]>`jsonb_agg(${rows.statusCounts})`,
      timed: total(rows.timed),
      dnsMs: total(rows.dnsMs),
      connectMs: total(rows.connectMs),
      tlsMs: total(rows.tlsMs),
      ttfbMs: total(rows.ttfbMs),
      transferMs: total(rows.transferMs),
      responseMs: total(rows.responseMs),
      sizeBytes: total(rows.sizeBytes),
    })
    .from(rows)
    .groupBy(rows.endpointKey)
  return sums.map((row) => ({ ...row, statusCounts: addCounts(row.statusCounts) }))
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
  return {
    calls: sum(rows, (row) => row.calls),
    failedCalls: sum(rows, (row) => row.failedCalls),
    statusCodes: addCounts(rows.map((row) => row.statusCounts)),
    avgSizeBytes: mean(rows, 'sizeBytes'),
  }
}

function addCounts(all: Totals['statusCounts'][]): Totals['statusCounts'] {
  const sums: Totals['statusCounts'] = {}
  for (const counts of all) {
    for (const [code, count] of Object.entries(counts)) sums[code] = (sums[code] ?? 0) + count
  }
  return sums
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
