import { DAY_MS, HOUR_MS } from '../../durations.ts'
import type { Window } from '../../schemas/statistics.ts'

export type BucketType = 'hour' | 'day'

/** Whole buckets of one length; the last one is the current one. */
export type Buckets = { type: BucketType; starts: Date[]; since: Date; until: Date; previousSince: Date }

/** Returns the start of the UTC hour or day that contains `at`. */
export function bucketStart(at: Date, type: BucketType): Date {
  const length = type === 'hour' ? HOUR_MS : DAY_MS
  return new Date(Math.floor(at.getTime() / length) * length)
}

const WINDOW_BUCKETS: Record<Window, { type: BucketType; count: number }> = {
  '24h': { type: 'hour', count: 24 },
  '7d': { type: 'hour', count: 168 },
  '30d': { type: 'day', count: 30 },
  '90d': { type: 'day', count: 90 },
}

/** Returns the buckets of a window as of `now`: hourly up to a week, daily above. */
export function bucketsOf(window: Window, now: Date): Buckets {
  const { type, count } = WINDOW_BUCKETS[window]
  return lastBuckets(type, count, now)
}

/** Returns the latest `count` buckets as of `now`; `previousSince` starts the equally long period before them. */
export function lastBuckets(type: BucketType, count: number, now: Date): Buckets {
  const length = type === 'hour' ? HOUR_MS : DAY_MS
  const last = bucketStart(now, type).getTime()
  const since = last - (count - 1) * length
  return {
    type,
    starts: Array.from({ length: count }, (_, i) => new Date(since + i * length)),
    since: new Date(since),
    until: now,
    previousSince: new Date(since - count * length),
  }
}
