// Whether this process may consider others dead. Whether an agent is alive: server/schedule/agent-liveness.ts.

/** How long the other workers get to send a heartbeat after an outage. */
const REPORT_BACK_MS = 5_000

/**
 * Returns how often a worker sends heartbeats and reaps, in milliseconds. At most one lease and one interval after the
 * death of its worker, a run is queued again. Five heartbeats may fail before a live worker counts as dead.
 */
export function heartbeatIntervalMs(staleSeconds: number): number {
  return Math.min(5_000, (staleSeconds * 1_000) / 6)
}

export type Liveness = {
  /** Sends heartbeats to the other workers. */
  sendHeartbeat: () => Promise<void>
  /**
   * Whether old heartbeats and leases, read at `readAt` by the database's clock, mean that their workers are dead. They
   * do not mean it in two cases. During an outage no worker can send heartbeats: while this process cannot, and for a
   * while after that, all workers get time to report back. When the database's clock leaps ahead, as it does after a
   * suspension of the machines, all workers get the time of one more heartbeat. Call it after reading, because the
   * reading itself may have taken long.
   */
  canTrustHeartbeats: (readAt: Date) => boolean
  /**
   * Whether a silence of `silentForMs` until `readAt` means that a worker is dead, not that the database was away: this
   * process must have sent heartbeats for as long, without a gap.
   */
  canTrustSilence: (readAt: Date, silentForMs: number) => boolean
}

/** `send` stores the heartbeat and resolves with the database's time. */
export function createLiveness(send: () => Promise<Date>, staleSeconds: number): Liveness {
  const silentMs = (staleSeconds * 1_000) / 2
  let lastAt = performance.now()
  let trustedFrom = 0
  let databaseTime: Date | null = null
  let hasLeapt = false
  /** Since when heartbeats are sent without a gap; null before the first. */
  let steadySince: number | null = null
  const leaps = (to: Date) => databaseTime !== null && to.getTime() - databaseTime.getTime() > silentMs
  const canTrustHeartbeats = (readAt: Date) => {
    const now = performance.now()
    return now - lastAt <= silentMs && now >= trustedFrom && !hasLeapt && !leaps(readAt)
  }
  return {
    async sendHeartbeat() {
      const at = await send()
      const now = performance.now()
      if (now - lastAt > silentMs) trustedFrom = now + Math.min(REPORT_BACK_MS, silentMs)
      hasLeapt = leaps(at)
      if (steadySince === null || now - lastAt > silentMs || hasLeapt) steadySince = now
      lastAt = now
      databaseTime = at
    },
    canTrustHeartbeats,
    canTrustSilence(readAt, silentForMs) {
      const isSteady = steadySince !== null && performance.now() - steadySince >= silentForMs
      return isSteady && canTrustHeartbeats(readAt)
    },
  }
}
