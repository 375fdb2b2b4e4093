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
