import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** What a machine has for one worker process. */
export type Machine = { cores: number; memoryBytes: number }

const PERMITS_PER_CORE = 250
/** Waiting for a target costs a few hundred kilobytes; the rest is for answers. See `http/large-bodies.ts`. */
const PERMIT_BYTES = 2 * 1024 * 1024
/** As many as run however short memory is. */
const PERMITS_MIN = 20
const PERMITS_MAX = 1_000

/** How many runs a worker process has in hand at most: nearly all of them wait for their targets. */
export function permitsFor({ cores, memoryBytes }: Machine, most = PERMITS_MAX): number {
  const own = Math.floor(Math.min(cores * PERMITS_PER_CORE, memoryBytes / PERMIT_BYTES))
  return Math.min(Math.max(own, PERMITS_MIN), PERMITS_MAX, most)
}

export type Load = {
  /** Share of the time in which the event loop was busy, 0 to 1. */
  busy: number
  rssBytes: number
}

const BUSY_SHARE = 0.9
/** Runs begun in one turn while the event loop is busy: it is never shut altogether. */
const RUNS_PER_BUSY_TICK = 4

/** How many more runs may begin in this turn: computing and memory are what runs can have too much of. */
export function admit({ busy, rssBytes }: Load, rssMaxBytes: number, permits: { held: number; free: number }): number {
  if (rssBytes > rssMaxBytes) return Math.max(0, Math.min(permits.free, PERMITS_MIN - permits.held))
  return busy > BUSY_SHARE ? Math.min(permits.free, RUNS_PER_BUSY_TICK) : permits.free
}

const SAMPLE_MS = 200

/** Measures the process's load; what lies closer together than 200 ms is one measurement. */
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
