import type { Queryable } from '#db/client.ts'
import { desc, inArray, type SQL, sql } from '#db/drizzle.cjs'
import { ENDPOINTS_MAX, type EndpointPoint, type EndpointStatistics } from '../../schemas/statistics.ts'
import { type Entry, type Part, pointsOf, readParts } from './points.ts'
import { asJson, type RollupTable, type ServiceRef, type Span, selectRollups, sqlSum } from './rollups.ts'
import { percentage } from './runs.ts'
import { latencyPercentiles, type Sketch } from './sketch.ts'
import type { Buckets } from './windows.ts'

type Endpoint = { key: string; method: string; template: string }

/** The phases of a call and its whole response time: the name in the API and the column. */
const TIMES = {
  dnsMs: 'dnsMs',
  connectMs: 'connectMs',
  tlsMs: 'tlsMs',
  ttfbMs: 'ttfbMs',
  transferMs: 'transferMs',
  responseTimeMs: 'responseMs',
} as const
const SUMS = ['calls', 'failedCalls', 'timed', 'sizeBytes', ...Object.values(TIMES)] as const
type Sum = (typeof SUMS)[number]
/** An endpoint over a whole window. */
type Totals = Record<Sum, number> & { statusCounts: Record<string, number>[] }

/** Returns the endpoints called in the window, most called first, each compared with the previous window. */
export async function readEndpoints(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
): Promise<{ endpoints: EndpointStatistics[]; endpointsTruncated: boolean }> {
  const found = await readTotals(db, service, buckets)
  return {
    endpoints: found.slice(0, ENDPOINTS_MAX).map(({ endpoint, own, before, sketches }) => ({
      ...endpoint,
      ...present(own),
      ...latencyPercentiles(sketches),
      phases: Object.fromEntries(
        Object.entries(TIMES).map(([name, column]) => [
          name,
          { avgMs: mean(own, column), previousAvgMs: mean(before, column) },
        ]),
      ) as EndpointStatistics['phases'],
      previous: present(before),
    })),
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
  endpoints: (Endpoint & { points: EndpointPoint[] })[]
  endpointsTruncated: boolean
}> {
  const parts = await readParts(db, 'endpoints', service, buckets, (table) => ({
    part: endpointOf(table),
    count: table.calls,
    failed: table.failedCalls,
  }))
  const all = await toPoints(
    parts.flatMap(({ entries }) => entries),
    buckets,
  )
  const kept = mostCalled(parts).map(async ({ part, entries }) => {
    return { ...part, points: parts.length === 1 ? all : await toPoints(entries, buckets) }
  })
  return { all, endpoints: await Promise.all(kept), endpointsTruncated: parts.length > ENDPOINTS_MAX }
}

function endpointOf({ endpointKey, method, template }: RollupTable<'endpoints'>): SQL<Endpoint> {
  return sql`jsonb_build_object('key', ${endpointKey}, 'method', ${method}, 'template', ${template})`
}

/** The endpoints with the most calls. Ties are ordered by key, so that the order is stable. */
function mostCalled(endpoints: Part<Endpoint>[]): Part<Endpoint>[] {
  return endpoints
    .map((endpoint) => ({ ...endpoint, calls: endpoint.entries.reduce((calls, { count }) => calls + count, 0) }))
    .sort((a, b) => b.calls - a.calls || (a.part.key < b.part.key ? -1 : 1))
    .slice(0, ENDPOINTS_MAX)
}

async function toPoints(entries: Entry[], { starts }: Buckets): Promise<EndpointPoint[]> {
  const points = await pointsOf(entries, starts)
  return points.map(({ count, failed, ...point }) => ({
    ...point,
    calls: count,
    failedCalls: failed,
    errorRatePct: percentage(failed, count),
  }))
}

type EndpointTotals = { endpoint: Endpoint; own: Totals; before: Totals | undefined; sketches: Sketch[] }

/**
 * Endpoints over the whole window, most called first, each with its sums in the previous window. Returns one more than the
 * limit if there are more. Sums need no hours, so the whole days of the window are read from their daily rows.
 */
async function readTotals(
  db: Queryable,
  service: ServiceRef,
  { since, previousSince }: Buckets,
): Promise<EndpointTotals[]> {
  const { rows, fields } = totalsIn(db, service, { type: 'day', since })
  const sketches = sql<Sketch[]>`json_agg(${asJson<Sketch>({ ms: rows.ms, bins: rows.bins })})`
  const earlier = totalsIn(db, service, { type: 'day', since: previousSince, before: since })
  const found = await db
    .select({ ...fields, sketches })
    .from(rows)
    .groupBy(rows.endpoint)
    .orderBy(desc(sqlSum(rows.calls)), sql`${rows.endpoint} ->> 'key' collate "C"`)
    .limit(ENDPOINTS_MAX + 1)
  const keys = found.map(({ endpoint }) => endpoint.key)
  const before = await db
    .select(earlier.fields)
    .from(earlier.rows)
    .where(inArray(sql`${earlier.rows.endpoint} ->> 'key'`, keys))
    .groupBy(earlier.rows.endpoint)
  const totalsBefore = new Map(before.map(({ endpoint, totals }) => [endpoint.key, totals]))
  return found.map(({ totals, ...row }) => ({ ...row, own: totals, before: totalsBefore.get(row.endpoint.key) }))
}

function totalsIn(db: Queryable, service: ServiceRef, span: Span) {
  const rows = selectRollups(db, 'endpoints', service, span, (table) => ({
    ...pickSums((name) => table[name]),
    ...{ endpoint: endpointOf(table).as('endpoint'), statusCounts: table.statusCounts, ms: table.ms, bins: table.bins },
  })).as('rows')
  const sums = pickSums((name) => sql`sum(${rows[name]})`)
  const totals = asJson<Totals>({ ...sums, statusCounts: sql`json_agg(${rows.statusCounts})` })
  return { rows, fields: { endpoint: rows.endpoint, totals } }
}

function pickSums<T>(of: (name: Sum) => T): Record<Sum, T> {
  return Object.fromEntries(SUMS.map((name) => [name, of(name)])) as Record<Sum, T>
}

export function addCounts(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const counts of all) {
    for (const name in counts) sums[name] = (sums[name] ?? 0) + (counts[name] as number)
  }
  return sums
}

function present(of: Totals | undefined) {
  return {
    calls: of?.calls ?? 0,
    failedCalls: of?.failedCalls ?? 0,
    statusCodes: addCounts(of?.statusCounts ?? []),
    avgSizeBytes: mean(of, 'sizeBytes'),
  }
}

/** The mean over the timed calls, rounded to two decimals. */
function mean(of: Totals | undefined, column: Sum): number | null {
  return of === undefined || of.timed === 0 ? null : Math.round((of[column] / of.timed) * 100) / 100
}
