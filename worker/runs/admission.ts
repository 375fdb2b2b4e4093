import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** The resources of the machine that a worker process may use. */
export type Machine = { cores: number; memoryBytes: number }

const PERMITS_PER_CORE = 250
/**
 * A run that waits for its target needs a few hundred kilobytes; the rest is for responses. See `server/fairness/large-bodies.ts`.
 */
const PERMIT_BYTES = 2 * 1024 * 1024
/** The permits of a machine with little memory. */
const PERMITS_MIN = 20
const PERMITS_MAX = 1_000

/** Returns how many runs a worker process executes at the same time: nearly all of them wait for their targets. */
export function permitsFor({ cores, memoryBytes }: Machine, max = PERMITS_MAX): number {
  const own = Math.floor(Math.min(cores * PERMITS_PER_CORE, memoryBytes / PERMIT_BYTES))
  return Math.min(Math.max(own, PERMITS_MIN), PERMITS_MAX, max)
}

export type Load = {
  /** Share of the time in which the event loop was busy, 0 to 1. */
  busy: number
  rssBytes: number
}

const BUSY_SHARE = 0.9
/** Runs started per tick while the event loop is busy, so that work never stops completely. */
const RUNS_PER_BUSY_TICK = 4

/** Admission control: returns how many more runs may start in this tick, by the load of CPU and memory. */
export function admit({ busy, rssBytes }: Load, rssMaxBytes: number, permits: { held: number; free: number }): number {
  if (rssBytes > rssMaxBytes) return Math.max(0, Math.min(permits.free, PERMITS_MIN - permits.held))
  return busy > BUSY_SHARE ? Math.min(permits.free, RUNS_PER_BUSY_TICK) : permits.free
}

const SAMPLE_MS = 200

/** Returns a function that measures the load of the process. Calls within 200 ms share one measurement. */
export function createLoadMeter(): () => Load {
  let begin: EventLoopUtilization = performance.eventLoopUtilization()
  let beganAt = performance.now()
  let busy = 0
  return () => {
    if (performance.now() - beganAt >= SAMPLE_MS) {
      busy = performance.eventLoopUtilization(begin).utilization
      begin = performance.eventLoopUtilization()
      beganAt = performance.now()
    }
    return { busy, rssBytes: process.memoryUsage.rss() }
  }
}
