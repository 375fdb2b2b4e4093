const DAY_MS = 86_400_000

/** Results live whole days, as their partitions are dropped. What began before is shown no more, dropped or not yet. */
export function resultsKeptFrom(now: Date, retentionDays: number): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) - retentionDays) * DAY_MS)
}
