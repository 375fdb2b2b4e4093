import { FairQueue, type Work } from './fair-queue.ts'

/** Smaller bodies need no place. */
export const LARGE_BODY_BYTES = 256 * 1024

/** Memory for a body of ten megabytes: as sent, decoded, as a string and as a parsed value. */
const BYTES_PER_LARGE_BODY = 40 * 1024 * 1024
const MIN_LARGE_BODIES = 4

/** Made once: an abort without a reason makes an exception with its stack, for each run. */
const RUN_ENDED = new Error('the run has ended')

/** Returns how many runs may hold a large body at the same time, in a quarter of the memory. */
export function maxLargeBodies(memoryBytes: number): number {
  return Math.max(MIN_LARGE_BODIES, Math.floor(memoryBytes / 4 / BYTES_PER_LARGE_BODY))
}

export type LargeBodyPermit = {
  /** Resolves when the run may read large bodies. Later calls resolve at once. Rejects with the signal's reason. */
  reserve: (signal: AbortSignal) => Promise<void>
  /** Must be called when the run has ended. */
  release: () => void
}

/** Limits the memory of large bodies: without a place, the rest of a large body is not read. */
export function createLargeBodyPermits(size: number): (work: Work) => LargeBodyPermit {
  const queue = new FairQueue(size)
  return (work) => {
    const ended = new AbortController()
    const held: (() => void)[] = []
    return {
      async reserve(signal) {
        if (held.length > 0) return
        const release = await queue.acquire(work, { signal: AbortSignal.any([signal, ended.signal]) })
        // The run may have ended while it waited.
        if (ended.signal.aborted) release()
        else held.push(release)
      },
      release() {
        ended.abort(RUN_ENDED)
        for (const release of held.splice(0)) release()
      },
    }
  }
}
