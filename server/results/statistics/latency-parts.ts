import type { Queryable } from '#db/client.ts'
import { and, sql } from '#db/drizzle.cjs'
import { results } from '#db/schema/results.ts'
import { type LatencyParts, PHASE_KEYS, type PhaseKey } from '../../schemas/results/series.ts'
import { ofServiceResults, type ServiceRef, selectRollups, sqlSum } from './rollups.ts'
import { executedIn, readRunRows, resultBucket, spanOf, timedBucket } from './series.ts'
import { sumOf } from './sketch.ts'
import type { ZonedBuckets } from './zoned-buckets.ts'

/** The phases of all calls from `start` on, in milliseconds. `isDay`: the row has a day, not an hour or a bucket. */
type PhaseRow = { start: Date; isDay: boolean } & Record<PhaseKey, number>

/** Returns the mean response time of a run in each bucket: by agent, and by phase on all agents. */
export async function readLatencyParts(
  db: Queryable,
  service: ServiceRef,
  buckets: ZonedBuckets,
): Promise<Pick<LatencyParts, 'buckets' | 'phases' | 'agents'>> {
  const [runs, calls] = await Promise.all([
    readRunRows(db, service, buckets),
    (buckets.source === 'results' ? readResultPhases : readRollupPhases)(db, service, buckets),
  ])
  const starts = buckets.bounds.slice(0, -1)
  const zeros = () => starts.map(() => 0)
  const timedRuns = zeros()
  const phases = PHASE_KEYS.map((key) => ({ key, sums: zeros() }))
  const agents = new Map<string, { sums: number[]; runs: number[] }>()
  for (const { start, agentSlug, row } of runs) {
    const bucket = timedBucket(buckets, start, row.runs.length > 1)
    const { sum, count } = sumOf(row)
    const agent = agents.get(agentSlug) ?? { sums: zeros(), runs: zeros() }
    agents.set(agentSlug, agent)
    add(timedRuns, bucket, count)
    add(agent.sums, bucket, sum)
    add(agent.runs, bucket, count)
  }
  for (const { start, isDay, ...sums } of calls) {
    for (const phase of phases) add(phase.sums, timedBucket(buckets, start, isDay), sums[phase.key])
  }
  return {
    buckets: starts.map((start, i) => {
      return { start: start.toISOString(), end: (buckets.bounds[i + 1] as Date).toISOString() }
    }),
    phases: phases.map(({ key, sums }) => ({ key, ms: means(sums, timedRuns) })),
    agents: [...agents]
      .map(([slug, agent]) => ({ slug, ms: means(agent.sums, agent.runs) }))
      .filter(({ ms }) => ms.some((mean) => mean !== null))
      .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
  }
}

/** Adds to a bucket; rows of days reach beyond the first and the last one. */
function add(sums: number[], bucket: number, value: number): void {
  if (sums[bucket] !== undefined) sums[bucket] += value
}

/** Rounded to two decimals. */
function means(sums: number[], counts: number[]): (number | null)[] {
  return sums.map((sum, i) => (counts[i] ? Math.round((sum / counts[i]) * 100) / 100 : null))
}

function readRollupPhases(db: Queryable, service: ServiceRef, buckets: ZonedBuckets): Promise<PhaseRow[]> {
  const rows = selectRollups(db, 'endpoints', service, spanOf(buckets), (table, start) => ({
    start,
    isDay: sql<boolean>`${sql.raw(String('day' in table))}`.as('is_day'),
    ...pick((key) => table[key]),
  })).as('rows')
  return db
    .select({ start: rows.start, isDay: rows.isDay, ...pick((key) => sqlSum(rows[key])) })
    .from(rows)
    .groupBy(rows.start, rows.isDay)
}

function readResultPhases(db: Queryable, service: ServiceRef, buckets: ZonedBuckets): Promise<PhaseRow[]> {
  const sums = pick((key) => sql<number>`coalesce(sum((step ->> ${sql.raw(`'${key}'`)})::float8), 0)`)
  return db
    .select({ start: resultBucket(buckets), isDay: sql<boolean>`false`, ...sums })
    .from(results)
    .crossJoin(sql`lateral jsonb_array_elements(${results.steps}) as step`)
    .where(and(ofServiceResults(service), executedIn(buckets)))
    .groupBy(sql`1`)
}

function pick<T>(of: (key: PhaseKey) => T): Record<PhaseKey, T> {
  return Object.fromEntries(PHASE_KEYS.map((key) => [key, of(key)])) as Record<PhaseKey, T>
}
