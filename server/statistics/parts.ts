import { type SQLWrapper, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { shouldYield, yieldToEventLoop } from '../lace/event-loop.ts'
import { ROLLUPS, type ServiceRef, selectRollups, sketchColumns } from './rollups.ts'
import { latencyPercentiles, type Sketch } from './sketch.ts'
import { type Buckets, bucketNumber } from './windows.ts'

/** What statistics show of one bucket. `count` is the number of runs or calls; latencies are null when nothing answered. */
export type Point = {
  count: number
  failed: number
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}

export const NO_POINT: Point = { count: 0, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null }

/** Points by the number of their bucket. A bucket for which nothing is stored has none. */
export type Points = (Point | undefined)[]

/** The rows of an agent, by its slug, or of an endpoint, by its key, method and template. */
export type Part = { key: string; method: string; template: string; count: number; rows: PartRow[] }

type PartRow = Sketch & { start: string; key: string; method: string; template: string; count: number; failed: number }
type PartColumns = Record<Exclude<keyof PartRow, 'start'>, SQLWrapper>

const COLUMNS = {
  runs: (by: 'hours' | 'days'): PartColumns => {
    const { agentSlug, failure, timeout, runs, ms, bins } = ROLLUPS.runs[by]
    return {
      key: agentSlug,
      method: sql`''`,
      template: sql`''`,
      count: runs,
      failed: sql`${failure} + ${timeout}`,
      ms,
      bins,
    }
  },
  endpoints: (by: 'hours' | 'days'): PartColumns => {
    const { endpointKey, method, template, calls, failedCalls, ms, bins } = ROLLUPS.endpoints[by]
    return { key: endpointKey, method, template, count: calls, failed: failedCalls, ms, bins }
  },
}

/**
 * Reads the agents or endpoints of a window, and the rows of all of them. Yields to the event loop here and in `pointsOf`:
 * 1,000 endpoints have 90,000 rows in 90 days.
 */
export async function readParts(
  db: Queryable,
  service: ServiceRef,
  buckets: Buckets,
  kind: keyof typeof COLUMNS,
): Promise<{ parts: Part[]; rows: PartRow[] }> {
  const fields = (by: 'hours' | 'days') => {
    const { key, method, template, count, failed, ...sketch } = COLUMNS[kind](by)
    const start = by === 'hours' ? ROLLUPS[kind].hours.hour : ROLLUPS[kind].days.day
    const named = Object.entries({ start, key, method, template, count, failed })
    return {
      ...Object.fromEntries(named.map(([name, column]) => [name, sql`${column}`.as(name)])),
      ...sketchColumns(sketch),
    }
  }
  // Drizzle takes longer to map the rows of 90 days than the database takes to read them.
  const rows = await db.execute<PartRow>(
    selectRollups(db, ROLLUPS[kind], service, buckets, { hours: fields('hours'), days: fields('days') }),
  )
  const parts = new Map<string, Part>()
  const within: PartRow[] = []
  for (const row of rows) {
    if (shouldYield()) await yieldToEventLoop()
    if (bucketNumber(new Date(row.start), buckets) >= buckets.starts.length) continue
    within.push(row)
    const { key, method, template, count } = row
    const part = parts.get(key)
    if (part) {
      part.count += count
      part.rows.push(row)
    } else parts.set(key, { key, method, template, count, rows: [row] })
  }
  return { parts: [...parts.values()], rows: within }
}

/** Returns a point for each bucket of the rows. */
export async function pointsOf(rows: readonly PartRow[], buckets: Buckets): Promise<Points> {
  const byBucket: PartRow[][] = []
  for (const row of rows) {
    const bucket = bucketNumber(new Date(row.start), buckets)
    const own = byBucket[bucket]
    if (own) own.push(row)
    else byBucket[bucket] = [row]
    if (shouldYield()) await yieldToEventLoop()
  }
  const points: Points = []
  for (const [bucket, own] of byBucket.entries()) {
    if (own) points[bucket] = pointOf(own)
    if (shouldYield()) await yieldToEventLoop()
  }
  return points
}

function pointOf(rows: readonly PartRow[]): Point {
  const sum = (value: (row: PartRow) => number) => rows.reduce((total, row) => total + value(row), 0)
  return { count: sum((row) => row.count), failed: sum((row) => row.failed), ...latencyPercentiles(rows) }
}
