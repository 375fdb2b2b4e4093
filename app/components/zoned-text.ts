const formats = new Map<string, Intl.DateTimeFormat>()

/** Writes a time in a zone. The locale is fixed, so that the server renders the same text as the browser. */
export function zonedText(at: string | number | Date, zone: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${zone} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  // Zones come from cookies: a caller must not be able to fill the memory with them.
  if (formats.size >= 200) formats.clear()
  formats.set(key, format)
  return format.format(new Date(at))
}

/** Returns the short name of a zone at an instant, such as `CET` or `GMT-5`. */
export function shortZoneName(at: string | number | Date, zone: string): string {
  return zonedText(at, zone, { hour: 'numeric', timeZoneName: 'short' }).replace(/^\S+ /, '')
}
