'use client'

import { useNow } from '../client/now.tsx'
import { useZone } from '../client/zone.tsx'
import { zonedText } from './zoned-text.ts'

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Shows for example `3 minutes ago`, updated while the page is open. Hovering shows the full time. */
export function Instant({ at }: { at: string | number | Date }) {
  const date = new Date(at)
  const now = useNow()
  const { zone } = useZone()
  return (
    <time dateTime={date.toISOString()} title={zonedText(date, zone, FULL)}>
      {relativeTimeText(date.getTime(), now)}
    </time>
  )
}

/** Returns for example `in 3 days`, in the largest unit that fits. Both times are milliseconds since the epoch. */
export function relativeTimeText(at: number, now: number): string {
  const seconds = (at - now) / 1000
  if (Math.abs(seconds) < 5) return 'just now'
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  // Future times are rounded, so that 6.99 days is `in 7 days`. Past times count only complete units.
  return relative.format(seconds > 0 ? Math.round(seconds / size) : Math.trunc(seconds / size), unit)
}

const FULL: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'long' }
const TO_THE_SECOND: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }

/** Returns a function that writes date and time to the second, in the time zone of the dashboard. */
export function useDateTimeText(): (at: string | number | Date) => string {
  const { zone } = useZone()
  return (at) => zonedText(at, zone, TO_THE_SECOND)
}
