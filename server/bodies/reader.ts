import { log } from '../process/log.ts'
import type { Settings } from '../process/settings.ts'
import type { BodyStore } from './body-store.ts'
import { storeFor } from './store.ts'

export const BODY_READ_MAX_BYTES = 4 * 1024 * 1024

export type BodyRead =
  | { outcome: 'read'; bytes: Buffer }
  /** `unavailable`: no slot in time, no answer in time, or an error of the store; the body probably still exists. */
  | { outcome: 'gone' | 'too_large' | 'unavailable' }

export type BodyReader = {
  /** Reads the body that a step recorded under `key` in the store whose row has `url`. */
  read: (url: string, key: string) => Promise<BodyRead>
}

export type BodyReaderLimits = { timeoutMs: number; slotWaitMs: number; maxBytes: number }

const LIMITS: BodyReaderLimits = { timeoutMs: 15_000, slotWaitMs: 10_000, maxBytes: BODY_READ_MAX_BYTES }

/**
 * Reads stored bodies within bounds: so many at once per store, so long for a slot, so long for the read. One per
 * process. A read that does not come back keeps its slot, so a hung store never takes more than its slots.
 */
export function createBodyReader(
  settings: Pick<Settings, 'BODY_STORE_URL' | 'DATA_DIR'>,
  limits: Partial<BodyReaderLimits> = {},
  open: (url: string) => BodyStore = (url) => storeFor(url, settings),
): BodyReader {
  const { timeoutMs, slotWaitMs, maxBytes } = { ...LIMITS, ...limits }
  const stores = new Map<string, { store: BodyStore; slots: Permits }>()

  const storeAt = (url: string) => {
    let found = stores.get(url)
    if (!found) {
      const store = open(url)
      found = { store, slots: createPermits(store.readSlots) }
      stores.set(url, found)
    }
    return found
  }

  return {
    async read(url, key) {
      try {
        const { store, slots } = storeAt(url)
        if (!(await slots.take(slotWaitMs))) return { outcome: 'unavailable' }
        const limit = AbortSignal.timeout(timeoutMs)
        const work = Promise.resolve(store.read(key, maxBytes, limit)).finally(slots.free)
        const found = await Promise.race([work, aborted(limit)])
        if (found === 'aborted') {
          work.catch(() => {})
          return { outcome: 'unavailable' }
        }
        return typeof found === 'string' ? { outcome: found } : { outcome: 'read', bytes: found }
      } catch (error) {
        log.warn({ err: error, store: url }, 'a body store could not be read')
        return { outcome: 'unavailable' }
      }
    },
  }
}

type Permits = { take: (waitMs: number) => Promise<boolean>; free: () => void }

/** `take` answers false when none came free in time; first come, first served. */
function createPermits(count: number): Permits {
  let free = count
  const waiting: ((granted: true) => void)[] = []
  return {
    take(waitMs) {
      if (free > 0) {
        free--
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const grant = () => {
          clearTimeout(timer)
          resolve(true)
        }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(grant), 1)
          resolve(false)
        }, waitMs)
        waiting.push(grant)
      })
    },
    free() {
      const next = waiting.shift()
      if (next) next(true)
      else free++
    },
  }
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }))
}
