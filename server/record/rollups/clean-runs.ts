import type { FinishedRun } from '../finished-run.ts'
import { assertionsOf } from './counted-assertions.ts'
import { endpointKey, rollupKey } from './keys.ts'

// A clean run makes the same calls as the one before, all of which succeed. It is counted in the hourly row of its
// agent, instead of in one row per endpoint and assertion. A full row, or one of a past hour, is spread into those
// rows. The views `all_endpoint_hours` and `all_assertion_hours` show both.

/** Calls of a clean run. With more, a row would become long, and each update writes all of it. */
const CALLS_MAX = 6
/** Latencies of calls in a row: 64 runs of three calls. With more, rows would be longer than the database keeps in a page. */
export const CLEAN_CALL_MS_MAX = 192

/** What is summed of each call, in this order. */
const CALL_SUMS = [
  'dnsMs',
  'connectMs',
  'tlsMs',
  'ttfbMs',
  'transferMs',
  'responseTimeMs',
  'responseSizeBytes',
] as const

/** Clean runs of the same calls and assertions. */
export type CleanRuns = {
  /** Of the calls with their statuses, and the assertions. */
  key: string
  runs: FinishedRun[]
  /** `CALL_SUMS` of the first call, then of the next one. */
  callSums: number[]
  /** The latencies of the calls of a run, in milliseconds, then those of the next run. */
  callMs: number[]
}

/** What clean runs have in common, as it is stored with them. */
export type CleanSet = {
  calls: { key: string; method: string; template: string; status: number }[]
  /** As in a row of assertions; null for none. */
  assertions: { key: string; definition: Record<string, unknown> } | null
}

/** Returns what identifies the calls and assertions of a clean run, or null if the run is not clean. */
export function cleanKeyOf(run: FinishedRun): string | null {
  const { result, assertions } = run
  if (result.status !== 'success' || !run.isTimed || assertions.some(({ failed }) => failed)) return null
  const keys: string[] = []
  let text = ''
  for (const { outcome, statusCode, responseTimeMs, method, template } of result.steps) {
    if (outcome === 'skipped') continue
    if (outcome !== 'success' || statusCode === null || responseTimeMs === null) return null
    const key = endpointKey(method, template)
    if (keys.length === CALLS_MAX || keys.includes(key)) return null
    keys.push(key)
    text += `${key} ${statusCode} `
  }
  if (keys.length === 0) return null
  return rollupKey(text + (assertionsOf(run)[0]?.key ?? ''))
}

/** Adds a run with the key of `clean`. */
export function addCleanRun(clean: CleanRuns | null, key: string, run: FinishedRun): CleanRuns {
  const sum = clean ?? { key, runs: [], callSums: [], callMs: [] }
  sum.runs.push(run)
  let i = 0
  for (const step of run.result.steps) {
    if (step.outcome === 'skipped') continue
    for (const name of CALL_SUMS) {
      sum.callSums[i] = (sum.callSums[i] ?? 0) + (step[name] ?? 0)
      i++
    }
    sum.callMs.push(step.responseTimeMs as number)
  }
  return sum
}

/** Digits of a sum: those of 192 calls take fewer. */
const SUM_DIGITS = 16

/**
 * Returns the sums of all calls as the digits of one number. To add two such numbers is to add each of their sums, in a
 * third of the time that the database takes to add two arrays. The view `clean_endpoint_hours` reads the digits.
 */
export function callSumsText({ callSums }: CleanRuns): string {
  return callSums.map((sum) => String(sum).padStart(SUM_DIGITS, '0')).join('')
}

export function cleanSetOf({ runs }: CleanRuns): CleanSet {
  const run = runs[0] as FinishedRun
  const calls = run.result.steps.flatMap(({ outcome, method, template, statusCode }) => {
    const call = { key: endpointKey(method, template), method, template, status: statusCode as number }
    return outcome === 'skipped' ? [] : call
  })
  const [counted] = assertionsOf(run)
  return { calls, assertions: counted ? { key: counted.key, definition: counted.definition() } : null }
}
