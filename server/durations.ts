// Lengths of time in milliseconds. `db` imports nothing from `server`, so db/partitions.ts declares its own day.

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Returns the start of the UTC day `days` days before the day of `now`. */
export function startOfDayBefore(now: Date, days: number): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) - days) * DAY_MS)
}
