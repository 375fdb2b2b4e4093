// Timers that are due at different times wake an idle process once each. These are due together.

/** A timer may fire this early. */
const EARLY_MS = 2

/** Returns the milliseconds until the next multiple of an interval since this process began. */
export function msUntilTick(intervalMs: number): number {
  const leftMs = intervalMs - (performance.now() % intervalMs)
  return Math.ceil(leftMs < EARLY_MS ? leftMs + intervalMs : leftMs)
}

/** Calls `work` at each multiple of an interval, until the returned function is called. Does not keep the process running. */
export function repeat(intervalMs: number, work: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(() => {
      wait()
      work()
    }, msUntilTick(intervalMs)).unref()
  }
  wait()
  return () => clearTimeout(timer)
}
