/** The cookie with the time zone in which the dashboard shows times. The server reads it to render in that zone. */
export const ZONE_COOKIE = 'soundline-zone'

/** `organization`, or the IANA name of a zone: UTC, or the zone of the browser. */
export type ZoneChoice = string

/** Returns the choice in a cookie. An absent or unknown zone means the organization's. */
export function readZoneChoice(cookie: string | undefined): ZoneChoice {
  const text = cookie === undefined ? '' : decoded(cookie)
  return isZone(text) ? text : 'organization'
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

function isZone(text: string): boolean {
  if (!/^[A-Za-z][\w/+-]{1,63}$/.test(text) || text === 'organization') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== null
  } catch {
    return false
  }
}
