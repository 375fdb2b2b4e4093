import type { results } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'

// Computes the expected statistics from the stored results, one by one. Slow on purpose; shares no code with the program
// that it checks.

export type ResultRow = typeof results.$inferSelect

export const WINDOWS = {
  '24h': { type: 'hour', length: HOUR_MS, count: 24 },
  '7d': { type: 'hour', length: HOUR_MS, count: 168 },
  '30d': { type: 'day', length: DAY_MS, count: 30 },
  '90d': { type: 'day', length: DAY_MS, count: 90 },
} as const
export type WindowName = keyof typeof WINDOWS

export const performed = (rows: ResultRow[]) => rows.filter((row) => row.status !== 'skipped')
export const failed = (rows: ResultRow[]) => rows.filter((row) => row.status === 'failure' || row.status === 'timeout')
export const latencies = (rows: ResultRow[]) =>
  performed(rows)
    .filter((row) => row.steps.some((step) => step.responseTimeMs !== null))
    .map((row) => row.totalResponseMs)

/** Returns the buckets of the window: their starts and rows. */
export function bucketsOf(rows: ResultRow[], window: { length: number; count: number }, now: Date) {
  const last = Math.floor(now.getTime() / window.length) * window.length
  return Array.from({ length: window.count }, (_, i) => {
    const start = last - (window.count - 1 - i) * window.length
    return { start: new Date(start), rows: between(rows, start, start + window.length) }
  })
}

export function between(rows: ResultRow[], from: number, to: number): ResultRow[] {
  return rows.filter((row) => row.startedAt.getTime() >= from && row.startedAt.getTime() < to)
}

export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}

/** The quantile by the nearest rank. */
export function quantile(values: number[], q: number): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] as number
}

/** Exact while each stored sketch has at most 128 values; else within 1 %, plus rounding. */
export function isClose(actual: number | null, values: number[], q: number, isExact: boolean): boolean {
  const expected = quantile(values, q)
  if (expected === null || actual === null) return expected === actual
  if (isExact) return actual === expected
  return Math.abs(actual - expected) <= expected * 0.01 + 0.006
}
