import type { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { runDays, runHours } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { offsetAt } from '../schedule/zone-offsets.ts'
import type { Week } from '../schemas/results/series.ts'
import type { FailureHeatmap } from '../schemas/statistics.ts'
import { ROLLUPS, RUNS_BY_HOUR, type ServiceRef, selectRollups } from './rollups.ts'
import { bucketStart, lastBuckets } from './windows.ts'

type HourlyRuns = { start: Date; runs: number[]; failed: number[] }

/** Returns runs and failed runs of each agent from a UTC day on: see `RUNS_BY_HOUR`. */
async function readHourlyRuns(db: Queryable, service: ServiceRef, since: Date): Promise<HourlyRuns[]> {
  const span = { type: 'day', since } as const
  return selectRollups(db, ROLLUPS.runs, service, span, {
    hours: { start: runHours.hour, ...RUNS_BY_HOUR.hours },
    days: { start: runDays.day, ...RUNS_BY_HOUR.days },
  })
}

/** Returns runs and failed runs by ISO weekday and UTC hour over the latest `days` days, today included. */
export async function readHeatmap(
  db: Queryable,
  service: ServiceRef,
  days: number,
  now: Date,
): Promise<z.output<typeof FailureHeatmap>> {
  const { since } = lastBuckets('day', days, now)
  const rows = await readHourlyRuns(db, service, since)
  const cells = cellsOf(rows, 'UTC').map(({ failed, ...cell }) => ({ ...cell, failedRuns: failed }))
  const covered = rows
    .filter((row) => row.runs.some((n) => n > 0))
    .map((row) => bucketStart(row.start, 'day').getTime())
  return {
    days,
    timezone: 'UTC',
    since: since.toISOString(),
    until: now.toISOString(),
    coveredFrom: covered.length === 0 ? null : new Date(Math.min(...covered)).toISOString(),
    coveredTo:
      covered.length === 0 ? null : new Date(Math.min(Math.max(...covered) + DAY_MS, now.getTime())).toISOString(),
    totalRuns: cells.reduce((total, cell) => total + cell.runs, 0),
    totalFailedRuns: cells.reduce((total, cell) => total + cell.failedRuns, 0),
    cells,
  }
}

/** Returns runs by weekday and hour on the clocks of a zone, over the latest `days` UTC days, today included. */
export async function readWeek(
  db: Queryable,
  service: ServiceRef,
  { days, zone }: { days: number; zone: string },
  now: Date,
): Promise<Week> {
  const { since } = lastBuckets('day', days, now)
  const cells = cellsOf(await readHourlyRuns(db, service, since), zone)
  return {
    days,
    zone,
    since: since.toISOString(),
    totalRuns: cells.reduce((sum, cell) => sum + cell.runs, 0),
    totalFailed: cells.reduce((sum, cell) => sum + cell.failed, 0),
    cells,
  }
}

/** Returns a cell for each ISO weekday and hour on the clocks of a zone. */
function cellsOf(rows: readonly HourlyRuns[], zone: string) {
  const cells = Array.from({ length: 7 * 24 }, (_, i) => ({
    ...{ weekday: Math.floor(i / 24) + 1, hour: i % 24 },
    ...{ runs: 0, failed: 0 },
  }))
  const indexes = new Map<number, number>()
  for (const row of rows) {
    for (const [i, runs] of row.runs.entries()) {
      const at = row.start.getTime() + i * HOUR_MS
      const index = indexes.get(at) ?? cellIndex(at, zone)
      indexes.set(at, index)
      const cell = cells[index] as (typeof cells)[number]
      cell.runs += runs
      cell.failed += row.failed[i] ?? 0
    }
  }
  return cells
}

function cellIndex(instant: number, zone: string): number {
  const { weekday, hour } = weekHourOf(instant, zone)
  return (weekday - 1) * 24 + hour
}

/** Returns the ISO weekday and the hour of an instant on the clocks of a zone. */
export function weekHourOf(instant: number, zone: string): { weekday: number; hour: number } {
  const local = new Date(instant + offsetAt(instant, zone))
  return { weekday: ((local.getUTCDay() + 6) % 7) + 1, hour: local.getUTCHours() }
}
