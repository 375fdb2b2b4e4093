import type { BodyStore } from './body-store.ts'

/** A key takes about 200 bytes. */
const KEYS_MAX = 10_000
/** A body that an operator removed by hand is stored again after this time. */
const REMEMBERED_MS = 3_600_000

/**
 * Skips bodies that this process stored within the last hour. Most runs of a service receive the same body, whose key is
 * the same for a day, so a bucket is sent it once an hour instead of at each run. The keys that were stored first are
 * forgotten first.
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
      await store.put(key, bytes)
      storedAt.delete(key)
      storedAt.set(key, now())
      const [first] = storedAt.keys()
      if (storedAt.size > KEYS_MAX && first !== undefined) storedAt.delete(first)
    },
  }
}
