import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.ts'
import { localToInstant, offsetAt } from '../../schedule/zone-offsets.ts'
import type { Range } from '../../schemas/results/ranges.ts'

/**
 * How a range is divided. Up to six hours its buckets are read from the results, and end at any minute. Longer ranges are
 * read from roll-ups of UTC hours; those of several hours or days begin on the clocks of the zone.
 */
const DIVISIONS: Record<Range, { lengthMs: number; count: number; source: 'results' | 'hours' | 'days' }> = {
  '1h': { lengthMs: MINUTE_MS, count: 60, source: 'results' },
  '6h': { lengthMs: 5 * MINUTE_MS, count: 72, source: 'results' },
  '24h': { lengthMs: HOUR_MS, count: 24, source: 'hours' },
  '7d': { lengthMs: 3 * HOUR_MS, count: 56, source: 'hours' },
  '30d': { lengthMs: DAY_MS, count: 30, source: 'days' },
  '90d': { lengthMs: DAY_MS, count: 90, source: 'days' },
}

export type ZonedBuckets = {
  source: 'results' | 'hours' | 'days'
  /** The start of each bucket, oldest first, and the end of the last one. */
  bounds: Date[]
  since: Date
  /** For buckets of days, the number of the first day of the zone since 1970-01-01. */
  firstDay: number
}

export function zonedBuckets(range: Range, zone: string, now: Date): ZonedBuckets {
  const { lengthMs, count, source } = DIVISIONS[range]
  const isLocal = lengthMs > HOUR_MS
  const clock = isLocal ? now.getTime() + offsetAt(now.getTime(), zone) : now.getTime()
  const current = Math.floor(clock / lengthMs) * lengthMs
  const bounds = Array.from({ length: count + 1 }, (_, i) => {
    const start = current - (count - 1 - i) * lengthMs
    return new Date(isLocal ? firstHourFrom(start, zone) : start)
  })
  // In a zone with half hours, the current time can lie before the first whole hour of its bucket.
  if ((bounds[count - 1] as Date) > now) return zonedBuckets(range, zone, new Date(now.getTime() - HOUR_MS))
  const firstDay = Math.floor(current / DAY_MS) - (count - 1)
  return { source, bounds, since: bounds[0] as Date, firstDay }
}

/** Returns the number of the bucket that contains an instant, -1 outside of all buckets. */
export function bucketIndex({ bounds }: ZonedBuckets, at: number): number {
  const last = bounds.length - 1
  if (at < (bounds[0] as Date).getTime() || at >= (bounds[last] as Date).getTime()) return -1
  let [low, high] = [0, last]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (at < (bounds[middle] as Date).getTime()) high = middle
    else low = middle
  }
  return low
}

/** Returns the first UTC hour that begins at a local time or after it. Clocks can skip the local time. */
function firstHourFrom(local: number, zone: string): number {
  let at: number | null = null
  for (let time = local; at === null; time += HOUR_MS / 2) at = localToInstant(time, zone)
  return Math.ceil(at / HOUR_MS) * HOUR_MS
}
