import { Timezone } from '#server/schemas/schedule/time-zones.ts'

/** The cookie with the time zone in which the dashboard shows times. The server reads it to render in that zone. */
export const ZONE_COOKIE = 'soundline-zone'

/** `organization`, or the IANA name of a zone: UTC, or the zone of the browser. */
export type ZoneChoice = string

/** Returns the choice in a cookie. An absent or unknown zone means the organization's. */
export function readZoneChoice(cookie: string | undefined): ZoneChoice {
  const zone = Timezone.safeParse(cookie === undefined ? '' : decoded(cookie))
  return zone.success ? zone.data : 'organization'
}

/** Returns for example `Berlin time` for `Europe/Berlin`. */
export function zoneName(zone: string): string {
  if (zone === 'UTC') return 'UTC'
  return `${(zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')} time`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
