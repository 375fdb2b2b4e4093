/** There are about 600 names; more are spellings in other letter cases. */
const KNOWN_MAX = 1_000
/** Names that were found valid. A check of Intl takes 40 µs, and quiet hours are read for each message. */
const known = new Set<string>()

/** Returns whether the text is the name of an IANA time zone. */
export function isTimezone(text: string): boolean {
  if (known.has(text)) return true
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
  } catch {
    return false
  }
  if (known.size < KNOWN_MAX) known.add(text)
  return true
}

/** Returns a stored zone, or UTC for one that this process does not know: the releases of its data differ. */
export function zoneOrUtc(zone: string): string {
  return isTimezone(zone) ? zone : 'UTC'
}
