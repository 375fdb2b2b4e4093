import { Temporal } from 'temporal-polyfill'
import { DAY_MS } from '../durations.ts'

// Offsets of time zones from UTC, in milliseconds. Looking up an offset takes about ten microseconds, so offsets are
// cached by spans of days. A zone changes its offset at most once in a span.

const SPAN_MS = 8 * DAY_MS
/** A span is examined this far beyond its ends, because a local time and its instant differ by less. */
const MARGIN_MS = 2 * DAY_MS

/** The offset changes from `before` to `after` at the instant `at`, which is infinite if it does not change. */
type Span = { before: number; after: number; at: number }

const spans = new Map<string, Span>()
const SPANS_MAX = 50_000

/** Returns the offset at an instant. */
export function offsetAt(instant: number, zone: string): number {
  const { before, after, at } = spanOf(instant, zone)
  return instant < at ? before : after
}

/** Returns the instant of a local time: the first of two when clocks go back, null when clocks skip that time. */
export function localToInstant(local: number, zone: string): number | null {
  const { before, after, at } = spanOf(local, zone)
  if (local - before < at) return local - before
  return local - after >= at ? local - after : null
}

/** Returns the change of the offset near an instant or local time: within two days of it there is no other. */
export function changeAround(time: number, zone: string): Span {
  return spanOf(time, zone)
}

/** Returns the number of the span that contains a time. Each span is looked up once. */
export function spanNumber(time: number): number {
  return Math.floor(time / SPAN_MS)
}

function spanOf(time: number, zone: string): Span {
  const key = `${spanNumber(time)} ${zone}`
  const known = spans.get(key)
  if (known) return known
  const first = spanNumber(time) * SPAN_MS
  const found = findChange(first - MARGIN_MS, first + SPAN_MS + MARGIN_MS, zone)
  if (spans.size >= SPANS_MAX) spans.clear()
  spans.set(key, found)
  return found
}

function findChange(from: number, to: number, zone: string): Span {
  const [before, after] = [lookUp(from, zone), lookUp(to, zone)]
  if (before === after) return { before, after, at: Number.POSITIVE_INFINITY }
  let [early, late] = [from, to]
  while (late - early > 1_000) {
    const middle = Math.round((early + late) / 2 / 1_000) * 1_000
    if (lookUp(middle, zone) === before) early = middle
    else late = middle
  }
  return { before, after, at: late }
}

function lookUp(instant: number, zone: string): number {
  if (zone === 'UTC') return 0
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000
}
