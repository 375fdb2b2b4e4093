import type { StoredStep } from '#db/schema/results.ts'
import type { ProbeResult } from '../../language/lace/result.ts'
import { currentTracing, type EndedSpan } from '../../process/tracing.ts'
import type { FinishedRun } from '../record/finished-run.ts'
import { type RunTrace, runTrace } from './run-trace.ts'

// The trace of a run: run, calls, and the phases of each call. It is made of the finished run, so that it does not disturb
// the measurement, and holds nothing that the stored result does not show.

const PHASES = ['dns', 'connect', 'tls', 'ttfb', 'transfer'] as const
const TEXT_MAX = 512

/** Records the spans of a finished run, if OpenTelemetry is on. */
export function recordRunSpans(run: FinishedRun): void {
  currentTracing()?.record(runSpans(run))
}

/** Returns the spans of a finished run, parents first. */
export function runSpans(run: FinishedRun): EndedSpan[] {
  const { result } = run
  const trace = runTrace(run)
  const startMs = result.startedAt.getTime()
  const raw = result.raw as ProbeResult | null
  const root: EndedSpan = {
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: null,
    name: 'run',
    kind: 'internal',
    startMs,
    endMs: startMs + result.runDurationMs,
    attributes: {
      'soundline.organization.id': run.organizationId,
      'soundline.service.id': run.serviceId,
      'soundline.run.id': run.run?.id ?? run.id,
      'soundline.run.attempt': run.attempt,
      ...(run.run && { 'soundline.run.cause': run.run.cause }),
      'soundline.result.id': result.id,
      'soundline.result.status': result.status,
      'soundline.agent': run.agentSlug,
    },
    error: result.status === 'success' || result.status === 'skipped' ? null : (textOf(raw?.error) ?? result.status),
  }
  return [root, ...result.steps.flatMap((step) => callSpans(step, raw, trace))]
}

function callSpans(step: StoredStep, raw: ProbeResult | null, trace: RunTrace): EndedSpan[] {
  const index = step.stepNum - 1
  const call = raw?.calls[index]
  const startMs = Date.parse(call?.startedAt ?? '')
  const endMs = Date.parse(call?.endedAt ?? '')
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return []
  const { traceId } = trace
  const span: EndedSpan = {
    traceId,
    spanId: trace.callSpanId(index),
    parentSpanId: trace.spanId,
    name: step.method,
    kind: 'client',
    startMs,
    endMs: endMs - (step.waitMs ?? 0),
    attributes: {
      'http.request.method': step.method,
      'url.template': step.template.slice(0, TEXT_MAX),
      ...(step.requestUrl && { 'url.full': step.requestUrl.slice(0, TEXT_MAX) }),
      ...(step.statusCode !== null && { 'http.response.status_code': step.statusCode }),
      'soundline.step': step.stepNum,
      'soundline.call.outcome': step.outcome,
      ...(step.timeoutPhase && { 'soundline.timeout.phase': step.timeoutPhase }),
    },
    error: step.outcome === 'success' ? null : (textOf(step.error) ?? step.outcome),
  }
  return [span, ...phaseSpans(step, span, trace)]
}

/** Returns the phases one after another. They end with the response: retries and waiting for a connection come before. */
function phaseSpans(step: StoredStep, call: EndedSpan, { traceId, phaseSpanId }: RunTrace): EndedSpan[] {
  if (step.responseTimeMs === null) return []
  const duration = Math.min(step.responseTimeMs, call.endMs - call.startMs)
  let cursor = call.endMs - duration
  return PHASES.flatMap((phase) => {
    const ms = step[`${phase}Ms`]
    if (ms === null || (ms === 0 && phase === 'tls')) return []
    const startMs = cursor
    cursor = Math.min(call.endMs, cursor + ms)
    return [
      {
        traceId,
        spanId: phaseSpanId(step.stepNum - 1, phase),
        parentSpanId: call.spanId,
        name: phase,
        kind: 'internal' as const,
        startMs,
        endMs: cursor,
        attributes: {},
        error: null,
      },
    ]
  })
}

function textOf(text: string | null | undefined): string | null {
  return text ? text.slice(0, TEXT_MAX) : null
}
