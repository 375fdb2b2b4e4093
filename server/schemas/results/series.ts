import { z } from 'zod'
import { Instant } from '../conventions.ts'
import { Timezone } from '../schedule/time-zones.ts'
import { BUCKET_LENGTHS, isSpan, RANGE_NAMES } from './ranges.ts'
import { WEEK_DAYS_MAX } from './results.ts'

// The charts of the dashboard.

/** The most script versions that a chart marks. */
export const MARKS_MAX = 50

const ChartQuery = z.object({
  range: z.enum(RANGE_NAMES),
  zone: Timezone,
  /** With `until`: the part that the chart is zoomed to, instead of the whole range. */
  since: Instant.optional(),
  until: Instant.optional(),
})

export const SeriesQuery = ChartQuery.extend({ agent: z.string().max(64).optional() }).refine(...orderedSpan())

export const LatencyQuery = ChartQuery.refine(...orderedSpan())

const Milliseconds = z.number().min(0).nullable()

export const SeriesBucket = z.object({
  /** The bucket covers the time from `start` up to, but not including, `end`. */
  start: Instant,
  end: Instant,
  /** Executed runs, and those of them that failed or timed out. */
  runs: z.int(),
  failed: z.int(),
  p50Ms: Milliseconds,
  p95Ms: Milliseconds,
})
export type SeriesBucket = z.output<typeof SeriesBucket>

/** The first run of a script version, and who saved it. The name is null if no audit entry names a person. */
export const VersionMark = z.object({
  version: z.int(),
  firstRunAt: Instant,
  lastRunAt: Instant,
  runs: z.int(),
  failed: z.int(),
  savedAt: Instant.nullable(),
  savedBy: z.string().nullable(),
})
export type VersionMark = z.output<typeof VersionMark>

export const Series = z.object({
  range: z.enum(RANGE_NAMES),
  zone: z.string(),
  length: z.enum(BUCKET_LENGTHS),
  /** Oldest first; the last one is the current one. */
  buckets: z.array(SeriesBucket),
  /** The agents that ran the service in the last 90 days, by slug. */
  agents: z.array(z.string()),
  /** The versions that ran first in the range, oldest first. */
  versions: z.array(VersionMark),
})
export type Series = z.output<typeof Series>

/** The phases of calls, in their order. */
export const PHASE_KEYS = ['dnsMs', 'connectMs', 'tlsMs', 'ttfbMs', 'transferMs'] as const
export type PhaseKey = (typeof PHASE_KEYS)[number]

/**
 * The mean response time of a run in each bucket, in milliseconds: all of it by agent, and its phases on all agents. Null
 * for a bucket in which no run got a response. The phases of a run are the sums over its calls.
 */
export const LatencyParts = z.object({
  range: z.enum(RANGE_NAMES),
  zone: z.string(),
  length: z.enum(BUCKET_LENGTHS),
  buckets: z.array(z.object({ start: Instant, end: Instant })),
  phases: z.array(z.object({ key: z.enum(PHASE_KEYS), ms: z.array(Milliseconds) })),
  /** By slug. */
  agents: z.array(z.object({ slug: z.string(), ms: z.array(Milliseconds) })),
})
export type LatencyParts = z.output<typeof LatencyParts>

export const WeekQuery = z.object({ days: z.int().min(1).max(WEEK_DAYS_MAX), zone: Timezone })

/** Runs by ISO weekday and hour, on the clocks of a zone: 168 cells. An hour counts where it begins. */
export const Week = z.object({
  days: z.int(),
  zone: z.string(),
  since: Instant,
  totalRuns: z.int(),
  totalFailed: z.int(),
  cells: z.array(z.object({ weekday: z.int(), hour: z.int(), runs: z.int(), failed: z.int() })),
})
export type Week = z.output<typeof Week>

/** Since when the service fails, and which script version it fails with. */
export const Standing = z.object({
  /** The start of the first of the failures in a row; null if the last run passed. */
  failingSince: Instant.nullable(),
  /** The version of the first failing run, if another version passed before it; otherwise null. */
  cause: VersionMark.pick({ version: true, savedAt: true, savedBy: true }).nullable(),
  /** The last run that passed; null if none did. */
  lastPassingResultId: z.guid().nullable(),
})
export type Standing = z.output<typeof Standing>

/** Both bounds of a part or none, as `isSpan`. */
function orderedSpan() {
  const isOrdered = ({ since, until }: { since?: string | undefined; until?: string | undefined }) =>
    since === undefined ? until === undefined : until !== undefined && isSpan({ since, until })
  const problem = {
    path: ['until'],
    error: 'must be given with `since`, lie after it, and at most 91 days later, both from 1970 to 9998',
  }
  return [isOrdered, problem] as const
}
