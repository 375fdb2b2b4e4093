import { FairPermits, type Work } from '../../fairness/fair-permits.ts'

/** Processes of agents whose shares are remembered. */
const PROCESSES_MAX = 1_000

/** The permits of one process, and how to release those of its runs, by attempt. */
export type Share = { permits: FairPermits; held: Map<string, () => void> }

/** A run that a process of an agent executes. `key` names its attempt. */
export type RunningWork = Work & { key: string }

/**
 * The fair shares of organizations in the processes of remote agents, as an in-house worker has them. The database
 * knows which runs a process executes; this counts for how long each organization used its permits recently.
 */
export class FairShares {
  readonly #shares = new Map<string, Share>()

  /** Returns the share of a process: one permit for each run that it executes, and `free` more. */
  of(workerId: string, running: RunningWork[], free: number): Share {
    const size = running.length + free
    const share = this.#shares.get(workerId) ?? { permits: new FairPermits(size), held: new Map() }
    this.#shares.delete(workerId)
    this.#shares.set(workerId, share)
    if (this.#shares.size > PROCESSES_MAX) this.#shares.delete(this.#shares.keys().next().value as string)
    share.permits.size = size
    const keys = new Set(running.map(({ key }) => key))
    for (const [key, release] of share.held) {
      if (keys.has(key)) continue
      release()
      share.held.delete(key)
    }
    for (const work of running) {
      if (!share.held.has(work.key)) share.held.set(work.key, share.permits.acquire(work))
    }
    share.permits.markSlow()
    return share
  }
}
