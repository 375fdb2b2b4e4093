import { chooseFairly, FairPermits, type Work } from './fair-permits.ts'

type Waiting = Work & { grant: (release: () => void) => void }

export type Wait = {
  signal: AbortSignal | null
  /** Rejects with `error()` after `ms`. Without it the wait has no limit. */
  limit?: { ms: number; error: () => Error }
}

/** A semaphore whose permits are granted fairly among organizations. */
export class FairQueue {
  private readonly permits: FairPermits
  private readonly waiting = new Set<Waiting>()

  constructor(size: number) {
    this.permits = new FairPermits(size)
  }

  /** Whether no permit is held; then no work waits either. */
  get isIdle(): boolean {
    return this.permits.held === 0
  }

  /** Acquires a permit without waiting, and returns the function that releases it. Null when the work must wait. */
  tryAcquire(work: Work): (() => void) | null {
    // Work that waits comes first.
    if (this.waiting.size > 0) return null
    this.permits.markSlow()
    return this.permits.mayAcquire(work) ? this.releaseOf(this.permits.acquire(work)) : null
  }

  /**
   * Resolves with a function that releases the permit.
   * @throws the signal's reason when it aborts, or the limit's error
   */
  acquire(work: Work, { signal, limit }: Wait): Promise<() => void> {
    const release = signal?.aborted ? null : this.tryAcquire(work)
    if (release) return Promise.resolve(release)
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.waiting.delete(entry)
        outcome()
      }
      const onAbort = () => settle(() => reject(signal?.reason))
      const timer = limit && setTimeout(() => settle(() => reject(limit.error())), limit.ms)
      const entry = { ...work, grant: (release: () => void) => settle(() => resolve(release)) }
      signal?.addEventListener('abort', onAbort)
      this.waiting.add(entry)
      if (signal?.aborted) onAbort()
      else this.grantFree()
    })
  }

  private grantFree(): void {
    this.permits.markSlow()
    for (const { item, release } of chooseFairly(this.waiting, this.permits, this.permits.free)) {
      item.grant(this.releaseOf(release))
    }
  }

  private releaseOf(release: () => void): () => void {
    return () => {
      release()
      if (this.waiting.size > 0) this.grantFree()
    }
  }
}
