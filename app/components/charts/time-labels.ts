import type { Range } from '#server/schemas/results/ranges.ts'
import type { SeriesBucket } from '#server/schemas/results/series.ts'
import { zonedText } from '../zoned-text.ts'
import type { Label } from './plot.tsx'

const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const DATE: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }

/** Which buckets have a label on the time axis, by their start on the clocks of the zone, and how it is written. */
const LABELS: Record<
  Range,
  { options: Intl.DateTimeFormatOptions; isShown: (clock: string, index: number) => boolean }
> = {
  '1h': { options: TIME, isShown: (clock) => clock.endsWith('0') },
  '6h': { options: TIME, isShown: (clock) => clock.endsWith(':00') },
  '24h': { options: TIME, isShown: (clock) => Number(clock.slice(0, 2)) % 3 === 0 },
  '7d': { options: { weekday: 'short', ...DATE }, isShown: (clock) => clock.startsWith('00') },
  '30d': { options: DATE, isShown: (_, index) => index % 5 === 0 },
  '90d': { options: DATE, isShown: (_, index) => index % 10 === 0 },
}

export function timeLabels(buckets: { start: string }[], range: Range, zone: string): Label[] {
  const { options, isShown } = LABELS[range]
  return buckets.flatMap(({ start }, index) =>
    isShown(zonedText(start, zone, TIME), index)
      ? [{ at: index / buckets.length, text: zonedText(start, zone, options) }]
      : [],
  )
}

/** Returns for example `22 Nov, 14:00–15:00`, or only the date for a day. */
export function periodText(start: string, end: string, range: Range, zone: string): string {
  if (range === '30d' || range === '90d') return zonedText(start, zone, { weekday: 'short', ...DATE })
  return `${zonedText(start, zone, { weekday: 'short', ...DATE })}, ${zonedText(start, zone, TIME)}–${zonedText(end, zone, TIME)}`
}

/** Returns where an instant lies in the buckets, as a share of the width. */
export function positionOf(at: string, buckets: SeriesBucket[]): number | null {
  const time = Date.parse(at)
  const index = buckets.findIndex(({ start, end }) => time >= Date.parse(start) && time < Date.parse(end))
  const bucket = buckets[index]
  if (!bucket) return null
  const start = Date.parse(bucket.start)
  return (index + (time - start) / (Date.parse(bucket.end) - start)) / buckets.length
}
