import { shouldYield, yieldToEventLoop } from '../lace/event-loop.ts'
import { type Latencies, latencyPercentiles } from './percentiles.ts'

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

/** A roll-up row of an agent, by its slug, or of an endpoint, by its key, method and template. */
export type PartRow = {
  bucket: number
  name: PartName
  count: number
  failed: number
  latencies: Latencies
}

export type PartName = readonly [key: string, ...more: string[]]

/** Returns a point for each bucket of the rows. Yields to the event loop, as a script may call thousands of endpoints. */
export async function pointsOf(rows: readonly PartRow[]): Promise<Points> {
  const byBucket: PartRow[][] = []
  for (const row of rows) {
    const own = byBucket[row.bucket]
    if (own) own.push(row)
    else byBucket[row.bucket] = [row]
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
  let count = 0
  let failed = 0
  for (const row of rows) {
    count += row.count
    failed += row.failed
  }
  return { count, failed, ...latencyPercentiles(rows.map((row) => row.latencies)) }
}

/** Maps rows of the database. Yields to the event loop, because 1,000 endpoints have 90,000 rows in 90 days. */
export async function toPartRows<R>(rows: readonly R[], toPartRow: (row: R) => PartRow): Promise<PartRow[]> {
  const mapped: PartRow[] = []
  for (const row of rows) {
    mapped.push(toPartRow(row))
    if (shouldYield()) await yieldToEventLoop()
  }
  return mapped
}
