import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** What a machine has for one worker process. */
export type Machine = { cores: number; memoryBytes: number }

const SLOTS_PER_CORE = 250
/** Waiting for a target costs a few hundred kilobytes; the rest is for answers. See `http/large-bodies.ts`. */
const SLOT_BYTES = 2 * 1024 * 1024
/** As many as run however short memory is. */
const SLOTS_MIN = 20
const SLOTS_MAX = 1_000

/** How many runs a worker process has in hand at most: nearly all of them wait for their targets. */
export function slotsFor({ cores, memoryBytes }: Machine, most = SLOTS_MAX): number {
  const own = Math.floor(Math.min(cores * SLOTS_PER_CORE, memoryBytes / SLOT_BYTES))
  return Math.min(Math.max(own, SLOTS_MIN), SLOTS_MAX, most)
}

export type Load = {
  /** Share of the time in which the event loop was busy, 0 to 1. */
  busy: number
  rssBytes: number
}

const BUSY = 0.9
/** Runs begun in one turn while the event loop is busy: it is never shut altogether. */
const PACE = 4

/** How many more runs may begin in this turn: computing and memory are what runs can have too much of. */
export function admit({ busy, rssBytes }: Load, rssMaxBytes: number, slots: { held: number; free: number }): number {
  if (rssBytes > rssMaxBytes) return Math.max(0, Math.min(slots.free, SLOTS_MIN - slots.held))
  return busy > BUSY ? Math.min(slots.free, PACE) : slots.free
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
