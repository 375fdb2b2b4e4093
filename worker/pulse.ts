/** Long enough for every other worker to try again, too. */
const SETTLE_MS = 10_000

export type Pulse = {
  /** Tells the others that this process lives. */
  beat: () => Promise<void>
  /**
   * Whether the others can be judged by when they were last heard of. Not while this process has not been heard itself:
   * when the database was away, everyone fell silent, and all get the time to report back. Asked after the others'
   * state has been read, since that is what may have taken so long.
   */
  isSteady: () => boolean
}

export function createPulse(report: () => Promise<void>, staleSeconds: number): Pulse {
  const silentMs = (staleSeconds * 1_000) / 2
  let lastAt = performance.now()
  let settledAt = 0
  return {
    async beat() {
      await report()
      const now = performance.now()
      if (now - lastAt > silentMs) settledAt = now + Math.min(SETTLE_MS, silentMs)
      lastAt = now
    },
    isSteady() {
      const now = performance.now()
      return now - lastAt <= silentMs && now >= settledAt
    },
  }
}
