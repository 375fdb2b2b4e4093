import { and, Column, eq, getTableName, gte, is, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type AnyPgColumn, type PgTable, type SelectedFields, unionAll } from 'drizzle-orm/pg-core'
import type { Queryable } from '#db/client.ts'
import {
  allAssertionHours,
  allEndpointHours,
  assertionDays,
  endpointDays,
  recentLatencies,
  results,
  runDays,
  runHours,
  serviceStates,
} from '#db/schema/results.ts'
import { DAY_MS } from '../durations.ts'
import type { Latencies } from './percentiles.ts'
import type { Sketch } from './sketch.ts'
import { type BucketType, bucketStart } from './windows.ts'

export type ServiceRef = { id: string; organizationId: string }

/**
 * The instants from `since` up to but not including `before`; without `before`, up to now. With `sums`, the complete hours
 * of a day that is not folded may be one row, as those of a folded day are.
 */
export type Span = { type: BucketType; since: Date; before?: Date; sums?: boolean }

/** The hourly and the daily table of each kind of roll-up, and the column with the sums of a day that is not folded. */
export const ROLLUPS = {
  runs: { hours: runHours, days: runDays, sums: recentLatencies.runSums },
  endpoints: { hours: allEndpointHours, days: endpointDays, sums: recentLatencies.endpointSums },
  assertions: { hours: allAssertionHours, days: assertionDays, sums: null },
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
  span: Span,
  fields: { hours: F; days: { [K in keyof F]: SQLWrapper } },
) {
  const { since, before } = span
  const ofService = (table: Tables['hours' | 'days']) =>
    and(eq(table.organizationId, service.organizationId), eq(table.serviceId, service.id))
  const hoursIn = (from: Date | SQL, to: Date | undefined) =>
    db
      .select(fields.hours)
      .from(tables.hours as PgTable)
      .where(and(ofService(tables.hours), gte(tables.hours.hour, from), to && lt(tables.hours.hour, to)))
  if (span.type === 'hour') return hoursIn(since, before)
  const firstDay = new Date(Math.ceil(since.getTime() / DAY_MS) * DAY_MS)
  const lastDay = before && bucketStart(before, 'day')
  if (lastDay && lastDay <= firstDay) return hoursIn(since, before)
  const days = db
    .select(fields.days as unknown as F)
    .from(tables.days as PgTable)
    .where(and(ofService(tables.days), gte(tables.days.day, firstDay), lastDay && lt(tables.days.day, lastDay)))
  const unfolded = unfoldedFrom(service, firstDay, lastDay)
  const sums = span.sums && !before && tables.sums ? selectSums(tables.days, tables.sums, service, unfolded) : null
  const later = hoursIn(sums ? sql`coalesce(${sums.until}, ${unfolded})` : unfolded, before)
  const summed = sums ? [db.select(withoutTable(fields.days) as F).from(sums.rows)] : []
  const folded = unionAll(later, days as never, ...(summed as never[])) as unknown
  const all = firstDay > since ? unionAll(hoursIn(since, firstDay), folded as never) : folded
  return all as ReturnType<typeof hoursIn>
}

/** Fields of rows that only look like those of the table: drizzle selects columns from their own table alone. */
function withoutTable(fields: Record<string, unknown>): unknown {
  const all = Object.entries(fields).map(([key, field]) => [
    key,
    is(field, Column) ? sql`${field}`.as(field.name) : field,
  ])
  return Object.fromEntries(all)
}

/**
 * The sums of the complete hours of the day `unfolded`, as rows of the daily table, and the end of these hours; no rows
 * and null if there are none. They hold as long as no late run comes, like packed hours.
 */
function selectSums(days: PgTable, column: AnyPgColumn, { organizationId, id }: ServiceRef, unfolded: SQL) {
  const table = sql.identifier(getTableName(days))
  const ofDay = sql`r.organization_id = ${organizationId} and r.service_id = ${id} and r.packed_until <= r.hour
    and date_trunc('day', r.packed_until - interval '1 hour', 'UTC') = ${unfolded}`
  return {
    until: sql`(select r.packed_until from recent_latencies r where ${ofDay})`,
    rows: sql`(select day_sum.* from recent_latencies r
      cross join lateral jsonb_populate_recordset(null::${table}, r.${sql.identifier(column.name)}) day_sum
      where ${ofDay}) ${table}`,
  }
}

/** The first hour from `firstDay` on that is read from its own row: the end of the folded days, at most `lastDay`. */
function unfoldedFrom(service: ServiceRef, firstDay: Date, lastDay: Date | undefined): SQL {
  const foldedUntil = sql`coalesce((select ${serviceStates.foldedUntil} from ${serviceStates}
    where ${serviceStates.organizationId} = ${service.organizationId} and ${serviceStates.serviceId} = ${service.id}),
    'epoch')`
  const from = sql`greatest(${foldedUntil}, ${firstDay.toISOString()}::timestamptz)`
  return lastDay ? sql`least(${from}, ${lastDay.toISOString()}::timestamptz)` : from
}

/** The latencies of an hourly or a daily row. Both tables give the same columns, so that one query can read both. */
export type SketchColumns = Record<keyof Sketch, string | null> & { packed: Buffer | null }

export function hourSketch(table: typeof runHours | typeof allEndpointHours) {
  return {
    ms: arrayAsText(table.ms).as('ms'),
    bins: arrayAsText(table.bins).as('bins'),
    counts: arrayAsText(table.counts).as('counts'),
    packed: sql<Buffer | null>`null::bytea`.as('packed'),
  }
}

export function daySketch(table: typeof runDays | typeof endpointDays) {
  const nothing = (name: string) => sql<string | null>`null::text`.as(name)
  return {
    ms: nothing('ms'),
    bins: nothing('bins'),
    counts: nothing('counts'),
    packed: sql<Buffer | null>`${table.sketch}`.as('packed'),
  }
}

export function latenciesOf({ packed, ms, bins, counts }: SketchColumns): Latencies {
  return packed ?? parseArrays({ ms, bins, counts })
}

type AggregatableSketch = Record<keyof SketchColumns, SQLWrapper> & { start: SQLWrapper }

/** Aggregates the latencies of a group of rows into text. The time depends on the number of rows, not on their size. */
export function aggregateSketches({ start, ms, bins, counts, packed }: AggregatableSketch) {
  const joined = (name: string, column: SQLWrapper) =>
    sql<string | null>`string_agg(${column}, ',' order by ${start})`.as(name)
  return {
    ms: joined('ms', ms),
    bins: joined('bins', bins),
    counts: joined('counts', counts),
    packed: joined('packed', sql`encode(${packed}, 'hex')`),
  }
}

/** Parses the columns of `aggregateSketches`. */
export function latenciesOfAggregate({ packed, ...arrays }: Record<keyof SketchColumns, string | null>): Latencies[] {
  const days = packed === null ? [] : packed.split(',').map((hex) => Buffer.from(hex, 'hex'))
  return [...days, parseArrays(arrays)]
}

/** Selects an array as text, null when it is empty: the driver takes long to parse arrays of thousands of numbers. */
export function arrayAsText(column: SQLWrapper): SQL<string | null> {
  return sql<string | null>`nullif(array_to_string(${column}, ','), '')`
}

/** Parses the columns of `arrayAsText`. */
export function parseArrays({ ms, bins, counts }: Record<keyof Sketch, string | null>): Sketch {
  return { ms: parseNumbers(ms), bins: parseNumbers(bins), counts: parseNumbers(counts) }
}

/** Parses numbers with commas between them; null without any. */
export function parseNumbers(text: string | null): number[] | null {
  return text === null ? null : JSON.parse(`[${text}]`)
}
