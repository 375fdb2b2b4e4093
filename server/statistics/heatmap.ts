import { type SQLWrapper, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { runDays, runHours } from '#db/schema/results.ts'
import { DAY_MS } from '../durations.ts'
import type { FailureHeatmap } from '../schemas/statistics.ts'
import { ROLLUPS, type ServiceRef, selectRollups } from './rollups.ts'
import { bucketStart, lastBuckets } from './windows.ts'

/**
 * Returns runs and failed runs of each agent from a UTC day on: one number per hour from `start` on, 24 in a daily row, one
 * in an hourly row.
 */
export async function readHourlyRuns(
  db: Queryable,
  service: ServiceRef,
  since: Date,
): Promise<{ start: Date; runs: number[]; failed: number[] }[]> {
  const list = (column: SQLWrapper, name: string) => sql<number[]>`to_json(${column})`.as(name)
  const rows = await db.execute<{ start: string; runs: number[]; failed: number[] }>(
    selectRollups(
      db,
      ROLLUPS.runs,
      service,
      { type: 'day', since },
      {
        hours: {
          start: sql`${runHours.hour}`.as('start'),
          runs: list(sql`array[${runHours.runs}]`, 'runs'),
          failed: list(sql`array[${runHours.failure} + ${runHours.timeout}]`, 'failed'),
        },
        days: {
          start: sql`${runDays.day}`.as('start'),
          runs: list(runDays.runsByHour, 'runs'),
          failed: list(runDays.failedByHour, 'failed'),
        },
      },
    ),
  )
  return rows.map(({ start, ...counts }) => ({ start: new Date(start), ...counts }))
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
  const cells = Array.from({ length: 7 * 24 }, (_, i) => ({
    weekday: Math.floor(i / 24) + 1,
    hour: i % 24,
    runs: 0,
    failedRuns: 0,
  }))
  for (const row of rows) {
    const first = ((row.start.getUTCDay() + 6) % 7) * 24 + row.start.getUTCHours()
    for (let i = 0; i < row.runs.length; i++) {
      const cell = cells[first + i] as (typeof cells)[number]
      cell.runs += row.runs[i] ?? 0
      cell.failedRuns += row.failed[i] ?? 0
    }
  }
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
