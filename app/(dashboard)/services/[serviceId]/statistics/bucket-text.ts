/** The start of a bucket as an axis shows it: a day, or a day and hour. */
export function bucketText(start: string, isDaily: boolean): string {
  // Daily buckets are whole days of UTC, and would show as the day before west of it.
  const options: Intl.DateTimeFormatOptions = isDaily
    ? { month: 'short', day: 'numeric', timeZone: 'UTC' }
    : { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }
  return new Intl.DateTimeFormat(undefined, options).format(new Date(start))
}
