'use client'

import { Tooltip } from '@mantine/core'
import { useNow } from '../client/now.tsx'

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** Shows for example `3 minutes ago`, updated while the page is open. Hover and focus show the full time. */
export function Instant({ at }: { at: string | number | Date }) {
  const date = new Date(at)
  const now = useNow()
  return (
    <Tooltip label={full.format(date)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={date.toISOString()}>{relativeTimeText(date.getTime(), now)}</time>
    </Tooltip>
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

/** Returns date and time to the second, in the locale and timezone of the browser. */
export function dateTimeText(at: string | number | Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at))
}
