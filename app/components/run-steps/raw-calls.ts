import { valueText } from '#server/schemas/results/assertion-text.ts'

/** What the page needs of a call in the language's result, beside the fields of the step. */
export type RawCall = {
  startedMs: number | null
  endedMs: number | null
  requestHeaders: Record<string, string>
  redirects: string[]
  warnings: string[]
}

export type RawResult = Record<string, unknown> | null

/** Returns the call of a step. Parts that the result lacks are null or empty. */
export function rawCallOf(raw: RawResult, stepNum: number): RawCall {
  const calls: unknown[] = Array.isArray(raw?.calls) ? raw.calls : []
  const call = recordOf(calls[stepNum - 1])
  return {
    startedMs: timeOf(call.startedAt),
    endedMs: timeOf(call.endedAt),
    requestHeaders: Object.fromEntries(
      Object.entries(recordOf(recordOf(call.request).headers)).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : valueText(value),
      ]),
    ),
    redirects: textsOf(call.redirects),
    warnings: textsOf(call.warnings),
  }
}

/** Returns milliseconds since the epoch, or null. */
export function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
