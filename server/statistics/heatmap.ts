import { and, eq, gte } from 'drizzle-orm'
import type { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { runDays } from '#db/schema/results.ts'
import type { FailureHeatmap } from '../schemas/statistics.ts'
import type { ServiceRef } from './runs.ts'
import { DAY_MS, lastBuckets } from './windows.ts'

/** Runs and failed runs by ISO weekday and UTC hour over the latest `days` days, today included. */
export async function readHeatmap(
  db: Queryable,
  service: ServiceRef,
  days: number,
  now: Date,
): Promise<z.output<typeof FailureHeatmap>> {
  const { since } = lastBuckets('day', days, now)
  const rows = await db
    .select({ day: runDays.day, runs: runDays.runsByHour, failed: runDays.failedByHour })
    .from(runDays)
    .where(
      and(
        eq(runDays.organizationId, service.organizationId),
        eq(runDays.serviceId, service.id),
        gte(runDays.day, since),
      ),
    )
  const cells = Array.from({ length: 7 * 24 }, (_, i) => ({
    weekday: Math.floor(i / 24) + 1,
    hour: i % 24,
    runs: 0,
    failedRuns: 0,
  }))
  for (const row of rows) {
    const weekday = (row.day.getUTCDay() + 6) % 7
    for (let hour = 0; hour < 24; hour++) {
      const cell = cells[weekday * 24 + hour] as (typeof cells)[number]
      cell.runs += row.runs[hour] ?? 0
      cell.failedRuns += row.failed[hour] ?? 0
    }
  }
  const covered = rows.filter((row) => row.runs.some((n) => n > 0)).map((row) => row.day.getTime())
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
