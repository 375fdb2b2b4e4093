/** Returns the label of a bucket on a time axis: the day, or the day and hour. */
export function bucketText(start: string, isDaily: boolean): string {
  // Daily buckets are UTC days. Local time would show the previous day in zones west of UTC.
  const options: Intl.DateTimeFormatOptions = isDaily
    ? { month: 'short', day: 'numeric', timeZone: 'UTC' }
    : { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }
  return new Intl.DateTimeFormat(undefined, options).format(new Date(start))
}
