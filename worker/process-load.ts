import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

export type ProcessLoad = {
  /** Share of the machine's processor time that this process used, 0 to 1. */
  cpu: number
  /** By how much the timers of this process fired late at most, in milliseconds: the longest turn of its event loop. */
  latenessMs: number
}

/** Returns a function that measures the load since its last call, and one that ends the measurement. */
export function createProcessMeter(): { measure: () => ProcessLoad; stop: () => void } {
  const delays = monitorEventLoopDelay({ samplePerIteration: true })
  delays.enable()
  let usage = process.cpuUsage()
  let since = performance.now()
  return {
    measure() {
      const { user, system } = process.cpuUsage(usage)
      const elapsedMs = Math.max(1, performance.now() - since)
      usage = process.cpuUsage()
      since = performance.now()
      const latenessMs = delays.count === 0 ? 0 : Math.round(delays.max / 1e6)
      delays.reset()
      return { cpu: Math.min(1, (user + system) / 1_000 / elapsedMs / availableParallelism()), latenessMs }
    },
    stop: () => delays.disable(),
  }
}
