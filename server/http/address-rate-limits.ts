import { ApiError } from '../errors.ts'
import { addressBucket } from './client-address.ts'

const WINDOW_MS = 60_000
/** More addresses than call in a minute; past it the oldest windows are forgotten. */
const ADDRESSES_MAX = 50_000

/**
 * A budget per address and minute, counted in this process alone: for what must cost nothing and must work without the
 * database. Returns a function that spends one request of an address.
 */
export function createAddressLimiter(max: number): (address: string) => void {
  const windows = new Map<string, { endsAt: number; spent: number }>()
  /** @throws ApiError `rate_limited` */
  return (address) => {
    const key = addressBucket(address)
    const now = performance.now()
    let window = windows.get(key)
    if (!window || window.endsAt <= now) {
      windows.delete(key)
      if (windows.size >= ADDRESSES_MAX) windows.delete(windows.keys().next().value as string)
      window = { endsAt: now + WINDOW_MS, spent: 0 }
      windows.set(key, window)
    }
    if (++window.spent <= max) return
    const seconds = Math.max(1, Math.ceil((window.endsAt - now) / 1_000))
    throw new ApiError('rate_limited', undefined, { 'Retry-After': String(seconds) })
  }
}
