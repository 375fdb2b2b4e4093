import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.ts'
import { localToInstant, offsetAt } from '../../schedule/zone-offsets.ts'
import { BUCKET_LENGTHS, type BucketLength, RANGES, type Range, type Span } from '../../schemas/results/ranges.ts'

/**
 * Where buckets are read from. Up to five minutes they are read from the results, and end at any minute. Longer ones are
 * read from roll-ups of UTC hours; those of several hours or days begin on the clocks of the zone.
 */
const DIVISIONS: Record<BucketLength, { lengthMs: number; source: 'results' | 'hours' | 'days' }> = {
  minute: { lengthMs: MINUTE_MS, source: 'results' },
  '5 minutes': { lengthMs: 5 * MINUTE_MS, source: 'results' },
  hour: { lengthMs: HOUR_MS, source: 'hours' },
  '3 hours': { lengthMs: 3 * HOUR_MS, source: 'hours' },
  day: { lengthMs: DAY_MS, source: 'days' },
}

const COUNTS: Record<Range, number> = { '1h': 60, '6h': 72, '24h': 24, '7d': 56, '30d': 30, '90d': 90 }

/** The most buckets of a part of a range, unless they are days. */
const SPAN_BUCKETS_MAX = 72

export type ZonedBuckets = {
  length: BucketLength
  source: 'results' | 'hours' | 'days'
  /** The start of each bucket, oldest first, and the end of the last one. */
  bounds: Date[]
  since: Date
  /** For buckets of days, the number of the first day of the zone since 1970-01-01. */
  firstDay: number
}

export function zonedBuckets(range: Range, zone: string, now: Date): ZonedBuckets {
  const { bucket: length } = RANGES[range]
  const count = COUNTS[range]
  const current = Math.floor(clockOf(now.getTime(), length, zone) / DIVISIONS[length].lengthMs)
  const buckets = bucketsFrom(current - (count - 1), count, length, zone)
  // In a zone with half hours, the current time can lie before the first whole hour of its bucket.
  if ((buckets.bounds[count - 1] as Date) > now) return zonedBuckets(range, zone, new Date(now.getTime() - HOUR_MS))
  return buckets
}

/**
 * Returns the buckets that cover a part of a range: the shortest ones of which at most 72 are needed and whose source is
 * kept that long. `kept` are the first instants that each source still has; days are always kept.
 */
export function spanBuckets(span: Span, zone: string, kept: { results: Date; hours: Date }): ZonedBuckets {
  const [since, until] = [Date.parse(span.since), Date.parse(span.until)]
  const isKept = { results: since >= kept.results.getTime(), hours: since >= kept.hours.getTime(), days: true }
  const fits = (length: BucketLength) =>
    isKept[DIVISIONS[length].source] && (until - since) / DIVISIONS[length].lengthMs <= SPAN_BUCKETS_MAX
  const length = BUCKET_LENGTHS.find(fits) ?? 'day'
  const { lengthMs } = DIVISIONS[length]
  const first = Math.floor(clockOf(since, length, zone) / lengthMs)
  const end = Math.ceil(clockOf(until, length, zone) / lengthMs)
  return bucketsFrom(first, end - first, length, zone)
}

/** `first` is the number of the first bucket since 1970-01-01, on the clocks where buckets begin. */
function bucketsFrom(first: number, count: number, length: BucketLength, zone: string): ZonedBuckets {
  const { lengthMs, source } = DIVISIONS[length]
  const bounds = Array.from({ length: count + 1 }, (_, i) => {
    const start = (first + i) * lengthMs
    return new Date(isLocal(length) ? firstHourFrom(start, zone) : start)
  })
  return { length, source, bounds, since: bounds[0] as Date, firstDay: Math.floor((first * lengthMs) / DAY_MS) }
}

/** Whether buckets begin on the clocks of the zone. */
function isLocal(length: BucketLength): boolean {
  return DIVISIONS[length].lengthMs > HOUR_MS
}

function clockOf(at: number, length: BucketLength, zone: string): number {
  return isLocal(length) ? at + offsetAt(at, zone) : at
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
