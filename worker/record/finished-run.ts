import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { StoredStep } from '#db/schema/results.ts'
import type { Script } from '#server/lace/ast.ts'
import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import { printExpression } from '#server/lace/print/expression.ts'
import type { AssertionRecord, CallRecord, ProbeResult } from '#server/lace/result.ts'
import { readStoreKey } from '#server/lace/store-key.ts'
import { createIdAt } from '#server/results/ids.ts'
import { SCRIPT_SCOPES } from '#server/scripts/variable-scopes.ts'
import type { CapturedBodies } from '../probe/bodies.ts'
import type { Redactor } from '../redaction/redact.ts'

/** A run of the ledger as the attempt that holds it knows it. */
export type RunAttempt = {
  id: string
  attempt: number
  organizationId: string
  serviceId: string
  agentId: string
  agentSlug: string
}

/** What one run leaves behind, ready to be stored. */
export type FinishedRun = RunAttempt & {
  result: {
    id: string
    startedAt: Date
    status: 'success' | 'failure' | 'timeout' | 'skipped'
    runDurationMs: number
    totalResponseMs: number
    callCount: number
    failedCalls: number
    raw: Record<string, unknown> | null
    steps: StoredStep[]
  }
  /** Of its duration, what it waited for its turn at a host: the service's slowness is none of that. */
  waitedMs?: number
  /** Whether a response came, so that the run has a latency. */
  isTimed: boolean
  /** One entry per evaluation. */
  assertions: { key: string; definition: Record<string, unknown>; failed: boolean }[]
  /** The contract's `lastFailure.assertions`: the first of those that failed. */
  failedAssertions: Record<string, unknown>[]
  /** How many failed in all. */
  failedAssertionCount: number
  writeBacks: { key: string; value: string; callIndex: number }[]
}

const TEMPLATE_MAX = 2_048
const WRITTEN_MAX = 512
const FAILED_ASSERTIONS_MAX = 20
const FAILED_OPERAND_MAX = 1_024

/** Puts together what is stored of an executed run. `ast` is null for a script that cannot be read. */
export async function finishRun(
  run: RunAttempt,
  probe: ProbeResult,
  ast: Script | null,
  bodies: CapturedBodies,
  redactor: Redactor,
): Promise<FinishedRun> {
  const startedAt = new Date(probe.startedAt)
  const shown = await redactor.result(probe)
  const steps: StoredStep[] = []
  const assertions: FinishedRun['assertions'] = []
  for (const [i, call] of probe.calls.entries()) {
    const endpoint = await endpointOf(call, ast, redactor)
    steps.push(toStep(call, shown.calls[i] as CallRecord, endpoint, bodies))
    for (const assertion of call.assertions) {
      if (shouldYield()) await yieldToEventLoop()
      const definition = { ...endpoint, ...(await checked(assertion, call.index, ast, redactor)) }
      assertions.push({ key: digest(JSON.stringify(definition)), definition, failed: assertion.outcome === 'failed' })
    }
  }
  const failed = probe.calls.flatMap((call, i) =>
    call.assertions.flatMap((assertion, j) => (assertion.outcome === 'failed' ? [{ i, j }] : [])),
  )
  const performed = probe.calls.filter((call) => call.outcome !== 'skipped')
  return {
    ...run,
    result: {
      id: createIdAt(startedAt),
      startedAt,
      status: probe.outcome,
      runDurationMs: probe.elapsedMs,
      totalResponseMs: performed.reduce((sum, call) => sum + (call.response?.responseTimeMs ?? 0), 0),
      callCount: performed.length,
      failedCalls: performed.filter((call) => call.outcome !== 'success').length,
      raw: withoutLocators(shown),
      steps,
    },
    isTimed: performed.some((call) => call.response !== null),
    assertions,
    failedAssertions: failed
      .slice(0, FAILED_ASSERTIONS_MAX)
      .map(({ i, j }) => failedAssertion(probe.calls[i]!.index, shown.calls[i]!.assertions[j] as AssertionRecord)),
    failedAssertionCount: failed.length,
    writeBacks: Object.entries(shown.actions.variables ?? {}).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
      callIndex: writerOf(key, ast),
    })),
  }
}

/** A due run that the installation could not perform. */
export function skippedRun(run: RunAttempt, at: Date): FinishedRun {
  return {
    ...run,
    result: {
      id: createIdAt(at),
      startedAt: at,
      status: 'skipped',
      runDurationMs: 0,
      totalResponseMs: 0,
      callCount: 0,
      failedCalls: 0,
      raw: null,
      steps: [],
    },
    isTimed: false,
    assertions: [],
    failedAssertions: [],
    failedAssertionCount: 0,
    writeBacks: [],
  }
}

/** A run that ended without a result of its own: `reason` is all that is known of it. */
export function brokenRun(
  run: RunAttempt,
  startedAt: Date,
  endedAt: Date,
  status: 'failure' | 'timeout',
  reason: string,
) {
  const elapsedMs = Math.max(0, endedAt.getTime() - startedAt.getTime())
  const skipped = skippedRun(run, startedAt)
  const raw = {
    outcome: status,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    elapsedMs,
    runVars: {},
    calls: [],
    actions: {},
    error: reason,
  }
  return { ...skipped, result: { ...skipped.result, status, runDurationMs: elapsedMs, raw } }
}

/** The endpoint's key in the roll-ups: method and template may be longer than an index takes. */
export function endpointKey(method: string, template: string): string {
  return digest(`${method} ${template}`)
}

async function endpointOf(call: CallRecord, ast: Script | null, redactor: Redactor) {
  const written = ast?.calls[call.index]
  return {
    method: (written?.method ?? call.request?.method ?? 'get').toUpperCase(),
    template: (await redactor.text(written?.url ?? call.request?.url ?? '')).slice(0, TEMPLATE_MAX),
  }
}

function toStep(
  call: CallRecord,
  shown: CallRecord,
  endpoint: { method: string; template: string },
  bodies: CapturedBodies,
): StoredStep {
  const { response } = call
  const captured = bodies.get(call.index)
  const [body, reason] = typeof captured === 'object' ? [captured, null] : [null, captured ?? reasonWithoutBody(call)]
  return {
    id: uuidv7(),
    stepNum: call.index + 1,
    requestUrl: shown.request?.url ?? null,
    ...endpoint,
    statusCode: response?.status ?? null,
    responseTimeMs: response?.responseTimeMs ?? null,
    dnsMs: response?.dnsMs ?? null,
    connectMs: response?.connectMs ?? null,
    tlsMs: response?.tlsMs ?? null,
    ttfbMs: response?.ttfbMs ?? null,
    transferMs: response?.transferMs ?? null,
    responseSizeBytes: response?.sizeBytes ?? null,
    outcome: call.outcome,
    error: shown.error,
    assertionResults: shown.assertions,
    headers: shown.response?.headers ?? {},
    body,
    bodyNotStoredReason: reason,
  }
}

function reasonWithoutBody({ outcome, response }: CallRecord): string {
  if (response === null) return outcome === 'timeout' ? 'timeout' : 'no_body'
  if (response.sizeBytes === 0) return 'no_body'
  switch (response.bodyNotCapturedReason) {
    case 'bodyTooLarge':
      return 'too_large'
    case 'timeout':
      return 'timeout'
    default:
      return 'not_requested'
  }
}

/** The result as anyone may see it: where bodies lie is ours to know. */
function withoutLocators(result: ProbeResult): Record<string, unknown> {
  return {
    ...result,
    calls: result.calls.map((call) => ({
      ...call,
      response: call.response && { ...call.response, bodyPath: null },
    })),
  }
}

/** What an assertion checks, as written: resolved values differ from run to run, and would make it another each time. */
async function checked(
  assertion: AssertionRecord,
  callIndex: number,
  ast: Script | null,
  redactor: Redactor,
): Promise<Record<string, unknown>> {
  const shorten = (value: unknown) => (typeof value === 'string' ? value.slice(0, WRITTEN_MAX) : value)
  // Before anything is cut: half a secret is not found any more.
  const shown = async (value: unknown) => shorten(await redactor.value(value))
  if (assertion.method === 'assert') return { kind: assertion.kind, expression: await shown(assertion.expression) }
  const { method: kind, scope, op, match } = assertion
  const written = ast?.calls[callIndex]?.chain[kind]?.[scope]?.value
  const expected = written === undefined || written.kind === 'literal' ? written?.value : printExpression(written)
  return { kind, scope, op, ...(match ? { match } : {}), expected: await shown(expected ?? null) }
}

function failedAssertion(callIndex: number, assertion: AssertionRecord): Record<string, unknown> {
  const stepNum = callIndex + 1
  if (assertion.method === 'assert') {
    const { method, expression, actualLhs, actualRhs } = assertion
    return { stepNum, method, expression, actualLhs: short(actualLhs), actualRhs: short(actualRhs) }
  }
  const { method, scope, op, expected, actual } = assertion
  return { stepNum, method, scope, op, expected: short(expected), actual: short(actual) }
}

/** Operands are read in lists of services, where whole documents would be too much. */
function short(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= FAILED_OPERAND_MAX ? value : `${text.slice(0, FAILED_OPERAND_MAX)}…`
}

/** The last call that writes the name back: where a warning about it belongs. */
function writerOf(name: string, ast: Script | null): number {
  return (ast?.calls ?? []).findLastIndex((call) =>
    Object.keys(call.chain.store ?? {}).some((key) => {
      const target = readStoreKey(key, SCRIPT_SCOPES)
      return target.kind === 'writeback' && target.name === name
    }),
  )
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
