import { countBodyStoreError } from '../observe/metrics/sends.ts'
import { log } from '../process/log.ts'
import type { Settings } from '../process/settings.ts'
import type { BodyStore } from './body-store.ts'
import { storeFor } from './store.ts'

export const BODY_READ_MAX_BYTES = 4 * 1024 * 1024

export type BodyRead =
  | { outcome: 'read'; bytes: Buffer }
  /** `unavailable`: no permit in time, a timeout, or an error of the store. The body probably still exists. */
  | { outcome: 'gone' | 'too_large' | 'unavailable' }

export type BodyReader = {
  /** Reads the body with `key` from the store with `url`. */
  read: (url: string, key: string) => Promise<BodyRead>
}

export type BodyReaderLimits = { timeoutMs: number; permitWaitMs: number; maxBytes: number }

const LIMITS: BodyReaderLimits = { timeoutMs: 15_000, permitWaitMs: 10_000, maxBytes: BODY_READ_MAX_BYTES }

/**
 * Creates the body reader of a process. It limits the parallel reads per store, the wait for a permit and the time of a
 * read. A read that hangs keeps its permit, so that a hung store cannot block more than its permits.
 */
export function createBodyReader(
  settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>,
  limits: Partial<BodyReaderLimits> = {},
  open: (url: string) => BodyStore = (url) => storeFor(url, settings),
): BodyReader {
  const { timeoutMs, permitWaitMs, maxBytes } = { ...LIMITS, ...limits }
  const stores = new Map<string, { store: BodyStore; permits: Permits }>()

  const storeAt = (url: string) => {
    let found = stores.get(url)
    if (!found) {
      const store = open(url)
      found = { store, permits: createPermits(store.readPermits) }
      stores.set(url, found)
    }
    return found
  }

  return {
    async read(url, key) {
      try {
        const { store, permits } = storeAt(url)
        if (!(await permits.take(permitWaitMs))) return { outcome: 'unavailable' }
        const limit = AbortSignal.timeout(timeoutMs)
        const work = Promise.resolve(store.read(key, maxBytes, limit)).finally(permits.free)
        const found = await Promise.race([work, aborted(limit)])
        if (found === 'aborted') {
          work.catch(() => {})
          countBodyStoreError('read')
          return { outcome: 'unavailable' }
        }
        return typeof found === 'string' ? { outcome: found } : { outcome: 'read', bytes: found }
      } catch (error) {
        countBodyStoreError('read')
        log.warn({ err: error, store: url }, 'could not read from a body store')
        return { outcome: 'unavailable' }
      }
    },
  }
}

type Permits = { take: (waitMs: number) => Promise<boolean>; free: () => void }

/** `take` resolves to false when no permit becomes free in time. The requests get permits in their order. */
function createPermits(count: number): Permits {
  let free = count
  const waiting: (() => void)[] = []
  return {
    take(waitMs) {
      if (free > 0) {
        free--
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const admit = () => {
          clearTimeout(timer)
          resolve(true)
        }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(admit), 1)
          resolve(false)
        }, waitMs)
        waiting.push(admit)
      })
    },
    free() {
      const next = waiting.shift()
      if (next) next()
      else free++
    },
  }
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }))
}
