import { AsyncLocalStorage } from 'node:async_hooks'

/** For whom statements run, and until when. */
export type Bounds = {
  /** Waiting for connections is fair among callers. */
  caller: string
  /** By `performance.now()`; statements that are not done by then are cancelled, and none begins after it. */
  deadline: number
  /** It has had a connection already: it goes before those that have not begun, so that what is begun is also ended. */
  isBegun: boolean
}

// One per process, although Next bundles a copy of this module of its own.
const SLOT = Symbol.for('soundline.bounds')
const slotted = globalThis as { [SLOT]?: AsyncLocalStorage<Bounds> }
slotted[SLOT] ??= new AsyncLocalStorage()
const storage = slotted[SLOT]

/** Does work whose statements are all within the bounds; bounds that stand already are kept. */
export function withinBounds<T>(caller: string, ms: number, work: () => PromiseLike<T>, isBegun = false): Promise<T> {
  const bounds = storage.getStore() ?? { caller, deadline: performance.now() + ms, isBegun }
  // Waited for in here: drizzle sends a statement only when it is.
  return storage.run(bounds, async () => await work())
}

export function currentBounds(): Bounds | null {
  return storage.getStore() ?? null
}
