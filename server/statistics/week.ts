import type { Queryable } from '#db/client.ts'
import { HOUR_MS } from '../durations.ts'
import { offsetAt } from '../schedule/zone-offsets.ts'
import type { Week } from '../schemas/results/series.ts'
import { readHourlyRuns } from './heatmap.ts'
import type { ServiceRef } from './rollups.ts'
import { lastBuckets } from './windows.ts'

/** Returns runs by weekday and hour on the clocks of a zone, over the latest `days` UTC days, today included. */
export async function readWeek(
  db: Queryable,
  service: ServiceRef,
  { days, zone }: { days: number; zone: string },
  now: Date,
): Promise<Week> {
  const { since } = lastBuckets('day', days, now)
  const cells = Array.from({ length: 7 * 24 }, (_, i) => ({
    weekday: Math.floor(i / 24) + 1,
    hour: i % 24,
    runs: 0,
    failed: 0,
  }))
  const cellOf = new Map<number, (typeof cells)[number]>()
  for (const row of await readHourlyRuns(db, service, since)) {
    for (const [i, runs] of row.runs.entries()) {
      const at = row.start.getTime() + i * HOUR_MS
      let cell = cellOf.get(at)
      if (!cell) {
        const { weekday, hour } = weekHourOf(at, zone)
        cell = cells[(weekday - 1) * 24 + hour] as (typeof cells)[number]
        cellOf.set(at, cell)
      }
      cell.runs += runs
      cell.failed += row.failed[i] ?? 0
    }
  }
  return {
    days,
    zone,
    since: since.toISOString(),
    totalRuns: cells.reduce((sum, cell) => sum + cell.runs, 0),
    totalFailed: cells.reduce((sum, cell) => sum + cell.failed, 0),
    cells,
  }
}

/** Returns the ISO weekday and the hour of an instant on the clocks of a zone. */
export function weekHourOf(instant: number, zone: string): { weekday: number; hour: number } {
  const local = new Date(instant + offsetAt(instant, zone))
  return { weekday: ((local.getUTCDay() + 6) % 7) + 1, hour: local.getUTCHours() }
}
