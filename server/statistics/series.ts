import { and, gt, gte, lt, ne, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { results, runDays, runHours } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import type { SeriesBucket } from '../schemas/results/series.ts'
import { ofServiceResults, ROLLUPS, RUNS_BY_HOUR, type ServiceRef, selectRollups, sketchColumns } from './rollups.ts'
import { latencyPercentiles, type Sketch } from './sketch.ts'
import { bucketStart, lastBuckets } from './windows.ts'
import { bucketIndex, type ZonedBuckets } from './zoned-buckets.ts'

/** Runs of one agent. `runs` and `failed` hold a number per hour from `start` on, or a single number. */
type Row = { start: Date; agentSlug: string; runs: number[]; failed: number[]; latencies: Sketch }

/** The UTC days, today included, in which an agent must have run a service to be one of its agents. */
const AGENT_DAYS = 90

/**
 * Returns the buckets of a service, of one agent or of all. With daily rows, a run counts on
 * the day of the zone in which its hour begins; its latency counts on the UTC day of the same date, because latencies of
 * single hours are not kept.
 */
export async function readSeries(
  db: Queryable,
  service: ServiceRef,
  buckets: ZonedBuckets,
  agent: string | undefined,
): Promise<SeriesBucket[]> {
  const rows = await (buckets.source === 'results' ? readResults : readRollups)(db, service, buckets)
  const sums = buckets.bounds.slice(0, -1).map(() => ({ runs: 0, failed: 0, latencies: [] as Sketch[] }))
  for (const row of rows) {
    if (agent !== undefined && row.agentSlug !== agent) continue
    for (const [i, runs] of row.runs.entries()) {
      const at = bucketIndex(buckets, row.start.getTime() + i * HOUR_MS)
      const sum = at === null ? undefined : sums[at]
      if (!sum) continue
      sum.runs += runs
      sum.failed += row.failed[i] ?? 0
    }
    const timed =
      row.runs.length > 1 ? row.start.getTime() / DAY_MS - buckets.firstDay : bucketIndex(buckets, row.start.getTime())
    if (timed !== null) sums[timed]?.latencies.push(row.latencies)
  }
  return sums.map(({ runs, failed, latencies }, i) => {
    const { p50Ms, p95Ms } = latencyPercentiles(latencies)
    return { start: boundAt(buckets, i), end: boundAt(buckets, i + 1), runs, failed, p50Ms, p95Ms }
  })
}

/** Returns the slugs of the agents that ran a service lately. */
export async function readAgents(db: Queryable, service: ServiceRef, now: Date): Promise<string[]> {
  const span = { type: 'day', since: lastBuckets('day', AGENT_DAYS, now).since } as const
  const rows = selectRollups(db, ROLLUPS.runs, service, span, {
    hours: { agentSlug: runHours.agentSlug, runs: runHours.runs },
    days: { agentSlug: runDays.agentSlug, runs: runDays.runs },
  }).as('rows')
  const found = await db.selectDistinct({ agentSlug: rows.agentSlug }).from(rows).where(gt(rows.runs, 0))
  return found.map(({ agentSlug }) => agentSlug).sort()
}

function boundAt({ bounds }: ZonedBuckets, i: number): string {
  return (bounds[i] as Date).toISOString()
}

async function readRollups(db: Queryable, service: ServiceRef, buckets: ZonedBuckets): Promise<Row[]> {
  const isDaily = buckets.source === 'days'
  const span = isDaily
    ? ({ type: 'day', since: bucketStart(buckets.since, 'day') } as const)
    : ({ type: 'hour', since: buckets.since } as const)
  const rows = await selectRollups(db, ROLLUPS.runs, service, span, {
    hours: {
      start: runHours.hour,
      agentSlug: runHours.agentSlug,
      ...RUNS_BY_HOUR.hours,
      ...sketchColumns(runHours),
    },
    days: {
      start: runDays.day,
      agentSlug: runDays.agentSlug,
      ...RUNS_BY_HOUR.days,
      ...sketchColumns(runDays),
    },
  })
  return rows.map(({ ms, bins, ...row }) => ({ ...row, latencies: { ms, bins } }))
}

/** At most six hours of one service, summed in the database: 360 runs per agent on the tightest schedule. */
async function readResults(db: Queryable, service: ServiceRef, buckets: ZonedBuckets): Promise<Row[]> {
  const [first, second] = buckets.bounds as [Date, Date]
  const seconds = (second.getTime() - first.getTime()) / 1_000
  const start = sql<Date>`date_bin(make_interval(secs => ${seconds}), ${results.startedAt}, ${first.toISOString()}::timestamptz)`
  // As in the roll-ups, a run has a latency if a call received a response, even within a millisecond.
  const isTimed = sql`(${results.totalResponseMs} > 0 or jsonb_path_exists(${results.steps}, '$[*].responseTimeMs ? (@ != null)'))`
  const rows = await db
    .select({
      start: start.mapWith(results.startedAt),
      agentSlug: results.agentSlug,
      runs: sql<number>`count(*)::int`,
      failed: sql<number>`(count(*) filter (where ${results.status} <> 'success'))::int`,
      ms: sql<number[] | null>`json_agg(${results.totalResponseMs}) filter (where ${isTimed})`,
    })
    .from(results)
    .where(
      and(
        ofServiceResults(service),
        gte(results.startedAt, first),
        lt(results.startedAt, buckets.bounds.at(-1) as Date),
        ne(results.status, 'skipped'),
      ),
    )
    .groupBy(sql`1`, results.agentSlug)
  return rows.map(({ ms, runs, failed, ...row }) => ({
    ...row,
    runs: [runs],
    failed: [failed],
    latencies: { ms, bins: null },
  }))
}
