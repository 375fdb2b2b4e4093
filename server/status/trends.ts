import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { matchesAny } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import type { RunStatus } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { readPercentiles } from '../results/statistics/metrics.ts'
import { percentilesOf, type Sketch } from '../results/statistics/sketch.ts'
import { lastBuckets } from '../results/statistics/windows.ts'
import { BOARD_RUNS, type BoardService, TREND_HOURS } from '../schemas/status/board.ts'

/** Runs older than this are not shown on the board. It bounds the partitions that are searched. */
const RUNS_MAX_AGE_MS = 7 * DAY_MS

export type Trends = Pick<BoardService, 'uptime24h' | 'uptime7d' | 'p95Ms' | 'trend'>

const NO_TRENDS: Trends = { uptime24h: null, uptime7d: null, p95Ms: null, trend: [] }

/** Returns uptime and response times of services by id, from roll-ups. */
export async function readTrends(
  db: Queryable,
  organizationId: string,
  ids: string[],
  now: Date,
): Promise<(id: string) => Trends> {
  if (ids.length === 0) return () => NO_TRENDS
  const [hours, weeks, percentiles] = await Promise.all([
    readHourlyTrends(db, organizationId, ids, now),
    readWeeklyUptime(db, organizationId, ids, now),
    readPercentiles(db, matchesAny(services.id, organizationId, ids), now),
  ])
  return (id) => ({
    ...(hours.get(id) ?? { uptime24h: null, trend: [] }),
    uptime7d: weeks.get(id) ?? null,
    p95Ms: percentiles.get(id)?.p95Ms ?? null,
  })
}

/** One entry per hour and agent: the hours since the first, the runs, those that passed, and the sketch of latencies. */
type HourEntry = [at: number, runs: number, passed: number, ms: Numbers, bins: Numbers]
type Numbers = number[] | null

async function readHourlyTrends(db: Queryable, organizationId: string, ids: string[], now: Date) {
  const { since } = lastBuckets('hour', TREND_HOURS, now)
  // As JSON, one row per service: the driver takes longer to parse thousands of rows with arrays.
  const rows = await db.execute<{ id: string; hours: HourEntry[] }>(sql`
    select service_id as id, json_agg(json_build_array(
      (extract(epoch from hour - ${since.toISOString()}::timestamptz) / ${HOUR_MS / 1_000})::int, runs, success, ms, bins)) as hours
    from run_hours where organization_id = ${organizationId} and service_id = any(${uuids(ids)})
      and hour >= ${since.toISOString()}::timestamptz
    group by 1`)
  return new Map(rows.map(({ id, hours }) => [id, sumHours(hours)]))
}

function sumHours(hours: HourEntry[]): Pick<Trends, 'uptime24h' | 'trend'> {
  const latencies = Array.from({ length: TREND_HOURS }, (): Sketch[] => [])
  let [all, passed] = [0, 0]
  for (const [at, runs, success, ms, bins] of hours) {
    all += runs
    passed += success
    // A worker whose clock is ahead of ours can store runs of the next hour.
    latencies[at]?.push({ ms, bins })
  }
  return {
    uptime24h: all === 0 ? null : (passed / all) * 100,
    trend: latencies.map((own) => percentilesOf(own, [0.95])?.[0] ?? null),
  }
}

/** Returns the uptime of the last seven UTC days: folded days, and the hours of the days that are not folded yet. */
async function readWeeklyUptime(db: Queryable, organizationId: string, ids: string[], now: Date) {
  const since = lastBuckets('day', 7, now).since.toISOString()
  const rows = await db.execute<{ id: string; uptime: number | null }>(sql`
    select id, (sum(success) * 100.0 / nullif(sum(runs), 0))::float8 as uptime from (
      select d.service_id as id, d.runs, d.success from run_days d join service_states st on (st.organization_id, st.service_id) = (d.organization_id, d.service_id)
      where d.organization_id = ${organizationId} and d.service_id = any(${uuids(ids)})
        and d.day >= ${since}::timestamptz and d.day < st.folded_until
      union all
      select h.service_id, h.runs, h.success from run_hours h left join service_states st on (st.organization_id, st.service_id) = (h.organization_id, h.service_id)
      where h.organization_id = ${organizationId} and h.service_id = any(${uuids(ids)})
        and h.hour >= ${since}::timestamptz and h.hour >= coalesce(st.folded_until, 'epoch')) counted
    group by id`)
  return new Map(rows.map(({ id, uptime }) => [id, uptime]))
}

/** Returns how the latest runs of services ended, oldest first, by service. */
export async function readLatestRuns(
  db: Queryable,
  organizationId: string,
  ids: string[],
  now: Date,
): Promise<Map<string, RunStatus[]>> {
  if (ids.length === 0) return new Map()
  const since = new Date(now.getTime() - RUNS_MAX_AGE_MS).toISOString()
  const rows = await db.execute<{ id: string; statuses: string }>(sql`
    select s.id, string_agg(r.status, ' ' order by r.started_at, r.id) as statuses
    from unnest(${uuids(ids)}) s(id) cross join lateral (
      select id, started_at, status from results
      where organization_id = ${organizationId} and service_id = s.id and started_at >= ${since}::timestamptz
        and is_uncounted is not true
      order by started_at desc, id desc limit ${BOARD_RUNS}) r
    group by 1`)
  return new Map(rows.map(({ id, statuses }) => [id, statuses.split(' ') as RunStatus[]]))
}
