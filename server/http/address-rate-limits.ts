import { ApiError } from '../errors.ts'
import { addressBucket } from './client-address.ts'

const WINDOW_MS = 60_000
/** Bounds memory: past this many addresses, the oldest windows are dropped. */
const ADDRESSES_MAX = 50_000

/**
 * Creates a rate limiter per address and minute that counts in this process only: for requests that must be cheap and
 * must work without the database. Returns a function that counts one request of an address.
 */
export function createAddressLimiter(max: number): (address: string) => void {
  const windows = new Map<string, { endsAt: number; count: number }>()
  /** @throws ApiError `rate_limited` */
  return (address) => {
    const key = addressBucket(address)
    const now = performance.now()
    let window = windows.get(key)
    if (!window || window.endsAt <= now) {
      windows.delete(key)
      if (windows.size >= ADDRESSES_MAX) windows.delete(windows.keys().next().value as string)
      window = { endsAt: now + WINDOW_MS, count: 0 }
      windows.set(key, window)
    }
    if (++window.count <= max) return
    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1_000))
    throw new ApiError('rate_limited', undefined, { 'Retry-After': String(seconds) })
  }
}
