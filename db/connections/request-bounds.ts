import { AsyncLocalStorage } from 'node:async_hooks'

/** For whom statements run, and until when. */
export type RequestBounds = {
  /** Waiting for connections is fair among callers. */
  caller: string
  /** By `performance.now()`; statements that are not done by then are cancelled, and none begins after it. */
  deadline: number
  /** It has had a connection already: it goes before those that have not begun, so that what is begun is also ended. */
  hadConnection: boolean
}

// One per process, although Next bundles a copy of this module of its own.
const GLOBAL_KEY = Symbol.for('soundline.bounds')
const globalStorage = globalThis as { [GLOBAL_KEY]?: AsyncLocalStorage<RequestBounds> }
globalStorage[GLOBAL_KEY] ??= new AsyncLocalStorage()
const storage = globalStorage[GLOBAL_KEY]

/** Does work whose statements are all within the bounds; bounds that stand already are kept. */
export function withinRequestBounds<T>(
  caller: string,
  ms: number,
  work: () => PromiseLike<T>,
  hadConnection = false,
): Promise<T> {
  const bounds = storage.getStore() ?? { caller, deadline: performance.now() + ms, hadConnection }
  // Waited for in here: drizzle sends a statement only when it is.
  return storage.run(bounds, async () => await work())
}

export function currentRequestBounds(): RequestBounds | null {
  return storage.getStore() ?? null
}
