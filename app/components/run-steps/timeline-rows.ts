import type { Result, ResultStep } from '#server/schemas/results/results.ts'
import { PHASES } from '../runs/phases.ts'
import { rawCallOf, timeOf } from './raw-calls.ts'

export type TimelineRun = Pick<Result, 'startedAt' | 'runDurationMs' | 'rawResult' | 'steps'>

export type Segment = {
  /** `before` is the time of a call outside its phases, `none` that of a call without a response. */
  kind: (typeof PHASES)[number]['key'] | 'before' | 'none' | 'wait'
  label: string
  fromMs: number
  ms: number
}

/** A step on the scale of the whole run. A skipped step has no segments. */
export type TimelineRow = { step: ResultStep; fromMs: number; ms: number; waitMs: number; segments: Segment[] }

/** Returns the steps of a run on one scale, from 0 to `totalMs`. */
export function timelineOf(run: TimelineRun): { rows: TimelineRow[]; totalMs: number } {
  const start = timeOf(run.rawResult?.startedAt) ?? Date.parse(run.startedAt)
  const calls = run.steps.map((step) => rawCallOf(run.rawResult, step.stepNum))
  const rows: TimelineRow[] = []
  // Where the result lacks times, steps follow each other by their response times.
  let cursor = 0
  run.steps.forEach((step, index) => {
    if (step.outcome === 'skipped') {
      rows.push({ step, fromMs: cursor, ms: 0, waitMs: 0, segments: [] })
      return
    }
    const call = calls[index]
    const fromMs = call?.startedMs == null ? cursor : Math.max(0, call.startedMs - start)
    const { waitMs } = step
    // The end of a call includes the pause after it.
    const endMs = call?.endedMs == null ? fromMs + (step.responseTimeMs ?? 0) : call.endedMs - start - waitMs
    rows.push({ step, fromMs, ms: endMs - fromMs, waitMs, segments: segmentsOf(step, fromMs, endMs, waitMs) })
    cursor = endMs + waitMs
  })
  return { rows, totalMs: Math.max(run.runDurationMs, cursor, 1) }
}

function segmentsOf(step: ResultStep, fromMs: number, endMs: number, waitMs: number): Segment[] {
  const phases = PHASES.flatMap(({ key, label }) => {
    const ms = step[key]
    return ms ? [{ kind: key, label, ms }] : []
  })
  const phasesMs = phases.reduce((sum, { ms }) => sum + ms, 0)
  const segments: Segment[] = []
  if (phases.length === 0) {
    const label = step.outcome === 'timeout' ? 'Timed out' : step.statusCode === null ? 'No response' : 'Response'
    segments.push({ kind: step.statusCode === null ? 'none' : 'ttfbMs', label, fromMs, ms: endMs - fromMs })
  } else {
    // Times of phases have fractions, times of calls are whole milliseconds.
    let at = Math.max(fromMs, endMs - phasesMs)
    if (at - fromMs > 1) segments.push({ kind: 'before', label: 'Before the request', fromMs, ms: at - fromMs })
    for (const phase of phases) {
      segments.push({ ...phase, fromMs: at })
      at += phase.ms
    }
  }
  if (waitMs > 0) segments.push({ kind: 'wait', label: 'Wait', fromMs: endMs, ms: waitMs })
  return segments
}
