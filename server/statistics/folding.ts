import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import {
  type endpointDays,
  type endpointHours,
  type runDays,
  type runHours,
  serviceStates,
} from '#db/schema/results.ts'
import type { Latencies } from './percentiles.ts'
import type { ServiceRef } from './runs.ts'
import type { Sketch } from './sketch.ts'

/**
 * Of the hourly roll-ups those that no daily row holds yet, which is at least today's. Read in one statement with the
 * daily rows they count every run once, whenever days are folded.
 */
export function isUnfolded(hour: PgColumn, service: ServiceRef): SQL {
  return sql`${hour} >= coalesce((select ${serviceStates.foldedUntil} from ${serviceStates}
    where ${serviceStates.serviceId} = ${service.id}), 'epoch')`
}

/** A row's latencies as either table has them, under the same names: hours and days can be read as one. */
type StoredSketch = Record<keyof Sketch, string | null> & { packed: Buffer | null }

export function hourSketch(table: typeof runHours | typeof endpointHours) {
  return {
    ms: listed(table.ms).as('ms'),
    bins: listed(table.bins).as('bins'),
    counts: listed(table.counts).as('counts'),
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

export function latenciesOf({ packed, ms, bins, counts }: StoredSketch): Latencies {
  return packed ?? { ms: numbersOf(ms), bins: numbersOf(bins), counts: numbersOf(counts) }
}

/** An array as text, null when it is empty. What the driver makes of thousands of numbers takes it long. */
export function listed(column: SQLWrapper): SQL<string | null> {
  return sql<string | null>`nullif(array_to_string(${column}, ','), '')`
}

export function numbersOf(list: string | null): number[] | null {
  return list === null ? null : JSON.parse(`[${list}]`)
}
