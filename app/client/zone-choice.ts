/** The cookies with the member's choice and with the browser's zone. By them the server renders the same times. */
export const CHOICE_COOKIE = 'soundline-zone'
export const BROWSER_ZONE_COOKIE = 'soundline-browser-zone'

/** Whose zone the dashboard shows times in: that of the browser unless the member chose another one. */
export const ZONE_CHOICES = ['browser', 'organization', 'UTC'] as const
export type ZoneChoice = (typeof ZONE_CHOICES)[number]

const YEAR_S = 31_536_000

/** Stores a cookie that the server reads for the next page. */
export function storeZone(name: typeof CHOICE_COOKIE | typeof BROWSER_ZONE_COOKIE, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we support
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`
}

/** Returns for example `Berlin time` for `Europe/Berlin`. */
export function zoneName(zone: string): string {
  if (zone === 'UTC') return 'UTC'
  return `${(zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')} time`
}

/** Returns the one name of a zone that has several, such as Europe/Kiev for Europe/Kyiv. */
export function canonicalZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    // A zone that only the server knows: the releases of their data differ.
    return zone
  }
}

/** Returns the zones to choose from, each one once: `kept` by the names that they have there, and all others. */
export function zonesToChoose(kept: string[]): string[] {
  const names = new Map(kept.map((zone) => [canonicalZone(zone), zone]))
  for (const zone of ['UTC', ...Intl.supportedValuesOf('timeZone')]) if (!names.has(zone)) names.set(zone, zone)
  return [...names.values()]
}
