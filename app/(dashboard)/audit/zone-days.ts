/** Returns when a date such as `2026-11-22` begins in a zone. */
export function dayStart(date: string, zone: string): Date {
  const wanted = Date.parse(`${date}T00:00:00Z`)
  // The offset can change between midnight in UTC and in the zone, so it is read a second time.
  const near = wanted - offsetAt(wanted, zone)
  return new Date(wanted - offsetAt(near, zone))
}

/** Returns the date that follows a date. */
export function nextDate(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

function offsetAt(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const [year = 0, month = 1, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(
    (type) => parts.get(type as Intl.DateTimeFormatPartTypes),
  )
  return Date.UTC(year, month - 1, day, hour, minute, second) - at
}
