import { and, desc, eq, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import { results, runDays, runHours } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { ofDays, ofHours } from '../statistics/rollups.ts'
import type { ServiceRef } from '../statistics/runs.ts'
import { bucketStart } from '../statistics/windows.ts'

/** How many results started on each day from some instant on, newest day first; days without any are left out. */
export type ResultDays = { day: Date; count: number }[]

/**
 * Counts results from the roll-ups that are written with them, so that the answer costs the same however many there
 * are: whole days from the daily ones and from hours that are in none yet, the rest of a first and last day from its
 * hours, and only their first and last hour row by row. `until` is included; null is no bound.
 */
export async function countResultDays(
  db: Queryable,
  service: ServiceRef,
  from: Date,
  until: Date | null = null,
): Promise<ResultDays> {
  const firstDay = bucketStart(from, 'day')
  const lastDay = until && bucketStart(until, 'day')
  const span = {
    type: 'day',
    since: firstDay,
    ...(lastDay ? { before: new Date(lastDay.getTime() + DAY_MS) } : {}),
  } as const
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
  const partialDays = new Map<number, Promise<number>>()
  if (firstDay.getTime() !== from.getTime())
    partialDays.set(firstDay.getTime(), countWithinDay(db, service, from, until))
  if (lastDay && !partialDays.has(lastDay.getTime()))
    partialDays.set(lastDay.getTime(), countWithinDay(db, service, lastDay, until))
  const [rows, counts] = await Promise.all([
    db
      .select({ day: days.day, count: sql<number>`sum(${days.count})::float8` })
      .from(days)
      .groupBy(days.day)
      .orderBy(desc(days.day)),
    Promise.all([...partialDays].map(async ([day, count]) => [day, await count] as const)),
  ])
  const partial = new Map(counts)
  return rows
    .map((row) => ({ ...row, count: partial.get(row.day.getTime()) ?? row.count }))
    .filter((row) => row.count > 0)
}

/**
 * Where the rows from `offset` on, newest first, are to be looked for: from the start of a day, before that of another,
 * past `skip` rows. Null is no bound.
 */
export function locatePage(
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

/** Results of the day of `from`, from then on and up to `until` where that is within the day. */
async function countWithinDay(db: Queryable, service: ServiceRef, from: Date, until: Date | null): Promise<number> {
  const nextDay = new Date(bucketStart(from, 'day').getTime() + DAY_MS)
  const end = until && until < nextDay ? until : null
  const startsWhole = bucketStart(from, 'hour').getTime() === from.getTime()
  const since = startsWhole ? from : new Date(bucketStart(from, 'hour').getTime() + HOUR_MS)
  const before = end ? bucketStart(end, 'hour') : nextDay
  const ranges =
    end && before < since
      ? [inRange(from, end)]
      : [startsWhole ? null : inRange(from, null, since), end && inRange(before, end)]
  const counts = await Promise.all([
    before > since ? countHours(db, service, since, before) : 0,
    ...ranges.map((range) => (range ? db.$count(results, and(ofService(service), range)) : 0)),
  ])
  return counts.reduce((total, count) => total + count, 0)
}

async function countHours(db: Queryable, service: ServiceRef, since: Date, before: Date): Promise<number> {
  const [hours] = await db
    .select({ count: sql<number>`coalesce(sum(${stored(runHours)}), 0)::float8` })
    .from(runHours)
    .where(ofHours(runHours, service, { type: 'hour', since, before }))
  return hours?.count ?? 0
}

function ofService(service: ServiceRef): SQL | undefined {
  return and(eq(results.organizationId, service.organizationId), eq(results.serviceId, service.id))
}

function inRange(from: Date, until: Date | null, before?: Date): SQL | undefined {
  return and(
    gte(results.startedAt, from),
    until ? lte(results.startedAt, until) : undefined,
    before ? lt(results.startedAt, before) : undefined,
  )
}

/** Skipped runs leave a result too. */
function stored(table: typeof runDays | typeof runHours): SQL<number> {
  return sql<number>`${table.runs} + ${table.skipped}`
}
