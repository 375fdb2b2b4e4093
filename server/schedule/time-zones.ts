/** Returns whether the text is the name of an IANA time zone. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== null
  } catch {
    return false
  }
}
