import type { Queryable } from '#db/client.ts'
import { and, gt, gte, lt, ne, type SQL, sql } from '#db/drizzle.cjs'
import { results } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import type { SeriesBucket } from '../../schemas/results/series.ts'
import { type Entry, pointsOf } from './points.ts'
import { asJson, byHour, ofServiceResults, type ServiceRef, type Span, selectRollups } from './rollups.ts'
import type { Sketch } from './sketch.ts'
import { bucketStart, lastBuckets } from './windows.ts'
import { bucketIndex, type ZonedBuckets } from './zoned-buckets.ts'

/** Runs of one agent from `start` on: a number per hour, or a single number. */
export type RunRow = { start: Date; agentSlug: string; row: Sketch & { runs: number[]; failed: number[] } }

/** The UTC days, today included, in which an agent must have run a service to be one of its agents. */
const AGENT_DAYS = 90

/** Returns the buckets of a service, of one agent or of all. */
export async function readSeries(
  db: Queryable,
  service: ServiceRef,
  buckets: ZonedBuckets,
  agent: string | undefined,
): Promise<SeriesBucket[]> {
  const rows = await readRunRows(db, service, buckets)
  const own = rows.filter(({ agentSlug }) => agent === undefined || agentSlug === agent)
  const points = await pointsOf(entriesOf(own, buckets), buckets.bounds.slice(0, -1))
  return points.map(({ bucketStart: start, count, failed, p50Ms, p95Ms }, i) => {
    return { start, end: (buckets.bounds[i + 1] as Date).toISOString(), runs: count, failed, p50Ms, p95Ms }
  })
}

/** Reads the runs of a service in the buckets, of each agent. */
export function readRunRows(db: Queryable, service: ServiceRef, buckets: ZonedBuckets): Promise<RunRow[]> {
  return (buckets.source === 'results' ? readResults : readRollups)(db, service, buckets)
}

/**
 * With daily rows, a run counts on the day of the zone in which its hour begins; its latency counts on the UTC day of the
 * same date, because a daily row has no latencies of single hours.
 */
function* entriesOf(rows: readonly RunRow[], buckets: ZonedBuckets): Generator<Entry> {
  for (const { start, row } of rows) {
    const { runs, failed, ms, bins } = row
    for (const [i, count] of runs.entries()) {
      const bucket = bucketIndex(buckets, start.getTime() + i * HOUR_MS)
      yield { bucket, count, failed: failed[i] ?? 0, ms: null, bins: null }
    }
    yield { bucket: timedBucket(buckets, start, runs.length > 1), count: 0, failed: 0, ms, bins }
  }
}

/** Returns the number of the bucket in which the latencies of a row count. */
export function timedBucket(buckets: ZonedBuckets, start: Date, isDay: boolean): number {
  return isDay ? start.getTime() / DAY_MS - buckets.firstDay : bucketIndex(buckets, start.getTime())
}

/** Returns the slugs of the agents that ran a service lately. */
export async function readAgents(db: Queryable, service: ServiceRef, now: Date): Promise<string[]> {
  const { since } = lastBuckets('day', AGENT_DAYS, now)
  const rows = selectRollups(db, 'runs', service, { type: 'day', since }, ({ agentSlug, runs }) => {
    return { agentSlug, runs }
  }).as('rows')
  const found = await db.selectDistinct({ agentSlug: rows.agentSlug }).from(rows).where(gt(rows.runs, 0))
  return found.map(({ agentSlug }) => agentSlug).sort()
}

/** What roll-ups buckets are read from: whole UTC days to the present day, or hours. */
export function spanOf({ source, since, bounds }: ZonedBuckets): Span {
  return source === 'days'
    ? { type: 'day', since: bucketStart(since, 'day') }
    : { type: 'hour', since, before: bounds.at(-1) as Date }
}

function readRollups(db: Queryable, service: ServiceRef, buckets: ZonedBuckets): Promise<RunRow[]> {
  return selectRollups(db, 'runs', service, spanOf(buckets), (table, start) => {
    const row = asJson<RunRow['row']>({ ...byHour(table), ms: table.ms, bins: table.bins })
    return { start, agentSlug: table.agentSlug, row: row.as('row') }
  })
}

/** Results of at most six hours, summed in the database: 360 runs per agent on the tightest schedule. */
function readResults(db: Queryable, service: ServiceRef, buckets: ZonedBuckets): Promise<RunRow[]> {
  // As in the roll-ups, a run has a latency if a call received a response, even within a millisecond.
  const isTimed = sql`(${results.totalResponseMs} > 0 or jsonb_path_exists(${results.steps}, '$[*].responseTimeMs ? (@ != null)'))`
  return db
    .select({
      start: resultBucket(buckets),
      agentSlug: results.agentSlug,
      row: asJson<RunRow['row']>({
        runs: sql`array[count(*)]`,
        failed: sql`array[count(*) filter (where ${results.status} <> 'success')]`,
        ms: sql`json_agg(${results.totalResponseMs}) filter (where ${isTimed})`,
        bins: sql`null`,
      }),
    })
    .from(results)
    .where(and(ofServiceResults(service), executedIn(buckets)))
    .groupBy(sql`1`, results.agentSlug)
}

/** The start of the bucket of a result, for buckets of equal length. */
export function resultBucket({ bounds }: ZonedBuckets): SQL<Date> {
  const [first, second] = bounds as [Date, Date]
  const seconds = (second.getTime() - first.getTime()) / 1_000
  return sql<Date>`date_bin(make_interval(secs => ${seconds}), ${results.startedAt}, ${first.toISOString()}::timestamptz)`.mapWith(
    results.startedAt,
  ) as SQL<Date>
}

/** Selects the results in the buckets of runs that were executed. */
export function executedIn({ bounds, since }: ZonedBuckets): SQL | undefined {
  const { startedAt, status } = results
  return and(gte(startedAt, since), lt(startedAt, bounds.at(-1) as Date), ne(status, 'skipped'))
}
