import type { BodyStore } from './body-store.ts'

/** Two bodies for each of the 10,000 services that a worker can run every minute. A key takes about 200 bytes. */
const KEYS_MAX = 20_000
/** For this time, results can name a body that was removed from the store by hand. */
const REMEMBERED_MS = 600_000

/**
 * Skips bodies that this process stored within the last ten minutes. Most runs of a service receive the same body, whose
 * key is the same for a day: otherwise each run would look for its file, or send it to a bucket. The keys that were stored
 * first are forgotten first, and all of them when the store fails: it may come back without its content.
 */
export function storeOnce(
  store: Pick<BodyStore, 'put'>,
  now: () => number = () => performance.now(),
): Pick<BodyStore, 'put'> {
  const storedAt = new Map<string, number>()
  return {
    async put(key, bytes) {
      const at = storedAt.get(key)
      if (at !== undefined && now() - at < REMEMBERED_MS) return
      try {
        await store.put(key, bytes)
      } catch (error) {
        storedAt.clear()
        throw error
      }
      storedAt.delete(key)
      storedAt.set(key, now())
      const [first] = storedAt.keys()
      if (storedAt.size > KEYS_MAX && first !== undefined) storedAt.delete(first)
    },
  }
}
