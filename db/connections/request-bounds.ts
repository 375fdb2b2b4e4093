import { AsyncLocalStorage } from 'node:async_hooks'

/** `deadline`: of a request's statements, by `performance.now()`. `caller`: who shares the pool with others. */
type RequestBounds = { deadline: number; caller: string | null }

// One storage per process, although Next bundles a second copy of this module.
const GLOBAL_KEY = Symbol.for('soundline.bounds')
const globalStorage = globalThis as { [GLOBAL_KEY]?: AsyncLocalStorage<RequestBounds> }
globalStorage[GLOBAL_KEY] ??= new AsyncLocalStorage()
const storage = globalStorage[GLOBAL_KEY]

/** Calls `work` with a deadline in `ms` for all its statements. Bounds that are set already are kept. */
export function withinRequestBounds<T>(
  ms: number,
  work: () => PromiseLike<T>,
  caller: string | null = null,
): Promise<T> {
  // Awaited inside, because drizzle sends a statement only when it is awaited.
  return storage.run(storage.getStore() ?? { deadline: performance.now() + ms, caller }, async () => await work())
}

/** Calls `work` outside of the request: for timers that it starts, which live longer. */
export function withoutRequestBounds<T>(work: () => T): T {
  return storage.exit(work)
}

/** Returns when the statements of this request are cancelled, by `performance.now()`; infinity outside of requests. */
export function currentDeadline(): number {
  return storage.getStore()?.deadline ?? Number.POSITIVE_INFINITY
}

/** Returns the caller whose statements these are; null without one: health, requests of agents, jobs. */
export function currentCaller(): string | null {
  return storage.getStore()?.caller ?? null
}
