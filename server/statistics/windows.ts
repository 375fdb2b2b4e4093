import { DAY_MS, HOUR_MS } from '../durations.ts'
import type { Window } from '../schemas/statistics.ts'

export type BucketType = 'hour' | 'day'

/** Whole buckets of one length, the last of them the current one. */
export type Buckets = { type: BucketType; starts: Date[]; since: Date; until: Date; previousSince: Date }

/** The bucket that an hour or a day belongs to. */
export function bucketStart(at: Date, type: BucketType): Date {
  const length = type === 'hour' ? HOUR_MS : DAY_MS
  return new Date(Math.floor(at.getTime() / length) * length)
}

/** What the metrics' percentiles cover: the current hour and, from `from` on, the 23 before it. */
export function recentHours(now: Date): { from: Date; current: Date } {
  return { from: lastBuckets('hour', 24, now).since, current: bucketStart(now, 'hour') }
}

const WINDOW_BUCKETS: Record<Window, { type: BucketType; count: number }> = {
  '24h': { type: 'hour', count: 24 },
  '7d': { type: 'hour', count: 168 },
  '30d': { type: 'day', count: 30 },
  '90d': { type: 'day', count: 90 },
}

/** The buckets of a window as of `now`: hours for a day and a week, days for longer. */
export function bucketsOf(window: Window, now: Date): Buckets {
  const { type, count } = WINDOW_BUCKETS[window]
  return lastBuckets(type, count, now)
}

/** The latest `count` buckets as of `now`, and the equally long time before them. */
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
