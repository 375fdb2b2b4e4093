import { and, desc, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { type RunStatus, results, runDays, runHours } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { ofServiceResults, ROLLUPS, type ServiceRef, selectRollups } from '../statistics/rollups.ts'
import { bucketStart } from '../statistics/windows.ts'

/** The number of results that started on each UTC day, newest day first, without empty days. */
export type ResultDays = { day: Date; count: number }[]

/** Results of these statuses, and of this agent; without a field, of all. */
export type CountFilter = { statuses?: readonly RunStatus[] | undefined; agentSlug?: string | undefined }

/**
 * Counts the results from `from` to `until`, both included; a null `until` is no bound. The counts come from roll-ups, so
 * that the cost does not grow with the number of results: whole days from daily and unfolded hourly rows, a partial first
 * or last day from its hours, and only a partial first or last hour from the results themselves.
 */
export async function countResultDays(
  db: Queryable,
  service: ServiceRef,
  from: Date,
  until: Date | null = null,
  filter: CountFilter = {},
): Promise<ResultDays> {
  const firstDay = bucketStart(from, 'day')
  const lastDay = until && bucketStart(until, 'day')
  const span = {
    type: 'day',
    since: firstDay,
    ...(lastDay ? { before: new Date(lastDay.getTime() + DAY_MS) } : {}),
  } as const
  const days = selectRollups(db, ROLLUPS.runs, service, span, {
    hours: {
      day: sql<Date>`date_trunc('day', ${runHours.hour}, 'UTC')`.mapWith(runDays.day).as('day'),
      count: storedResults(runHours, filter).as('count'),
    },
    days: { day: runDays.day, count: storedResults(runDays, filter).as('count') },
  }).as('days')
  const partialDays = new Map<number, Promise<number>>()
  if (firstDay.getTime() !== from.getTime())
    partialDays.set(firstDay.getTime(), countWithinDay(db, service, from, until, filter))
  if (lastDay && !partialDays.has(lastDay.getTime()))
    partialDays.set(lastDay.getTime(), countWithinDay(db, service, lastDay, until, filter))
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

/** A page is found among the results from `from` on and before `before`, after the first `skip`. Null is no bound. */
export type PageBounds = { from: Date | null; before: Date | null; skip: number }

/** Locates a page of results, newest first, by the days that hold it. `day` is the one in which it begins. */
export function locatePage(days: ResultDays, offset: number, limit: number): PageBounds & { day: Date | null } {
  let passed = 0
  let first: { day: Date; before: Date | null; skip: number } | null = null
  for (const { day, count } of days) {
    if (first === null && passed + count > offset) {
      // The newest day stays open: a run may have been stored since the days were counted.
      first = { day, before: passed === 0 ? null : new Date(day.getTime() + DAY_MS), skip: offset - passed }
    }
    passed += count
    if (first !== null && passed >= offset + limit) return { from: day, ...first }
  }
  return { from: null, ...(first ?? { day: null, before: null, skip: offset }) }
}

/**
 * Moves the end of a page that begins in `day` to the end of its hour: the results after it are neither read nor skipped.
 * With a run a minute, the 20th page skips 50 results instead of 950.
 */
export async function narrowToHour(
  db: Queryable,
  service: ServiceRef,
  day: Date,
  page: PageBounds,
  filter: CountFilter,
): Promise<PageBounds> {
  const fields = { hour: runHours.hour, count: storedResults(runHours, filter).as('count') }
  const span = { type: 'hour', since: day, before: new Date(day.getTime() + DAY_MS) } as const
  const stored = selectRollups(db, ROLLUPS.runs, service, span, { hours: fields, days: fields }).as('hours')
  const hours = await db
    .select({ hour: stored.hour, count: sql<number>`sum(${stored.count})::float8` })
    .from(stored)
    .groupBy(stored.hour)
    .orderBy(desc(stored.hour))
  let passed = 0
  for (const { hour, count } of hours) {
    if (passed + count > page.skip) {
      return passed === 0 ? page : { ...page, before: new Date(hour.getTime() + HOUR_MS), skip: page.skip - passed }
    }
    passed += count
  }
  return page
}

export function totalOf(days: ResultDays): number {
  return days.reduce((sum, { count }) => sum + count, 0)
}

/** Counts the results from `from` to the end of its day, or to `until` if that comes first. */
async function countWithinDay(
  db: Queryable,
  service: ServiceRef,
  from: Date,
  until: Date | null,
  filter: CountFilter,
): Promise<number> {
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
    before > since ? countHours(db, service, since, before, filter) : 0,
    ...ranges.map((range) =>
      range ? db.$count(results, and(ofServiceResults(service), range, isCounted(filter))) : 0,
    ),
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}

async function countHours(
  db: Queryable,
  service: ServiceRef,
  since: Date,
  before: Date,
  filter: CountFilter,
): Promise<number> {
  const count = storedResults(runHours, filter).as('count')
  const span = { type: 'hour', since, before } as const
  const hours = selectRollups(db, ROLLUPS.runs, service, span, { hours: { count }, days: { count } }).as('hours')
  const [row] = await db.select({ count: sql<number>`coalesce(sum(${hours.count}), 0)::float8` }).from(hours)
  return row?.count ?? 0
}

function inRange(from: Date, until: Date | null, before?: Date): SQL | undefined {
  return and(
    gte(results.startedAt, from),
    until ? lte(results.startedAt, until) : undefined,
    before ? lt(results.startedAt, before) : undefined,
  )
}

/** Selects the results that a filter counts. */
export function isCounted({ statuses, agentSlug }: CountFilter): SQL | undefined {
  return and(
    statuses ? inArray(results.status, [...statuses]) : undefined,
    agentSlug === undefined ? undefined : eq(results.agentSlug, agentSlug),
  )
}

/** A skipped run leaves a result too. */
function storedResults(table: typeof runDays | typeof runHours, { statuses, agentSlug }: CountFilter): SQL<number> {
  const counted = statuses ?? (['runs', 'skipped'] as const)
  const sum = sql<number>`(${sql.join(
    counted.map((name) => sql`${table[name]}`),
    sql` + `,
  )})`
  return agentSlug === undefined ? sum : sql<number>`case when ${table.agentSlug} = ${agentSlug} then ${sum} else 0 end`
}
