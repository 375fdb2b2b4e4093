import type { Queryable } from '#db/client.ts'
import type { SubqueryWithSelection } from '#db/drizzle.cjs'
import { and, desc, eq, gte, inArray, lt, lte, type SQL, type SQLWrapper, sql } from '#db/drizzle.cjs'
import { type RunStatus, results, runHours } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import { dayOf, ofServiceResults, type RollupTable, type ServiceRef, selectRollups } from '../statistics/rollups.ts'
import { bucketStart } from '../statistics/windows.ts'

/** How many results started in each hour, newest first, without empty hours. */
type ResultHours = { hour: Date; count: number }[]

/** Results that are skipped without reading the hours of their day. */
const SKIPPED_MAX = 200

/** The number of results that started on each UTC day, newest day first, without empty days. */
export type ResultDays = { day: Date; count: number; hours?: ResultHours | null }[]

/** Results of these statuses, and of this agent; without a field, of all. */
export type CountFilter = { statuses?: readonly RunStatus[] | undefined; agentSlug?: string | undefined }

/**
 * Counts the results from `from` to `until`, both included; a null `until` is no bound. The counts come from roll-ups, so
 * that the cost does not grow with the number of results: whole days from daily and unfolded hourly rows, a partial first
 * or last day from its hours, and only a partial first or last hour from the results themselves. With `offset`, the day
 * that has the result after so many has its hours too, if it begins more than `SKIPPED_MAX` results before it.
 */
export async function countResultDays(
  db: Queryable,
  service: ServiceRef,
  from: Date,
  until: Date | null = null,
  filter: CountFilter = {},
  offset = 0,
): Promise<ResultDays> {
  const firstDay = bucketStart(from, 'day')
  const lastDay = until && bucketStart(until, 'day')
  const span = {
    type: 'day',
    since: firstDay,
    ...(lastDay ? { before: new Date(lastDay.getTime() + DAY_MS) } : {}),
  } as const
  const stored = selectRollups(db, 'runs', service, span, (table, start) => ({
    day: dayOf(start),
    count: storedResults(table, filter).as('count'),
  })).as('stored')
  const partial: SQL[] = []
  if (firstDay.getTime() !== from.getTime())
    partial.push(whenDay(stored.day, firstDay, countWithinDay(db, service, from, until, filter)))
  if (lastDay && (partial.length === 0 || lastDay > firstDay))
    partial.push(whenDay(stored.day, lastDay, countWithinDay(db, service, lastDay, until, filter)))
  const whole = sql`sum(${stored.count})`
  const count = partial.length === 0 ? whole : sql`case ${sql.join(partial, sql` `)} else ${whole} end`
  const counted = db
    .select({ day: stored.day, count: sql<number>`(${count})::float8`.as('day_count') })
    .from(stored)
    .groupBy(stored.day)
  const days =
    offset > SKIPPED_MAX
      ? await withHours(db, service, counted.as('counted'), until, filter, offset)
      : await counted.orderBy(desc(stored.day))
  return days.filter((row) => row.count > 0)
}

function whenDay(column: SQLWrapper, day: Date, count: SQL): SQL {
  return sql`when ${column} = ${day.toISOString()}::timestamptz then ${count}`
}

type Counted = SubqueryWithSelection<{ day: SQL.Aliased<Date>; count: SQL.Aliased<number> }, 'counted'>

/**
 * Selects the days with the hours of the one that has the result after the first `offset`. Hourly rows do not split an
 * hour.
 */
function withHours(
  db: Queryable,
  { organizationId, id }: ServiceRef,
  counted: Counted,
  until: Date | null,
  filter: CountFilter,
  offset: number,
): Promise<ResultDays> {
  const located = db
    .select({
      day: counted.day,
      count: counted.count,
      passed: sql<number>`sum(${counted.count}) over (order by ${counted.day} desc) - ${counted.count}`.as('passed'),
    })
    .from(counted)
    .as('located')
  const ofDay = and(
    eq(runHours.organizationId, organizationId),
    eq(runHours.serviceId, id),
    sql`${runHours.hour} >= located.day and ${runHours.hour} < located.day + interval '24 hours'`,
  )
  const begins = and(
    sql`${located.passed} + ${SKIPPED_MAX} < ${offset} and ${offset} < ${located.passed} + ${located.count}`,
    until ? sql`located.day + interval '24 hours' <= ${until.toISOString()}::timestamptz` : undefined,
  )
  const hours = sql<ResultHours | null>`case when ${begins} then (
    select json_agg(json_build_array(of_hour.hour, of_hour.count) order by of_hour.hour desc)
    from (select ${runHours.hour} as hour, sum(${storedResults(runHours, filter)})::float8 as count
      from ${runHours} where ${ofDay} group by 1) of_hour) end`.mapWith((stored: [string, number][]) =>
    stored.map(([hour, count]) => ({ hour: new Date(hour), count })),
  )
  return db.select({ day: located.day, count: located.count, hours }).from(located).orderBy(desc(located.day))
}

/** A page is found among the results from `from` on and before `before`, after the first `skip`. Null is no bound. */
export type PageBounds = { from: Date | null; before: Date | null; skip: number }

/**
 * Locates a page of results, newest first, by the days that hold it. Where the hours of the day are known in which it
 * begins, the results after its hour are neither read nor skipped: with a run a minute, the 20th page skips 50 results
 * instead of 950.
 */
export function locatePage(days: ResultDays, offset: number, limit: number): PageBounds {
  let passed = 0
  let first: { before: Date | null; skip: number } | null = null
  for (const { day, count, hours } of days) {
    if (first === null && passed + count > offset) {
      // The newest day stays open: a run may have been stored since the days were counted.
      const whole = { before: passed === 0 ? null : new Date(day.getTime() + DAY_MS), skip: offset - passed }
      first = narrowToHour(hours ?? [], whole)
    }
    passed += count
    if (first !== null && passed >= offset + limit) return { from: day, ...first }
  }
  return { from: null, ...(first ?? { before: null, skip: offset }) }
}

function narrowToHour(hours: ResultHours, page: { before: Date | null; skip: number }) {
  let passed = 0
  for (const { hour, count } of hours) {
    if (passed + count > page.skip) {
      return passed === 0 ? page : { before: new Date(hour.getTime() + HOUR_MS), skip: page.skip - passed }
    }
    passed += count
  }
  return page
}

export function totalOf(days: ResultDays): number {
  return days.reduce((sum, { count }) => sum + count, 0)
}

/** Counts the results from `from` to the end of its day, or to `until` if that comes first, in the statement of days. */
function countWithinDay(db: Queryable, service: ServiceRef, from: Date, until: Date | null, filter: CountFilter): SQL {
  const nextDay = new Date(bucketStart(from, 'day').getTime() + DAY_MS)
  const end = until && until < nextDay ? until : null
  const startsWhole = bucketStart(from, 'hour').getTime() === from.getTime()
  const since = startsWhole ? from : new Date(bucketStart(from, 'hour').getTime() + HOUR_MS)
  const before = end ? bucketStart(end, 'hour') : nextDay
  const ranges =
    end && before < since
      ? [inRange(from, end)]
      : [startsWhole ? null : inRange(from, null, since), end && inRange(before, end)]
  const counts = [
    ...(before > since ? [countHours(db, service, since, before, filter)] : []),
    ...ranges
      .filter((range) => range !== null)
      .map((range) => db.$count(results, and(ofServiceResults(service), range, isCounted(filter)))),
  ]
  return counts.length === 0 ? sql`0` : sql`(${sql.join(counts, sql` + `)})`
}

function countHours(db: Queryable, service: ServiceRef, since: Date, before: Date, filter: CountFilter): SQL {
  const hours = selectRollups(db, 'runs', service, { type: 'hour', since, before }, (table) => ({
    count: storedResults(table, filter).as('count'),
  })).as('hours')
  return sql`(select coalesce(sum(${hours.count}), 0) from ${hours})`
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
function storedResults(table: RollupTable<'runs'>, { statuses, agentSlug }: CountFilter): SQL<number> {
  const counted = statuses ?? (['runs', 'skipped'] as const)
  const sum = sql<number>`(${sql.join(
    counted.map((name) => sql`${table[name]}`),
    sql` + `,
  )})`
  return agentSlug === undefined ? sum : sql<number>`case when ${table.agentSlug} = ${agentSlug} then ${sum} else 0 end`
}
