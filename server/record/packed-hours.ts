import { PackedDay, packDay } from '../statistics/packed-days.ts'
import type { Sketch } from '../statistics/sketch.ts'
import type { EndpointAddition, RunAddition } from './additions.ts'

// Hourly rows as statistics of a week read them. The rows of a call are those of one service and one UTC day.

export type RunHour = Sketch & Pick<RunAddition, 'bucket' | 'agent_slug' | 'runs' | 'failure' | 'timeout'>
export type EndpointHour = Sketch &
  Pick<EndpointAddition, 'bucket' | 'endpoint_key' | 'method' | 'template' | 'calls' | 'failed_calls'>

/** Packs hours of runs, and the hours that are packed in `before`. */
export function packRunHours(rows: readonly RunHour[], before: Buffer | null = null): Promise<Buffer> {
  const parts = rows.map((row) => {
    const { agent_slug, runs, failure, timeout } = row
    return { bucket: hourOf(row), name: [agent_slug] as const, count: runs, failed: failure + timeout, latencies: row }
  })
  return packDay(parts, before && new PackedDay(before))
}

/** Packs hours of endpoints, and the hours that are packed in `before`. */
export function packEndpointHours(rows: readonly EndpointHour[], before: Buffer | null = null): Promise<Buffer> {
  const parts = rows.map((row) => {
    const { endpoint_key, method, template, calls, failed_calls } = row
    const name = [endpoint_key, method, template] as const
    return { bucket: hourOf(row), name, count: calls, failed: failed_calls, latencies: row }
  })
  return packDay(parts, before && new PackedDay(before))
}

/** Returns the hour of the day. */
export function hourOf({ bucket }: { bucket: string }): number {
  return new Date(bucket).getUTCHours()
}
