import { and, eq, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type PgTable, type SelectedFields, unionAll } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
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
import { DAY_MS } from '../durations.ts'
import { type BucketType, bucketStart } from './windows.ts'

export type ServiceRef = { id: string; organizationId: string }

/** The instants from `since` up to but not including `before`; without `before`, up to now. */
export type Span = { type: BucketType; since: Date; before?: Date }

/** The hourly and the daily table of each kind of roll-up. Beside the service and the time, `part` is the key of a row. */
export const ROLLUPS = {
  runs: { hours: runHours, days: runDays, part: 'agentSlug' },
  endpoints: { hours: endpointHours, days: endpointDays, part: 'endpointKey' },
  assertions: { hours: assertionHours, days: assertionDays, part: 'assertionKey' },
} as const

/** Selects the results of a service that count: not those of runs with values of their own. */
export function ofServiceResults({ organizationId, id }: ServiceRef): SQL | undefined {
  return and(
    eq(results.organizationId, organizationId),
    eq(results.serviceId, id),
    sql`${results.hasValues} is not true`,
  )
}

type Tables = (typeof ROLLUPS)[keyof typeof ROLLUPS]

/**
 * Selects the roll-ups of a service in a span. By the hour these are hourly rows. By the day these are the daily rows of
 * its whole days, and the hourly rows of the hours before and after them, and of days that are not folded yet. It is one
 * statement, so each run counts once even while another transaction folds a day.
 */
export function selectRollups<F extends SelectedFields>(
  db: Queryable,
  tables: Tables,
  service: ServiceRef,
  { type, since, before }: Span,
  fields: { hours: F; days: { [K in keyof F]: SQLWrapper } },
) {
  const ofService = (table: Tables['hours'] | Tables['days']) =>
    and(eq(table.organizationId, service.organizationId), eq(table.serviceId, service.id))
  const hoursIn = (from: Date | SQL, to: Date | undefined) =>
    db
      .select(fields.hours)
      .from(tables.hours as PgTable)
      .where(and(ofService(tables.hours), gte(tables.hours.hour, from), to && lt(tables.hours.hour, to)))
  if (type === 'hour') return hoursIn(since, before)
  const firstDay = new Date(Math.ceil(since.getTime() / DAY_MS) * DAY_MS)
  const lastDay = before && bucketStart(before, 'day')
  if (lastDay && lastDay <= firstDay) return hoursIn(since, before)
  const foldedUntil = unfoldedFrom(service, firstDay, lastDay)
  const days = db
    .select(fields.days as unknown as F)
    .from(tables.days as PgTable)
    .where(and(ofService(tables.days), gte(tables.days.day, firstDay), lt(tables.days.day, foldedUntil)))
  const folded = unionAll(hoursIn(foldedUntil, before), days as never) as unknown
  const all = firstDay > since ? unionAll(hoursIn(since, firstDay), folded as never) : folded
  return all as ReturnType<typeof hoursIn>
}

/** The first hour from `firstDay` on that is read from its own row: the end of the folded days, at most `lastDay`. */
function unfoldedFrom(service: ServiceRef, firstDay: Date, lastDay: Date | undefined): SQL {
  const foldedUntil = sql`coalesce((select ${serviceStates.foldedUntil} from ${serviceStates}
    where ${serviceStates.organizationId} = ${service.organizationId} and ${serviceStates.serviceId} = ${service.id}),
    'epoch')`
  const from = sql`greatest(${foldedUntil}, ${firstDay.toISOString()}::timestamptz)`
  return lastDay ? sql`least(${from}, ${lastDay.toISOString()}::timestamptz)` : from
}

/** A list as JSON: the driver takes long to parse arrays of thousands of numbers. */
function asJson<T extends number[] | null>(column: SQLWrapper, name: string): SQL.Aliased<T> {
  return sql<T>`to_json(${column})`.as(name)
}

export function sketchColumns({ ms, bins }: { ms: SQLWrapper; bins: SQLWrapper }) {
  return { ms: asJson<number[] | null>(ms, 'ms'), bins: asJson<number[] | null>(bins, 'bins') }
}

/** Runs and failed runs by hour, from the start of the row on: one number in an hourly row, 24 in a daily row. */
export const RUNS_BY_HOUR = {
  hours: {
    runs: asJson<number[]>(sql`array[${runHours.runs}]`, 'runs'),
    failed: asJson<number[]>(sql`array[${runHours.failure} + ${runHours.timeout}]`, 'failed'),
  },
  days: {
    runs: asJson<number[]>(runDays.runsByHour, 'runs'),
    failed: asJson<number[]>(runDays.failedByHour, 'failed'),
  },
}

/** The sketches of a group of rows, for `sketchesOf`. */
export function sketchLists({ ms, bins }: { ms: SQLWrapper; bins: SQLWrapper }) {
  const list = (column: SQLWrapper, name: string) =>
    sql<number[][] | null>`json_agg(${column}) filter (where ${column} is not null)`.as(name)
  return { ms: list(ms, 'ms'), bins: list(bins, 'bins') }
}
