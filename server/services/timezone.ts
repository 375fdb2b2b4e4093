import { Temporal } from 'temporal-polyfill'
import { fieldInvalid } from '../errors.ts'
import { isTimezone } from '../schedule/time-zones.ts'

/**
 * Returns the time zone of a service as it is stored: in the letter case of its IANA name, or null for UTC. Another name
 * of a zone, such as Europe/Kiev, stays as it was given: the caller compares what it wrote with what it reads.
 * @throws ApiError `field_invalid` on `timezone`
 */
export function storedTimezone(given: string | null | undefined): string | null {
  if (!given) return null
  if (!isTimezone(given)) {
    throw fieldInvalid('timezone', 'must be the IANA name of a time zone, such as Europe/Berlin, or null for UTC')
  }
  return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(given).timeZoneId
}
