import type { Queryable } from '#db/client.ts'
import { lte, type SQL, type SQLWrapper, sql } from '#db/drizzle.cjs'
import { shouldYield, yieldToEventLoop } from '../../language/lace/event-loop.ts'
import { asJson, type RollupTable, type ServiceRef, selectRollups, type TimedKind } from './rollups.ts'
import { latencyPercentiles, type Percentiles, type Sketch } from './sketch.ts'
import type { Buckets } from './windows.ts'

/** Runs or calls in a bucket, by its number, and their latencies. */
export type Entry = Sketch & { bucket: number; count: number; failed: number }

/** What is shown of a bucket. Latencies are null when nothing answered. */
type Point = { bucketStart: string; count: number; failed: number } & Percentiles

/** An agent or an endpoint, with its rows. */
export type Part<P> = { part: P; entries: Entry[] }

/** Reads the agents or the endpoints of a window. `fieldsOf` returns what identifies one, and what its rows count. */
export async function readParts<K extends TimedKind, P>(
  db: Queryable,
  kind: K,
  service: ServiceRef,
  { type, since, until }: Buckets,
  fieldsOf: (table: RollupTable<K>) => { part: SQL<P>; count: SQLWrapper; failed: SQLWrapper },
): Promise<Part<P>[]> {
  const bucket = (start: SQLWrapper) =>
    sql`floor(extract(epoch from ${start} - ${since.toISOString()}::timestamptz) / ${type === 'hour' ? 3_600 : 86_400})`
  const rows = selectRollups(db, kind, service, { type, since }, (table, start) => {
    const { part, count, failed } = fieldsOf(table)
    const entry = asJson<Entry>({ bucket: bucket(start), count, failed, ms: table.ms, bins: table.bins })
    return { start, part: part.as('part'), entry: entry.as('entry') }
  }).as('rows')
  return db
    .select({ part: rows.part, entries: sql<Entry[]>`json_agg(${rows.entry})` })
    .from(rows)
    .where(lte(rows.start, until))
    .groupBy(rows.part)
}

/** Returns a point for each bucket. Yields to the event loop: 1,000 endpoints have 90,000 entries in 90 days. */
export async function pointsOf(entries: Iterable<Entry>, starts: readonly Date[]): Promise<Point[]> {
  const byBucket = starts.map((): Entry[] => [])
  for (const entry of entries) {
    byBucket[entry.bucket]?.push(entry)
    if (shouldYield()) await yieldToEventLoop()
  }
  const points: Point[] = []
  for (const [bucket, own] of byBucket.entries()) {
    const bucketStart = (starts[bucket] as Date).toISOString()
    points.push({ bucketStart, count: sum(own, 'count'), failed: sum(own, 'failed'), ...latencyPercentiles(own) })
    if (shouldYield()) await yieldToEventLoop()
  }
  return points
}

function sum(entries: readonly Entry[], of: 'count' | 'failed'): number {
  return entries.reduce((total, entry) => total + entry[of], 0)
}
