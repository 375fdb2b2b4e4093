import { AsyncLocalStorage } from 'node:async_hooks'

// One storage per process, although Next bundles a second copy of this module. It holds the deadline of a request's
// statements, by `performance.now()`.
const GLOBAL_KEY = Symbol.for('soundline.deadline')
const globalStorage = globalThis as { [GLOBAL_KEY]?: AsyncLocalStorage<number> }
globalStorage[GLOBAL_KEY] ??= new AsyncLocalStorage()
const storage = globalStorage[GLOBAL_KEY]

/** Calls `work` with a deadline in `ms` for all its statements. A deadline that is set already is kept. */
export function withinRequestBounds<T>(ms: number, work: () => PromiseLike<T>): Promise<T> {
  // Awaited inside, because drizzle sends a statement only when it is awaited.
  return storage.run(storage.getStore() ?? performance.now() + ms, async () => await work())
}

/** Calls `work` outside of the request: for timers that it starts, which live longer. */
export function withoutRequestBounds<T>(work: () => T): T {
  return storage.exit(work)
}

/** Returns when the statements of this request are cancelled, by `performance.now()`; infinity outside of requests. */
export function currentDeadline(): number {
  return storage.getStore() ?? Number.POSITIVE_INFINITY
}
