import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { results, runDays, runHours } from '#db/schema/results.ts'
import { ofDays, ofHours } from './rollups.ts'
import type { ServiceRef } from './runs.ts'
import { bucketStart, DAY_MS, HOUR_MS } from './windows.ts'

/** How many results started on each day from some instant on, newest day first; days without any are left out. */
export type ResultDays = { day: Date; count: number }[]

/**
 * Counts results from the roll-ups that are written with them, so that the answer costs the same however many there
 * are: whole days from the daily ones and from hours that are in none yet, the rest of the first day from its hours, and
 * only its first hour row by row.
 */
export async function countResultDays(db: Queryable, service: ServiceRef, from: Date): Promise<ResultDays> {
  const firstDay = bucketStart(from, 'day')
  const span = { type: 'day', since: firstDay } as const
  const isWholeDay = firstDay.getTime() === from.getTime()
  const days = unionAll(
    db
      .select({ day: runDays.day, count: stored(runDays).as('count') })
      .from(runDays)
      .where(ofDays(runDays, service, span)),
    db
      .select({
        day: sql<Date>`date_trunc('day', ${runHours.hour}, 'UTC')`.as('day'),
        count: stored(runHours).as('count'),
      })
      .from(runHours)
      .where(ofHours(runHours, service, span)),
  ).as('days')
  const [rows, onFirstDay] = await Promise.all([
    db
      .select({ day: days.day, count: sql<number>`sum(${days.count})::float8` })
      .from(days)
      .groupBy(days.day)
      .orderBy(desc(days.day)),
    isWholeDay ? null : countRestOfDay(db, service, from),
  ])
  return rows
    .map((row) =>
      onFirstDay !== null && row.day.getTime() === firstDay.getTime() ? { ...row, count: onFirstDay } : row,
    )
    .filter((row) => row.count > 0)
}

/**
 * Where the rows from `offset` on, newest first, are to be looked for: from the start of a day, before that of another,
 * past `skip` rows. Null is no bound.
 */
export function locate(
  days: ResultDays,
  offset: number,
  limit: number,
): { from: Date | null; before: Date | null; skip: number } {
  let passed = 0
  let first: { before: Date | null; skip: number } | null = null
  for (const { day, count } of days) {
    if (first === null && passed + count > offset) {
      // The newest day stays open: a run may have been stored since the days were counted.
      first = { before: passed === 0 ? null : new Date(day.getTime() + DAY_MS), skip: offset - passed }
    }
    passed += count
    if (first !== null && passed >= offset + limit) return { from: day, ...first }
  }
  return { from: null, ...(first ?? { before: null, skip: offset }) }
}

export function totalOf(days: ResultDays): number {
  return days.reduce((total, { count }) => total + count, 0)
}

async function countRestOfDay(db: Queryable, service: ServiceRef, from: Date): Promise<number> {
  const nextHour = new Date(bucketStart(from, 'hour').getTime() + HOUR_MS)
  const nextDay = new Date(bucketStart(from, 'day').getTime() + DAY_MS)
  const [[hours], inFirstHour] = await Promise.all([
    db
      .select({ count: sql<number>`coalesce(sum(${stored(runHours)}), 0)::float8` })
      .from(runHours)
      .where(ofHours(runHours, service, { type: 'hour', since: nextHour, before: nextDay })),
    db.$count(
      results,
      and(
        eq(results.organizationId, service.organizationId),
        eq(results.serviceId, service.id),
        gte(results.startedAt, from),
        lt(results.startedAt, nextHour),
      ),
    ),
  ])
  return (hours?.count ?? 0) + inFirstHour
}

/** Skipped runs leave a result too. */
function stored(table: typeof runDays | typeof runHours): SQL<number> {
  return sql<number>`${table.runs} + ${table.skipped}`
}
