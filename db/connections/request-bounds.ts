import { AsyncLocalStorage } from 'node:async_hooks'

/** The caller and the deadline of a request's statements. */
export type RequestBounds = {
  /** Callers take turns in waiting for connections. */
  caller: string
  /** By `performance.now()`. Running statements are cancelled at this time, and no statement starts after it. */
  deadline: number
  /** The request has had a connection: it comes before new requests, so that started requests finish. */
  hadConnection: boolean
}

// One storage per process, although Next bundles a second copy of this module.
const GLOBAL_KEY = Symbol.for('soundline.bounds')
const globalStorage = globalThis as { [GLOBAL_KEY]?: AsyncLocalStorage<RequestBounds> }
globalStorage[GLOBAL_KEY] ??= new AsyncLocalStorage()
const storage = globalStorage[GLOBAL_KEY]

/** Calls `work` with a deadline in `ms` for all its statements. Bounds that are set already are kept. */
export function withinRequestBounds<T>(
  caller: string,
  ms: number,
  work: () => PromiseLike<T>,
  hadConnection = false,
): Promise<T> {
  const bounds = storage.getStore() ?? { caller, deadline: performance.now() + ms, hadConnection }
  // Awaited inside, because drizzle sends a statement only when it is awaited.
  return storage.run(bounds, async () => await work())
}

/** Calls `work` outside of the request: for timers that it starts, which live longer. */
export function withoutRequestBounds<T>(work: () => T): T {
  return storage.exit(work)
}

export function currentRequestBounds(): RequestBounds | null {
  return storage.getStore() ?? null
}
