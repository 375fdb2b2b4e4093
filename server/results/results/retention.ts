import { DAY_MS, startOfDayBefore } from '../../durations.ts'

// Results and bodies are kept for whole UTC days: results are dropped by daily partition, bodies by daily folder.

/** Returns the first instant whose results or bodies are still kept. Older ones are hidden even before they are deleted. */
export function retentionStart(now: Date, retentionDays: number): Date {
  return startOfDayBefore(now, retentionDays)
}

/** Statistics read the hours of two weeks; pages of results count the hours of all retained results. */
const HOURS_KEPT_DAYS = 21

/** Returns the first hour whose roll-ups are kept. */
export function hoursStart(now: Date, retentionDays: number): Date {
  return startOfDayBefore(now, Math.max(HOURS_KEPT_DAYS, retentionDays + 1))
}

/** Returns whether retention hides the bodies of a run that started at `startedAt`. */
export function isBodyExpired(startedAt: Date, now: Date, retentionDays: number): boolean {
  return startedAt < retentionStart(now, retentionDays)
}

/**
 * Returns the instant `ms`, moved into the range that can hold results: from the start of retention to a day after `now`.
 * Requests can name instants that Postgres cannot represent.
 */
export function clampToRetention(ms: number, now: Date, retentionDays: number): Date {
  const earliest = retentionStart(now, retentionDays).getTime()
  return new Date(Math.min(Math.max(earliest, ms), now.getTime() + DAY_MS))
}
