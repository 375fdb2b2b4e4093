/** The ranges of the charts, with the length of their buckets in words. */
export const RANGES = {
  '1h': { label: '1 h', bucket: 'minute' },
  '6h': { label: '6 h', bucket: '5 minutes' },
  '24h': { label: '24 h', bucket: 'hour' },
  '7d': { label: '7 d', bucket: '3 hours' },
  '30d': { label: '30 d', bucket: 'day' },
  '90d': { label: '90 d', bucket: 'day' },
} as const
export type Range = keyof typeof RANGES
export const RANGE_NAMES = Object.keys(RANGES) as [Range, ...Range[]]

/** The lengths of buckets, shortest first. */
export const BUCKET_LENGTHS = ['minute', '5 minutes', 'hour', '3 hours', 'day'] as const
export type BucketLength = (typeof BUCKET_LENGTHS)[number]

/** A part of a range that a chart is zoomed to, from `since` up to, but not including, `until`. */
export type Span = { since: string; until: string }

/** A range of 90 days that begins in summer time is an hour longer. */
const SPAN_MAX_MS = 91 * 86_400_000

/** Buckets reach further than the instants that a request can name, and PostgreSQL represents no year 0. */
const LATEST_MS = Date.UTC(9999, 0)

/** Whether two instants can bound a part of a range. */
export function isSpan({ since, until }: Span): boolean {
  const [start, end] = [Date.parse(since), Date.parse(until)]
  return start >= 0 && end <= LATEST_MS && end > start && end - start <= SPAN_MAX_MS
}
