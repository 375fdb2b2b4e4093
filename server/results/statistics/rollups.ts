import type { Queryable } from '#db/client.ts'
import {
  and,
  gte,
  lt,
  type PgColumn,
  type PgTable,
  type SelectedFields,
  type SQL,
  type SQLWrapper,
  sql,
  unionAll,
} from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import {
  assertionDays,
  assertionHours,
  endpointDays,
  endpointHours,
  results,
  runDays,
  runHours,
  serviceStates,
} from '#db/schema/results.ts'
import { DAY_MS } from '../../durations.ts'
import { type BucketType, bucketStart } from './windows.ts'

export type ServiceRef = { id: string; organizationId: string }

/** The instants from `since` up to but not including `before`; without `before`, all from `since` on. */
export type Span = { type: BucketType; since: Date; before?: Date }

/** The hourly and the daily table of each kind of roll-up. `partColumn` tells agents or endpoints apart. */
export const ROLLUPS = {
  runs: { hours: runHours, days: runDays, partColumn: 'agentSlug' },
  endpoints: { hours: endpointHours, days: endpointDays, partColumn: 'endpointKey' },
  assertions: { hours: assertionHours, days: assertionDays },
} as const

export type Kind = keyof typeof ROLLUPS
/** Those with latencies. */
export type TimedKind = 'runs' | 'endpoints'
/** The hourly or the daily table. */
export type RollupTable<K extends Kind> = (typeof ROLLUPS)[K]['hours' | 'days']

/** Selects the results of a service that count. */
export function ofServiceResults(service: ServiceRef): SQL | undefined {
  return and(matchesRow(results.serviceId, service), sql`${results.isUncounted} is not true`)
}

/**
 * Selects the roll-ups of a service in a span. By the hour these are hourly rows. By the day these are the daily rows of
 * its whole days, and the hourly rows of the hours before and after them, and of days that are not folded yet. It is one
 * statement, so each run counts once even while another transaction folds a day. `start` is the hour or the day.
 */
export function selectRollups<K extends Kind, F extends SelectedFields>(
  db: Queryable,
  kind: K,
  service: ServiceRef,
  { type, since, before }: Span,
  fieldsOf: (table: RollupTable<K>, start: typeof runHours.hour) => F,
) {
  const { hours, days } = ROLLUPS[kind]
  const hoursIn = (from: Date | SQL, to: Date | undefined) =>
    db
      .select(fieldsOf(hours as RollupTable<K>, hours.hour as typeof runHours.hour))
      .from(hours as PgTable)
      .where(and(matchesRow(hours.serviceId, service), gte(hours.hour, from), to && lt(hours.hour, to)))
  if (type === 'hour') return hoursIn(since, before)
  const firstDay = new Date(Math.ceil(since.getTime() / DAY_MS) * DAY_MS)
  const lastDay = before && bucketStart(before, 'day')
  if (lastDay && lastDay <= firstDay) return hoursIn(since, before)
  const firstUnfolded = firstUnfoldedHour(service, firstDay, lastDay)
  const inDays = db
    .select(fieldsOf(days as RollupTable<K>, days.day as PgColumn as typeof runHours.hour))
    .from(days as PgTable)
    .where(and(matchesRow(days.serviceId, service), gte(days.day, firstDay), lt(days.day, firstUnfolded)))
  const folded = unionAll(hoursIn(firstUnfolded, before), inDays as never) as unknown
  const all = firstDay > since ? unionAll(hoursIn(since, firstDay), folded as never) : folded
  return all as ReturnType<typeof hoursIn>
}

/** The first hour from `firstDay` on that is read from its own row: the end of the folded days, at most `lastDay`. */
function firstUnfoldedHour(service: ServiceRef, firstDay: Date, lastDay: Date | undefined): SQL {
  const foldedUntil = sql`coalesce((select ${serviceStates.foldedUntil} from ${serviceStates}
    where ${matchesRow(serviceStates.serviceId, service)}), 'epoch')`
  const from = sql`greatest(${foldedUntil}, ${firstDay.toISOString()}::timestamptz)`
  return lastDay ? sql`least(${from}, ${lastDay.toISOString()}::timestamptz)` : from
}

/** The day in which a row starts. */
export function dayOf(start: typeof runHours.hour): SQL.Aliased<Date> {
  return sql<Date>`date_trunc('day', ${start}, 'UTC')`.mapWith(runDays.day).as('day')
}

/** An object of columns as JSON: the driver takes long to parse lists of numbers, and drizzle to map many columns. */
export function asJson<T>(columns: { [K in keyof T]: SQLWrapper }): SQL<T> {
  const fields = Object.entries<SQLWrapper>(columns).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`)
  return sql<T>`json_build_object(${sql.join(fields, sql`, `)})`
}

/** Sums a column in SQL. The result is a double, because the driver returns `bigint` sums as strings. */
export function sqlSum(column: SQLWrapper): SQL<number> {
  return sql<number>`sum(${column})::float8`
}

/** Runs and failed runs by hour, from the start of the row on: one number in an hourly row, 24 in a daily row. */
export function byHour(table: RollupTable<'runs'>) {
  const isDay = 'runsByHour' in table
  return {
    runs: isDay ? table.runsByHour : sql`array[${table.runs}]`,
    failed: isDay ? table.failedByHour : sql`array[${table.failure} + ${table.timeout}]`,
  }
}
