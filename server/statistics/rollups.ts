import { and, eq, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import {
  type assertionDays,
  type assertionHours,
  type endpointDays,
  type endpointHours,
  type runDays,
  type runHours,
  serviceStates,
} from '#db/schema/results.ts'
import type { Latencies } from './percentiles.ts'
import type { ServiceRef } from './runs.ts'
import type { Sketch } from './sketch.ts'
import type { BucketType } from './windows.ts'

/** From `since` on, and before `before` where that is given; by the hour from hourly roll-ups alone. */
export type Span = { type: BucketType; since: Date; before?: Date }

/**
 * Which hourly roll-ups of a service make up a span: all of them, or by the day those that no daily one holds yet, which is
 * at least today's. Read in one statement with `ofDays` they count every run once, whenever days are folded.
 */
export function ofHours(
  table: typeof runHours | typeof endpointHours | typeof assertionHours,
  service: ServiceRef,
  { type, since, before }: Span,
): SQL | undefined {
  const foldedUntil = sql`coalesce((select ${serviceStates.foldedUntil} from ${serviceStates}
    where ${serviceStates.serviceId} = ${service.id}), 'epoch')`
  return and(
    eq(table.organizationId, service.organizationId),
    eq(table.serviceId, service.id),
    gte(table.hour, since),
    before && lt(table.hour, before),
    type === 'day' ? gte(table.hour, foldedUntil) : undefined,
  )
}

/** Which daily roll-ups of a service go with the hourly ones of a span that is by the day. */
export function ofDays(
  table: typeof runDays | typeof endpointDays | typeof assertionDays,
  service: ServiceRef,
  { since, before }: Omit<Span, 'type'>,
): SQL | undefined {
  return and(
    eq(table.organizationId, service.organizationId),
    eq(table.serviceId, service.id),
    gte(table.day, since),
    before && lt(table.day, before),
  )
}

/** A row's latencies as either table has them, under the same names: hours and days can be read as one. */
type StoredSketch = Record<keyof Sketch, string | null> & { packed: Buffer | null }

export function hourSketch(table: typeof runHours | typeof endpointHours) {
  return {
    ms: arrayAsText(table.ms).as('ms'),
    bins: arrayAsText(table.bins).as('bins'),
    counts: arrayAsText(table.counts).as('counts'),
    packed: sql<Buffer | null>`null::bytea`.as('packed'),
  }
}

export function daySketch(table: typeof runDays | typeof endpointDays) {
  const none = (name: string) => sql<string | null>`null::text`.as(name)
  return {
    ms: none('ms'),
    bins: none('bins'),
    counts: none('counts'),
    packed: sql<Buffer | null>`${table.sketch}`.as('packed'),
  }
}

export function latenciesOf({ packed, ...lists }: StoredSketch): Latencies {
  return packed ?? parseArrays(lists)
}

type JoinableSketch = Record<keyof StoredSketch, SQLWrapper> & { start: SQLWrapper }

/** The latencies of a group of rows, one behind the other, as text: rows are what takes long, not what is in them. */
export function aggregateSketches({ start, ms, bins, counts, packed }: JoinableSketch) {
  const joined = (list: SQLWrapper) => sql<string | null>`string_agg(${list}, ',' order by ${start})`
  return { ms: joined(ms), bins: joined(bins), counts: joined(counts), packed: joined(sql`encode(${packed}, 'hex')`) }
}

export function latenciesOfAggregate({ packed, ...lists }: Record<keyof StoredSketch, string | null>): Latencies[] {
  const days = packed === null ? [] : packed.split(',').map((hex) => Buffer.from(hex, 'hex'))
  return [...days, parseArrays(lists)]
}

/** An array as text, null when it is empty. What the driver makes of thousands of numbers takes it long. */
export function arrayAsText(column: SQLWrapper): SQL<string | null> {
  return sql<string | null>`nullif(array_to_string(${column}, ','), '')`
}

/** What `listed` made of each list. */
export function parseArrays({ ms, bins, counts }: Record<keyof Sketch, string | null>): Sketch {
  return { ms: parseNumbers(ms), bins: parseNumbers(bins), counts: parseNumbers(counts) }
}

function parseNumbers(list: string | null): number[] | null {
  return list === null ? null : JSON.parse(`[${list}]`)
}
