import { ApiError } from '../errors.ts'
import { addressBucket } from './client-address.ts'

// Rate limits per address and minute that count in this process only: for requests that must be cheap and must work
// without the database.

const WINDOW_MS = 60_000
/** Bounds memory: past this many addresses, the oldest windows are dropped. */
const ADDRESSES_MAX = 50_000

type Window = { endsAt: number; count: number }

export type AddressLimiter = {
  /** @throws ApiError `rate_limited` when the address has reached the maximum */
  check: (address: string) => void
  /** Counts a request of an address, or a failure. */
  add: (address: string) => void
  /** Both: for limits of requests. @throws ApiError `rate_limited` */
  count: (address: string) => void
}

export function createAddressLimiter(max: number): AddressLimiter {
  const windows = new Map<string, Window>()
  const windowOf = (address: string) => {
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
  const check = (address: string) => {
    const { count, endsAt } = windowOf(address)
    if (count < max) return
    const seconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000))
    throw new ApiError('rate_limited', undefined, { 'Retry-After': String(seconds) })
  }
  const add = (address: string) => {
    windowOf(address).count++
  }
  const count = (address: string) => {
    check(address)
    add(address)
  }
  return { check, add, count }
}
