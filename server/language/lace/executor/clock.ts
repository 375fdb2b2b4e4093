import { setTimeout as delay } from 'node:timers/promises'

/** The clock of a run. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** Milliseconds on a monotonic clock. */
  elapsed: () => number
  /** Rejects with the signal's reason when it aborts. */
  sleep: (ms: number, signal: AbortSignal | null) => Promise<void>
}

let lastMs = Number.NaN
let lastText = ''

/** Returns a time in milliseconds since 1970 as ISO 8601. A busy process writes the same millisecond many times. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}

const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns the system's clock shifted by `ms` milliseconds, ahead when positive. */
export function offsetClock(ms: number): Clock {
  return { ...systemClock, now: () => Date.now() + ms }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      for (let left = ms; left > 0; left -= MAX_TIMER_MS) {
        await delay(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {})
      }
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
}
