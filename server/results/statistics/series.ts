import { and, gt, gte, lt, ne, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { results } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import type { SeriesBucket } from '../../schemas/results/series.ts'
import { type Entry, pointsOf } from './points.ts'
import { asJson, byHour, ofServiceResults, type ServiceRef, selectRollups } from './rollups.ts'
import type { Sketch } from './sketch.ts'
import { bucketStart, lastBuckets } from './windows.ts'
import { bucketIndex, type ZonedBuckets } from './zoned-buckets.ts'

/** Runs of one agent from `start` on: a number per hour, or a single number. */
type Row = { start: Date; agentSlug: string; row: Sketch & { runs: number[]; failed: number[] } }

/** The UTC days, today included, in which an agent must have run a service to be one of its agents. */
const AGENT_DAYS = 90

/** Returns the buckets of a service, of one agent or of all. */
export async function readSeries(
  db: Queryable,
  service: ServiceRef,
  buckets: ZonedBuckets,
  agent: string | undefined,
): Promise<SeriesBucket[]> {
  const rows = await (buckets.source === 'results' ? readResults : readRollups)(db, service, buckets)
  const own = rows.filter(({ agentSlug }) => agent === undefined || agentSlug === agent)
  const points = await pointsOf(entriesOf(own, buckets), buckets.bounds.slice(0, -1))
  return points.map(({ bucketStart: start, count, failed, p50Ms, p95Ms }, i) => {
    return { start, end: (buckets.bounds[i + 1] as Date).toISOString(), runs: count, failed, p50Ms, p95Ms }
  })
}

/**
 * With daily rows, a run counts on the day of the zone in which its hour begins; its latency counts on the UTC day of the
 * same date, because a daily row has no latencies of single hours.
 */
function* entriesOf(rows: readonly Row[], buckets: ZonedBuckets): Generator<Entry> {
  for (const { start, row } of rows) {
    const { runs, failed, ms, bins } = row
    for (const [i, count] of runs.entries()) {
      const bucket = bucketIndex(buckets, start.getTime() + i * HOUR_MS)
      yield { bucket, count, failed: failed[i] ?? 0, ms: null, bins: null }
    }
    const timed = runs.length > 1 ? start.getTime() / DAY_MS - buckets.firstDay : bucketIndex(buckets, start.getTime())
    yield { bucket: timed, count: 0, failed: 0, ms, bins }
  }
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

function readRollups(db: Queryable, service: ServiceRef, { source, since }: ZonedBuckets): Promise<Row[]> {
  const span =
    source === 'days'
      ? ({ type: 'day', since: bucketStart(since, 'day') } as const)
      : ({ type: 'hour', since } as const)
  return selectRollups(db, 'runs', service, span, (table, start) => {
    const row = asJson<Row['row']>({ ...byHour(table), ms: table.ms, bins: table.bins })
    return { start, agentSlug: table.agentSlug, row: row.as('row') }
  })
}

/** At most six hours of one service, summed in the database: 360 runs per agent on the tightest schedule. */
function readResults(db: Queryable, service: ServiceRef, { bounds }: ZonedBuckets): Promise<Row[]> {
  const [first, second] = bounds as [Date, Date]
  const seconds = (second.getTime() - first.getTime()) / 1_000
  const start = sql<Date>`date_bin(make_interval(secs => ${seconds}), ${results.startedAt}, ${first.toISOString()}::timestamptz)`
  // As in the roll-ups, a run has a latency if a call received a response, even within a millisecond.
  const isTimed = sql`(${results.totalResponseMs} > 0 or jsonb_path_exists(${results.steps}, '$[*].responseTimeMs ? (@ != null)'))`
  return db
    .select({
      start: start.mapWith(results.startedAt),
      agentSlug: results.agentSlug,
      row: asJson<Row['row']>({
        runs: sql`array[count(*)]`,
        failed: sql`array[count(*) filter (where ${results.status} <> 'success')]`,
        ms: sql`json_agg(${results.totalResponseMs}) filter (where ${isTimed})`,
        bins: sql`null`,
      }),
    })
    .from(results)
    .where(
      and(
        ofServiceResults(service),
        gte(results.startedAt, first),
        lt(results.startedAt, bounds.at(-1) as Date),
        ne(results.status, 'skipped'),
      ),
    )
    .groupBy(sql`1`, results.agentSlug)
}
