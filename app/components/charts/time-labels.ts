import type { BucketLength, Range } from '#server/schemas/results/ranges.ts'
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

/** How many labels a part of a range has. */
const PART_LABELS = 6

/** Returns the labels of a whole range, or of a part of one with buckets of `length`. */
export function timeLabels(buckets: { start: string }[], of: Range | { length: BucketLength }, zone: string): Label[] {
  return typeof of === 'string' ? rangeLabels(buckets, of, zone) : partLabels(buckets, of.length, zone)
}

function rangeLabels(buckets: { start: string }[], range: Range, zone: string): Label[] {
  const { options, isShown } = LABELS[range]
  return buckets.flatMap(({ start }, index) =>
    isShown(zonedText(start, zone, TIME), index)
      ? [{ at: index / buckets.length, text: zonedText(start, zone, options) }]
      : [],
  )
}

/** About six labels: the time, and the date where another day begins. */
function partLabels(buckets: { start: string }[], length: BucketLength, zone: string): Label[] {
  const every = Math.ceil(buckets.length / PART_LABELS)
  let lastDate = ''
  return buckets.flatMap(({ start }, index) => {
    if (index % every !== 0) return []
    const date = zonedText(start, zone, DATE)
    const isNewDay = date !== lastDate
    lastDate = date
    return [{ at: index / buckets.length, text: length === 'day' || isNewDay ? date : zonedText(start, zone, TIME) }]
  })
}

/** Returns for example `Sun, 22 Nov, 14:00–15:00`, or only the date for a day. */
export function periodText(start: string, end: string, length: BucketLength, zone: string): string {
  const date = zonedText(start, zone, { weekday: 'short', ...DATE })
  return length === 'day' ? date : `${date}, ${zonedText(start, zone, TIME)}–${zonedText(end, zone, TIME)}`
}

/** Returns where an instant lies in the buckets, as a share of the width. */
export function positionOf(at: string, buckets: { start: string; end: string }[]): number | null {
  const time = Date.parse(at)
  const index = buckets.findIndex(({ start, end }) => time >= Date.parse(start) && time < Date.parse(end))
  const bucket = buckets[index]
  if (!bucket) return null
  const start = Date.parse(bucket.start)
  return (index + (time - start) / (Date.parse(bucket.end) - start)) / buckets.length
}
