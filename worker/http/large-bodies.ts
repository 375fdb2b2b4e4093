import type { Work } from '../fairness/fair-permits.ts'
import { FairQueue } from '../fairness/fair-queue.ts'

/** Of this size bodies are no matter, however many runs there are. */
export const LARGE_BODY_BYTES = 256 * 1024

/** As sent, decoded, as text and as a value: what a body of ten megabytes may take. */
const BYTES_PER_LARGE_BODY = 40 * 1024 * 1024
const MIN_LARGE_BODIES = 4

/** How many runs may keep a large body at a time, in a quarter of the memory. */
export function maxLargeBodies(memoryBytes: number): number {
  return Math.max(MIN_LARGE_BODIES, Math.floor(memoryBytes / 4 / BYTES_PER_LARGE_BODY))
}

export type LargeBodyPermit = {
  /** Resolves when the run may keep a large body; once is enough. Rejects with the signal's reason. */
  reserve: (signal: AbortSignal) => Promise<void>
  /** To be called when the run has ended. */
  release: () => void
}

/** Bounds the memory that bodies take, whatever number of runs waits for targets: the rest of a large one is left unread. */
export function createLargeBodyPermits(permits: number): (client: Work) => LargeBodyPermit {
  const queue = new FairQueue(permits)
  return (client) => {
    const held: (() => void)[] = []
    const ended = new AbortController()
    return {
      async reserve(signal) {
        if (held.length > 0) return
        const releasePermit = await queue.acquire(client, { signal: AbortSignal.any([signal, ended.signal]) })
        // The connection may have broken meanwhile, and the run have ended.
        if (ended.signal.aborted) releasePermit()
        else held.push(releasePermit)
      },
      release() {
        ended.abort()
        for (const giveBack of held.splice(0)) giveBack()
      },
    }
  }
}
