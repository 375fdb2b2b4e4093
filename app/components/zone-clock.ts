/** Returns a time on the clocks of a zone as a `datetime-local` input writes it: `2026-11-22T14:30`. */
export function clockText(at: string | number, zone: string): string {
  return new Date(clockOf(new Date(at).getTime(), zone)).toISOString().slice(0, 16)
}

/** Returns the instant of a `datetime-local` text on the clocks of a zone, or null if it is incomplete. */
export function instantAt(text: string, zone: string): number | null {
  const local = Date.parse(`${text}Z`)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) || Number.isNaN(local)) return null
  // The second guess differs from the first only near a change of the clocks.
  const guess = local - (clockOf(local, zone) - local)
  return local - (clockOf(guess, zone) - guess)
}

/** Returns when a date such as `2026-11-22` begins in a zone. */
export function dayStart(date: string, zone: string): Date {
  return new Date(instantAt(`${date}T00:00`, zone) ?? Number.NaN)
}

/** Returns the date that follows a date. */
export function nextDate(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

/** Returns what the clocks of a zone show at an instant, to the minute, as if it were UTC. */
function clockOf(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' },
  })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute)
}
