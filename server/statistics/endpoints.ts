import { and, eq, gte, lt } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { endpointDays, endpointHours } from '#db/schema/results.ts'
import { ENDPOINTS_MAX, type EndpointPoint, type EndpointStatistics } from '../schemas/statistics.ts'
import { type ServiceRef, share, sum } from './runs.ts'
import { percentilesOf } from './sketch.ts'
import type { Buckets } from './windows.ts'

type Row = Omit<typeof endpointHours.$inferSelect, 'hour'> & { start: Date }

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
  const [rows, before] = await Promise.all([
    readRows(db, service, buckets, buckets.since, null),
    readRows(db, service, buckets, buckets.previousSince, buckets.since),
  ])
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
  const rows = await readRows(db, service, buckets, buckets.since, null)
  const { kept, truncated } = mostCalled(rows)
  return {
    all: toPoints(rows, buckets),
    endpoints: kept.map((own) => ({ ...identity(own[0]), points: toPoints(own, buckets) })),
    endpointsTruncated: truncated,
  }
}

async function readRows(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
  from: Date,
  to: Date | null,
): Promise<Row[]> {
  const table = buckets.type === 'hour' ? endpointHours : endpointDays
  const start = buckets.type === 'hour' ? endpointHours.hour : endpointDays.day
  const rows = await db
    .select()
    .from(table)
    .where(
      and(
        eq(table.organizationId, service.organizationId),
        eq(table.serviceId, service.id),
        gte(start, from),
        to ? lt(start, to) : undefined,
      ),
    )
  return rows.map(
    (row) => ({ ...row, start: 'hour' in row ? (row.hour as Date) : (row.day as Date) }) as unknown as Row,
  )
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

function compare(own: Rows, before: Row[]): EndpointStatistics {
  const percentiles = percentilesOf(own, [0.5, 0.95, 0.99])
  const phases = Object.fromEntries(
    Object.entries(PHASES).map(([name, column]) => [
      name,
      { avgMs: mean(own, column), previousAvgMs: mean(before, column) },
    ]),
  ) as EndpointStatistics['phases']
  return {
    ...identity(own[0]),
    ...totals(own),
    p50Ms: percentiles?.[0] ?? null,
    p95Ms: percentiles?.[1] ?? null,
    p99Ms: percentiles?.[2] ?? null,
    phases,
    previous: totals(before),
  }
}

function identity(row: Row) {
  return { key: row.endpointKey, method: row.method, template: row.template }
}

function totals(rows: Row[]) {
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
function mean(rows: Row[], column: (typeof PHASES)[keyof typeof PHASES] | 'sizeBytes'): number | null {
  const timed = sum(rows, (row) => row.timed)
  return timed === 0 ? null : Math.round((sum(rows, (row) => row[column]) / timed) * 100) / 100
}

function toPoints(rows: Row[], buckets: Buckets): EndpointPoint[] {
  const byStart = Map.groupBy(rows, (row) => row.start.getTime())
  return buckets.starts.map((start) => {
    const own = byStart.get(start.getTime()) ?? []
    const percentiles = percentilesOf(own, [0.5, 0.95, 0.99])
    const calls = sum(own, (row) => row.calls)
    const failedCalls = sum(own, (row) => row.failedCalls)
    return {
      bucketStart: start.toISOString(),
      calls,
      failedCalls,
      p50Ms: percentiles?.[0] ?? null,
      p95Ms: percentiles?.[1] ?? null,
      p99Ms: percentiles?.[2] ?? null,
      errorRatePct: share(failedCalls, calls),
    }
  })
}
