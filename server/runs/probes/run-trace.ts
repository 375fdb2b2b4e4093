import { createHash } from 'node:crypto'

// The ids of a run in distributed tracing (W3C Trace Context). They are derived from the attempt, so that worker, remote
// agent and server get the same ones without sending them to each other.

type Attempt = { id: string; attempt: number }

/** The ids of a run's trace, in lower-case hexadecimal. */
export type RunTrace = {
  /** 32 digits. */
  traceId: string
  /** The span of the run, 16 digits. */
  spanId: string
  /** Returns the span of a call, 16 digits: the parent of the target's spans. */
  callSpanId: (callIndex: number) => string
  /** Returns the span of a phase of a call, 16 digits. */
  phaseSpanId: (callIndex: number, phase: string) => string
}

export function runTrace({ id, attempt }: Attempt): RunTrace {
  const digest = (part: string) => createHash('sha256').update(`${id} ${attempt} ${part}`).digest('hex')
  const spanId = (part: string) => digest(part).slice(0, 16)
  return {
    traceId: digest('trace').slice(0, 32),
    spanId: spanId('run'),
    callSpanId: (callIndex) => spanId(`call ${callIndex}`),
    phaseSpanId: (callIndex, phase) => spanId(`call ${callIndex} ${phase}`),
  }
}

/** Returns the header `traceparent` for each call of a run, sampled. */
export function traceHeaders(run: Attempt): (callIndex: number) => [name: string, value: string][] {
  const { traceId, callSpanId } = runTrace(run)
  return (callIndex) => [['traceparent', `00-${traceId}-${callSpanId(callIndex)}-01`]]
}

/** Returns the trace id of the `traceparent` that a request carried; null without a valid one. */
export function traceIdOf(headers: Record<string, string>): string | null {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'traceparent')
  const [, traceId] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(name ? (headers[name] ?? '') : '') ?? []
  return traceId && !/^0+$/.test(traceId) ? traceId : null
}
