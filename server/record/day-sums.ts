import { shouldYield, yieldToEventLoop } from '../lace/event-loop.ts'
import { unpackSketch } from '../statistics/packed-sketch.ts'
import type { Sketch } from '../statistics/sketch.ts'
import type { EndpointAddition, RunAddition } from './additions.ts'
import { ENDPOINT_COUNTERS, packedSum, RUN_COUNTERS } from './hours.ts'
import { hourOf } from './packed-hours.ts'

// The sums of a day that is not over, as rows of the daily roll-ups without their service. The fields have the names of
// the columns, because readers expand the records into rows. Complete hours are added to them one after another.

/** `sketch` is the text form of `bytea`. */
type DaySum = { day: string; sketch: string | null }
export type RunSum = DaySum &
  Pick<RunAddition, 'agent_slug' | (typeof RUN_COUNTERS)[number]> & { runs_by_hour: number[]; failed_by_hour: number[] }
export type EndpointSum = DaySum &
  Pick<EndpointAddition, 'endpoint_key' | 'method' | 'template' | 'status_counts' | (typeof ENDPOINT_COUNTERS)[number]>

/** Adds hours of one service and day to the sums of the hours before them. */
export function addToRunSums(before: readonly RunSum[], hours: readonly RunAddition[], day: string): Promise<RunSum[]> {
  return addToSums(before, hours, 'agent_slug', (own, sum) => {
    const { agent_slug } = own[0]
    const { runs_by_hour, failed_by_hour } = countByHour(own)
    return {
      ...{ day, agent_slug, ...addCounters(RUN_COUNTERS, own, sum), sketch: addSketches(own, sum) },
      runs_by_hour: runs_by_hour.map((count, hour) => count + (sum?.runs_by_hour[hour] ?? 0)),
      failed_by_hour: failed_by_hour.map((count, hour) => count + (sum?.failed_by_hour[hour] ?? 0)),
    }
  })
}

/** Adds hours of one service and day to the sums of the hours before them. */
export function addToEndpointSums(
  before: readonly EndpointSum[],
  hours: readonly EndpointAddition[],
  day: string,
): Promise<EndpointSum[]> {
  return addToSums(before, hours, 'endpoint_key', (own, sum) => {
    const { endpoint_key, method, template } = own[0]
    const status_counts = addStatusCounts(sum ? [sum, ...own] : own)
    const counters = addCounters(ENDPOINT_COUNTERS, own, sum)
    return { day, endpoint_key, method, template, ...counters, status_counts, sketch: addSketches(own, sum) }
  })
}

/** Calls `add` for each group of hours with the same `name`. Sums without hours stay. */
async function addToSums<K extends string, T extends Record<K, string>, S extends Record<K, string>>(
  before: readonly S[],
  hours: readonly T[],
  name: K,
  add: (own: [T, ...T[]], sum: S | undefined) => S,
): Promise<S[]> {
  const sums = new Map<string, S>(before.map((sum) => [sum[name], sum]))
  for (const [key, own] of Map.groupBy(hours, (row): string => row[name])) {
    sums.set(key, add(own as [T, ...T[]], sums.get(key)))
    if (shouldYield()) await yieldToEventLoop()
  }
  return [...sums.values()]
}

function addCounters<K extends string>(
  names: readonly K[],
  own: readonly Record<K, number>[],
  sum: Record<K, number> | undefined,
): Record<K, number> {
  const sums = names.map((name) => [name, own.reduce((total, row) => total + row[name], sum?.[name] ?? 0)])
  return Object.fromEntries(sums) as Record<K, number>
}

function addSketches(own: readonly Sketch[], sum: DaySum | undefined): string | null {
  const before = sum?.sketch ? [unpackSketch(Buffer.from(sum.sketch.slice(2), 'hex'))] : []
  return packedSum([...before, ...own])
}

export function countByHour(own: readonly RunAddition[]) {
  const runs_by_hour = Array<number>(24).fill(0)
  const failed_by_hour = Array<number>(24).fill(0)
  for (const row of own) {
    const hour = hourOf(row)
    runs_by_hour[hour] = (runs_by_hour[hour] as number) + row.runs
    failed_by_hour[hour] = (failed_by_hour[hour] as number) + row.failure + row.timeout
  }
  return { runs_by_hour, failed_by_hour }
}

export function addStatusCounts(own: readonly Pick<EndpointAddition, 'status_counts'>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of own) {
    for (const [status, count] of Object.entries(row.status_counts)) counts[status] = (counts[status] ?? 0) + count
  }
  return counts
}
