import type { Call, Script } from '../../../language/lace/ast.ts'
import { referencesOf } from '../../../language/lace/references.ts'
import type { AssertionRecord, CallRecord, ProbeResult } from '../../../language/lace/result.ts'
import { SCRIPT_SCOPES } from '../../../scripts/script-scopes.ts'

/** Times are rounded to milliseconds per call. */
const SLACK_MS = 5_000

export type Contradiction = { field: string; reason: string }

/**
 * Returns the first contradiction in a result, to the script or in itself; null when the language could have produced it.
 * `maxMs` is the time since the agent claimed the run.
 */
export function findContradiction(ast: Script | null, probe: ProbeResult, maxMs: number): Contradiction | null {
  const { calls, outcome } = probe
  // A script that is not valid for the agent makes no calls.
  if (calls.length === 0 && outcome === 'failure' && probe.error !== undefined) return null
  if (ast === null || calls.length !== ast.calls.length)
    return wrong('calls', 'must have one entry per call of the script')
  let expected: ProbeResult['outcome'] = 'success'
  let totalMs = 0
  for (const [index, record] of calls.entries()) {
    const problem = problemOf(ast.calls[index] as Call, record, index, expected !== 'success')
    if (problem) return wrong(`calls.${index}`, problem)
    // The run's limit can pass before a call, or while the run waits after one.
    if (record.outcome === 'skipped' && expected === 'success') expected = 'timeout'
    if (stopsRun(record)) expected = record.outcome === 'timeout' ? 'timeout' : 'failure'
    totalMs += record.response?.responseTimeMs ?? 0
  }
  const mayTimeOut = expected === 'success' && ast.calls.at(-1)?.chain.wait !== undefined
  if (outcome !== expected && !(mayTimeOut && outcome === 'timeout')) {
    return wrong('outcome', 'contradicts the outcomes of the calls')
  }
  const { writtenBack } = referencesOf(ast, SCRIPT_SCOPES)
  if (Object.keys(probe.actions.variables ?? {}).some((name) => !writtenBack.includes(name))) {
    return wrong('actions.variables', 'has a variable that the script does not write back')
  }
  if (totalMs > maxMs + SLACK_MS) return wrong('calls', 'take longer than the run can have lasted')
  return null
}

/** A call that times out without an error has the timeout action `warn`. */
function stopsRun({ outcome, error }: CallRecord): boolean {
  return outcome === 'failure' || (outcome === 'timeout' && error !== null)
}

function problemOf(call: Call, record: CallRecord, index: number, hasStopped: boolean): string | null {
  if (record.index !== index) return 'must have its place as the index'
  if (record.outcome === 'skipped') {
    const isEmpty = record.request === null && record.response === null && record.assertions.length === 0
    return isEmpty ? null : 'is skipped, so it has no request, response or assertions'
  }
  if (hasStopped) return 'comes after the call that ended the run'
  if (record.request?.method !== call.method) return 'must have the method of the script'
  const hasFailed = record.assertions.some(
    (one) => one.outcome === 'failed' && (one.method === 'assert' ? one.kind : one.method) === 'expect',
  )
  if (hasFailed && record.outcome !== 'failure') return 'has a failed expectation, so it failed'
  if (record.outcome === 'success' && record.response === null) return 'succeeded without a response'
  if (record.outcome === 'success' && record.error !== null) return 'succeeded with an error'
  if (record.outcome === 'timeout' && record.error === null && call.config?.timeout?.action !== 'warn') {
    return 'timed out without an error'
  }
  if (!record.assertions.every((one) => isWritten(call, one))) return 'has an assertion that its script does not make'
  const distinct = new Set(record.assertions.map(nameOf))
  return distinct.size === record.assertions.length ? null : 'has an assertion twice'
}

function isWritten({ chain }: Call, one: AssertionRecord): boolean {
  if (one.method === 'assert') return chain.assert?.[one.kind]?.[one.index] !== undefined
  return chain[one.method]?.[one.scope] !== undefined
}

function nameOf(one: AssertionRecord): string {
  return one.method === 'assert' ? `assert ${one.kind} ${one.index}` : `${one.method} ${one.scope}`
}

function wrong(field: string, reason: string): Contradiction {
  return { field: `probe.${field}`, reason }
}
