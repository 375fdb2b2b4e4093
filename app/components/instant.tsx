'use client'

import { useNow } from '../client/now.tsx'
import { useZone } from '../client/zone.tsx'
import { relativeTimeText } from './relative-time-text.ts'
import { zonedText } from './zoned-text.ts'

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

const FULL: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'long' }
const TO_THE_SECOND: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }

/** Returns a function that writes date and time to the second, in the time zone of the dashboard. */
export function useDateTimeText(): (at: string | number | Date) => string {
  const { zone } = useZone()
  return (at) => zonedText(at, zone, TO_THE_SECOND)
}
