import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const ID_BYTES = 16
// A call for each id would cost ten microseconds; one fills the bytes of 256 ids.
const pool = new Uint8Array(256 * ID_BYTES)
let used = pool.length

function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += ID_BYTES
  return pool.subarray(used - ID_BYTES, used)
}

/** Returns a UUID of version 7 with the time `at`. A result's id contains its start, which determines its partition. */
export function createIdAt(at: Date): string {
  return uuidv7({ msecs: at.getTime(), rng: randomBytes })
}

/** Returns the time in a UUID of version 7, null for another version. */
export function timestampOfId(id: string): Date | null {
  const hex = id.replaceAll('-', '')
  if (!/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/i.test(hex)) return null
  return new Date(Number.parseInt(hex.slice(0, 12), 16))
}
