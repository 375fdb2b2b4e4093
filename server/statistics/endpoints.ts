import { desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { endpointDays, endpointHours } from '#db/schema/results.ts'
import { ENDPOINTS_MAX, type EndpointPoint, type EndpointStatistics } from '../schemas/statistics.ts'
import { NO_POINT, type Part, type Points, pointsOf, readParts } from './parts.ts'
import { ROLLUPS, type ServiceRef, type Span, selectRollups, sketchLists } from './rollups.ts'
import { percentage, sqlSum } from './runs.ts'
import { latencyPercentiles, type Sketch, sketchesOf } from './sketch.ts'
import type { Buckets } from './windows.ts'

type Columns = typeof endpointHours.$inferSelect
/** An endpoint over a whole window. */
type Totals = Pick<Columns, (typeof SUMS)[number] | 'statusCounts'>
type WindowRow = Totals & Pick<Columns, 'endpointKey' | 'method' | 'template'> & { sketches: Sketch[] }

const PHASES = {
  dnsMs: 'dnsMs',
  connectMs: 'connectMs',
  tlsMs: 'tlsMs',
  ttfbMs: 'ttfbMs',
  transferMs: 'transferMs',
  responseTimeMs: 'responseMs',
} as const
const SUMS = ['calls', 'failedCalls', 'timed', 'sizeBytes', ...Object.values(PHASES)] as const

/** Returns the endpoints called in the window, most called first, each compared with the previous window. */
export async function readEndpoints(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ endpoints: EndpointStatistics[]; endpointsTruncated: boolean }> {
  const found = await readWindow(db, service, buckets)
  return {
    endpoints: found.slice(0, ENDPOINTS_MAX).map(compare),
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
  const { parts, rows } = await readParts(db, service, buckets, 'endpoints')
  const starts = buckets.starts.map((start) => start.toISOString())
  const all = toPoints(await pointsOf(rows, buckets), starts)
  const kept = mostCalled(parts).map(async ({ key, method, template, rows: own }) => {
    const points = parts.length === 1 ? all : toPoints(await pointsOf(own, buckets), starts)
    return { key, method, template, points }
  })
  return {
    all,
    endpoints: await Promise.all(kept),
    endpointsTruncated: parts.length > ENDPOINTS_MAX,
  }
}

function rollupsOf(db: Queryable, service: ServiceRef, span: Span, name: string) {
  return selectRollups(db, ROLLUPS.endpoints, service, span, {
    hours: columns(endpointHours),
    days: columns(endpointDays),
  }).as(name)
}

function columns(table: typeof endpointHours | typeof endpointDays) {
  const { endpointKey, method, template, statusCounts, ms, bins } = table
  const sums = Object.fromEntries(SUMS.map((name) => [name, table[name]])) as Pick<typeof table, (typeof SUMS)[number]>
  return { endpointKey, method, template, statusCounts, ms, bins, ...sums }
}

type Rollups = ReturnType<typeof rollupsOf>

/**
 * Endpoints over the whole window, most called first, each with its sums in the previous window. Returns one more than the
 * limit if there are more. Sums need no hours, so the whole days of the window are read from their daily rows.
 */
async function readWindow(
  db: Queryable,
  service: ServiceRef,
  { since, previousSince }: Buckets,
): Promise<{ own: WindowRow; before: Totals | null }[]> {
  const rows = rollupsOf(db, service, { type: 'day', since }, 'rows')
  const sums = totalsOf(rows)
  const own = db
    .select({
      endpointKey: rows.endpointKey,
      method: sql<string>`min(${rows.method})`.as('method'),
      template: sql<string>`min(${rows.template})`.as('template'),
      ...sums,
      ...sketchLists(rows),
    })
    .from(rows)
    .groupBy(rows.endpointKey)
    .orderBy(desc(sums.calls), inOrder(rows))
    .limit(ENDPOINTS_MAX + 1)
    .as('own')
  const earlier = rollupsOf(db, service, { type: 'day', since: previousSince, before: since }, 'earlier')
  const before = db
    .select({ endpointKey: earlier.endpointKey, ...totalsOf(earlier, 'before_') })
    .from(earlier)
    .groupBy(earlier.endpointKey)
    .as('before')
  const found = await db
    .select()
    .from(own)
    .leftJoin(before, eq(before.endpointKey, own.endpointKey))
    .orderBy(desc(own.calls), inOrder(own))
  return found.map(({ own, before }) => ({
    own: { ...own, statusCounts: addCounts(own.statusCounts), sketches: sketchesOf(own) },
    before: before && { ...before, statusCounts: addCounts(before.statusCounts) },
  }))
}

function inOrder({ endpointKey }: { endpointKey: SQLWrapper }) {
  return sql`${endpointKey} collate "C"`
}

/** Drizzle does not qualify the names of expressions, so sums that are joined need names of their own. */
function totalsOf(from: Rollups, prefix = '') {
  const sums = SUMS.map((name) => [name, sqlSum(from[name]).as(prefix + name)])
  return {
    ...(Object.fromEntries(sums) as Record<(typeof SUMS)[number], SQL.Aliased<number>>),
    statusCounts: sql<Columns['statusCounts'][]>`jsonb_agg(${from.statusCounts})`.as(`${prefix}status_counts`),
  }
}

export function addCounts(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const counts of all) {
    for (const name in counts) sums[name] = (sums[name] ?? 0) + (counts[name] as number)
  }
  return sums
}

/** The endpoints with the most calls. Ties are ordered by key, so that the order is stable. */
function mostCalled(endpoints: Part[]): Part[] {
  return endpoints.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, ENDPOINTS_MAX)
}

function compare({ own, before }: { own: WindowRow; before: Totals | null }): EndpointStatistics {
  const phases = Object.fromEntries(
    Object.entries(PHASES).map(([name, column]) => [
      name,
      { avgMs: mean(own, column), previousAvgMs: mean(before, column) },
    ]),
  ) as EndpointStatistics['phases']
  const { endpointKey: key, method, template, sketches } = own
  return { key, method, template, ...totals(own), ...latencyPercentiles(sketches), phases, previous: totals(before) }
}

function totals(of: Totals | null) {
  return {
    calls: of?.calls ?? 0,
    failedCalls: of?.failedCalls ?? 0,
    statusCodes: of?.statusCounts ?? {},
    avgSizeBytes: mean(of, 'sizeBytes'),
  }
}

/** The mean over the timed calls, rounded to two decimals. */
function mean(of: Totals | null, column: (typeof SUMS)[number]): number | null {
  return of === null || of.timed === 0 ? null : Math.round((of[column] / of.timed) * 100) / 100
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
