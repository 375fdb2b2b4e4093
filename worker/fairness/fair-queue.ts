import { chooseFairly, FairPermits, type Work } from './fair-permits.ts'

type Waiting = Work & { grant: (release: () => void) => void }

export type Wait = {
  signal: AbortSignal | null
  /** After so long it ends with `error()`; never unless given. */
  limit?: { ms: number; error: () => Error }
}

/** Slots that are waited for, by fair turns of the organizations. */
export class FairQueue {
  private readonly permits: FairPermits
  private readonly waiting = new Set<Waiting>()

  constructor(size: number) {
    this.permits = new FairPermits(size)
  }

  /** Whether nobody holds a slot; then nobody waits either. */
  get isIdle(): boolean {
    return this.permits.held === 0
  }

  /** Resolves with a slot: the function that gives it back. Rejects with the signal's reason when it aborts. */
  acquire(work: Work, { signal, limit }: Wait): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.waiting.delete(one)
        outcome()
      }
      const onAbort = () => settle(() => reject(signal?.reason))
      const timer = limit && setTimeout(() => settle(() => reject(limit.error())), limit.ms)
      const one = { ...work, grant: (release: () => void) => settle(() => resolve(release)) }
      signal?.addEventListener('abort', onAbort)
      this.waiting.add(one)
      if (signal?.aborted) onAbort()
      else this.serve()
    })
  }

  private serve(): void {
    this.permits.markSlow()
    for (const { one, release } of chooseFairly(this.waiting, this.permits, this.permits.free)) {
      one.grant(() => {
        release()
        this.serve()
      })
    }
  }
}
