import { HOUR_MS } from '../../durations.ts'
import type { WeekCell } from '../../schemas/results/results.ts'
import { weekHourOf } from '../statistics/week.ts'
import { lastBuckets } from '../statistics/windows.ts'

/**
 * Returns the UTC hours that begin in an hour of the week, over the latest `days` days: one per week, but two in a week
 * that repeats the hour, and none in a week that skips it.
 */
export function hoursOfCell({ weekday, hour, days, zone }: WeekCell, now: Date): Date[] {
  const first = lastBuckets('day', days, now).since.getTime()
  const hours: Date[] = []
  for (let at = first; at <= now.getTime(); at += HOUR_MS) {
    const found = weekHourOf(at, zone)
    if (found.weekday === weekday && found.hour === hour) hours.push(new Date(at))
  }
  return hours
}
