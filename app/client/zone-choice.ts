/** The cookie with the time zone in which the dashboard shows times. The server reads it to render in that zone. */
export const ZONE_COOKIE = 'soundline-zone'

/** `organization`, or the IANA name of a zone: UTC, or the zone of the browser. */
export type ZoneChoice = string

/** Returns for example `Berlin time` for `Europe/Berlin`. */
export function zoneName(zone: string): string {
  if (zone === 'UTC') return 'UTC'
  return `${(zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')} time`
}
