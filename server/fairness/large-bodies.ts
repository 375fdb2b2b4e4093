import type { Work } from './fair-permits.ts'
import { FairQueue } from './fair-queue.ts'

/** Smaller bodies need no permit. */
export const LARGE_BODY_BYTES = 256 * 1024

/** Memory for a body of ten megabytes: as sent, decoded, as a string and as a parsed value. */
const BYTES_PER_LARGE_BODY = 40 * 1024 * 1024
const MIN_LARGE_BODIES = 4

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

/** Limits the memory of large bodies: without a permit, the rest of a large body is not read. */
export function createLargeBodyPermits(permits: number): (work: Work) => LargeBodyPermit {
  const queue = new FairQueue(permits)
  return (work) => {
    const held: (() => void)[] = []
    // Created when it is needed: hardly any run has a large body.
    let ended: AbortController | null = null
    let isReleased = false
    return {
      async reserve(signal) {
        if (held.length > 0) return
        ended ??= new AbortController()
        if (isReleased) ended.abort()
        const releasePermit = await queue.acquire(work, { signal: AbortSignal.any([signal, ended.signal]) })
        // The run may have ended while it waited.
        if (ended.signal.aborted) releasePermit()
        else held.push(releasePermit)
      },
      release() {
        isReleased = true
        ended?.abort()
        for (const releasePermit of held.splice(0)) releasePermit()
      },
    }
  }
}
