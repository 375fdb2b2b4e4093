import { ApiError } from '../errors.ts'
import { addressBucket } from './client-address.ts'

// Rate limits per address and minute that count in this process only: for requests that must be cheap and must work
// without the database.

const WINDOW_MS = 60_000
/** Bounds memory: past this many addresses, the oldest windows are dropped. */
const ADDRESSES_MAX = 50_000

type Window = { endsAt: number; count: number }

/** Creates a rate limiter. Returns a function that counts one request of an address. */
export function createAddressLimiter(max: number): (address: string) => void {
  const windowOf = createWindows()
  /** @throws ApiError `rate_limited` */
  return (address) => {
    const window = windowOf(address)
    if (++window.count > max) throw limited(window)
  }
}

export type FailureLimiter = {
  /** @throws ApiError `rate_limited` when the address has failed too often */
  check: (address: string) => void
  /** Counts a failure of an address. */
  add: (address: string) => void
}

/** Creates a rate limiter that counts only requests that failed. */
export function createFailureLimiter(max: number): FailureLimiter {
  const windowOf = createWindows()
  return {
    check(address) {
      const window = windowOf(address)
      if (window.count >= max) throw limited(window)
    },
    add(address) {
      windowOf(address).count++
    },
  }
}

function createWindows(): (address: string) => Window {
  const windows = new Map<string, Window>()
  return (address) => {
    const key = addressBucket(address)
    const now = performance.now()
    const current = windows.get(key)
    if (current && current.endsAt > now) return current
    windows.delete(key)
    if (windows.size >= ADDRESSES_MAX) windows.delete(windows.keys().next().value as string)
    const window = { endsAt: now + WINDOW_MS, count: 0 }
    windows.set(key, window)
    return window
  }
}

function limited({ endsAt }: Window): ApiError {
  const seconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000))
  return new ApiError('rate_limited', undefined, { 'Retry-After': String(seconds) })
}
