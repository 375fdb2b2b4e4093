/** Long enough for every other worker to try again, too. */
const REPORT_BACK_MS = 5_000

/**
 * How often a worker is heard of, and looks for those that are not: a run is taken up one lease and one look after the
 * death of its worker, and five beats may fail before a worker that lives loses its own.
 */
export function heartbeatIntervalMs(staleSeconds: number): number {
  return Math.min(5_000, (staleSeconds * 1_000) / 6)
}

export type Liveness = {
  /** Tells the others that this process lives. */
  sendHeartbeat: () => Promise<void>
  /**
   * Whether leases and the others can be judged by when they were last heard of, as read at `readAt` by the database's
   * clock. Not while this process has not been heard itself: when the database was away everyone fell silent, and all
   * get the time to report back. Nor when that clock has leapt ahead of this process, as it does when machines are
   * suspended: then everyone gets the time of one more beat. Asked after the others' state has been read, since that is
   * what may have taken so long.
   */
  canTrustHeartbeats: (readAt: Date) => boolean
}

/** `report` answers when it was heard, by the database's clock. */
export function createLiveness(report: () => Promise<Date>, staleSeconds: number): Liveness {
  const silentMs = (staleSeconds * 1_000) / 2
  let lastAt = performance.now()
  let settledAt = 0
  let heardAt: Date | null = null
  let hasLeapt = false
  const leaps = (to: Date) => heardAt !== null && to.getTime() - heardAt.getTime() > silentMs
  return {
    async sendHeartbeat() {
      const at = await report()
      const now = performance.now()
      if (now - lastAt > silentMs) settledAt = now + Math.min(REPORT_BACK_MS, silentMs)
      hasLeapt = leaps(at)
      lastAt = now
      heardAt = at
    },
    canTrustHeartbeats(readAt) {
      const now = performance.now()
      return now - lastAt <= silentMs && now >= settledAt && !hasLeapt && !leaps(readAt)
    },
  }
}
