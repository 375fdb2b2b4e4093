import type { Work } from '../fairness/fair-permits.ts'
import { FairQueue } from '../fairness/fair-queue.ts'

/** Of this size bodies are no matter, however many runs there are. */
export const LARGE_BYTES = 256 * 1024

/** As sent, decoded, as text and as a value: what a body of ten megabytes may take. */
const ROOM_BYTES = 40 * 1024 * 1024
const ROOMS_MIN = 4

/** How many runs may keep a large body at a time, in a quarter of the memory. */
export function largeBodiesFor(memoryBytes: number): number {
  return Math.max(ROOMS_MIN, Math.floor(memoryBytes / 4 / ROOM_BYTES))
}

export type BodyRoom = {
  /** Resolves when the run may keep a large body; once is enough. Rejects with the signal's reason. */
  reserve: (signal: AbortSignal) => Promise<void>
  /** To be called when the run has ended. */
  leave: () => void
}

/** Bounds the memory that bodies take, whatever number of runs waits for targets: the rest of a large one is left unread. */
export function createBodyRooms(rooms: number): (client: Work) => BodyRoom {
  const queue = new FairQueue(rooms)
  return (client) => {
    const taken: (() => void)[] = []
    const left = new AbortController()
    return {
      async reserve(signal) {
        if (taken.length > 0) return
        const giveBack = await queue.acquire(client, { signal: AbortSignal.any([signal, left.signal]) })
        // The connection may have broken meanwhile, and the run have ended.
        if (left.signal.aborted) giveBack()
        else taken.push(giveBack)
      },
      leave() {
        left.abort()
        for (const giveBack of taken.splice(0)) giveBack()
      },
    }
  }
}
