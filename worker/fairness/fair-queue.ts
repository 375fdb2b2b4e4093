import { type Client, chooseFairly, FairSlots } from './fair-permits.ts'

type Waiting = Client & { begin: (giveBack: () => void) => void }

export type Wait = {
  signal: AbortSignal | null
  /** After so long it ends with `error()`; never unless given. */
  most?: { ms: number; error: () => Error }
}

/** Slots that are waited for, by fair turns of the organizations. */
export class FairQueue {
  private readonly slots: FairSlots
  private readonly waiting = new Set<Waiting>()

  constructor(size: number) {
    this.slots = new FairSlots(size)
  }

  /** Whether nobody holds a slot; then nobody waits either. */
  get isIdle(): boolean {
    return this.slots.held === 0
  }

  /** Resolves with a slot: the function that gives it back. Rejects with the signal's reason when it aborts. */
  enter(client: Client, { signal, most }: Wait): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.waiting.delete(one)
        outcome()
      }
      const onAbort = () => settle(() => reject(signal?.reason))
      const timer = most && setTimeout(() => settle(() => reject(most.error())), most.ms)
      const one = { ...client, begin: (giveBack: () => void) => settle(() => resolve(giveBack)) }
      signal?.addEventListener('abort', onAbort)
      this.waiting.add(one)
      if (signal?.aborted) onAbort()
      else this.serve()
    })
  }

  private serve(): void {
    this.slots.age()
    for (const { one, giveBack } of chooseFairly(this.waiting, this.slots, this.slots.free)) {
      one.begin(() => {
        giveBack()
        this.serve()
      })
    }
  }
}
