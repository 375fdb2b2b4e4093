import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

/** Random bytes for 256 ids: each call of `randomFillSync` takes 60 µs, and the library makes one for 16 ids. */
const pool = new Uint8Array(4_096)
const BYTES = 16
let used = pool.length

/**
 * Returns an id for a run that is made at `now` by the database's clock. Results are found by the time in it, and their
 * starts are by that clock too, while the clocks of machines may be wrong.
 */
export function createRunId(now: Date): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + BYTES)
  used += BYTES
  return uuidv7({ msecs: now.getTime(), random })
}
