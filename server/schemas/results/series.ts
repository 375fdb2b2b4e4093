import { z } from 'zod'
import { Instant } from '../conventions.ts'
import { Timezone } from '../schedule/time-zones.ts'
import { RANGE_NAMES } from './ranges.ts'
import { WEEK_DAYS_MAX } from './results.ts'

// The charts of the dashboard.

/** The most script versions that a chart marks. */
export const MARKS_MAX = 50

export const SeriesQuery = z.object({
  range: z.enum(RANGE_NAMES),
  zone: Timezone,
  agent: z.string().max(64).optional(),
})

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
  /** Oldest first; the last one is the current one. */
  buckets: z.array(SeriesBucket),
  /** The agents that ran the service in the last 90 days, by slug. */
  agents: z.array(z.string()),
  /** The versions that ran first in the range, oldest first. */
  versions: z.array(VersionMark),
})
export type Series = z.output<typeof Series>

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
