import type { StoredStep } from '#db/schema/results.ts'
import type { Expr, Script } from '../../language/lace/ast.ts'
import { shouldYield, yieldToEventLoop } from '../../language/lace/event-loop.ts'
import { printExpression } from '../../language/lace/print/expression.ts'
import type { AssertionRecord, CallRecord, ExpectScopeAssertion, ProbeResult } from '../../language/lace/result.ts'
import { readStoreKey } from '../../language/lace/store-key.ts'
import type { HopCertificate, Phase } from '../../language/lace/transport.ts'
import { constantOf } from '../../language/lace/values/constant.ts'
import { textPrefix } from '../../language/lace/values/json.ts'
import { FAILED_ASSERTIONS_MAX, failedAssertionsOf, failureOf } from '../../results/results/failure.ts'
import { createIdAt } from '../../results/results/ids.ts'
import { SCRIPT_SCOPES } from '../../scripts/script-scopes.ts'
import type { FinishedRun, RunAttempt } from '../record/finished-run.ts'
import { rollupKey } from '../record/rollups/keys.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { CapturedBodies } from './body-capture.ts'
import { traceIdOf } from './run-trace.ts'
import { maskCertificates, seenCertificates } from './seen-certificates.ts'
import { type Endpoint, placeOf, type WrittenAssertion, writtenPartsOf } from './written-parts.ts'

const TEMPLATE_MAX = 2_048
const WRITTEN_MAX = 512

/** The phase in which a call timed out, by the index of the call. */
export type TimeoutPhases = ReadonlyMap<number, Phase | null>

/** Facts about a run that the result has no fields for. */
export type Beside = { timeoutPhases: TimeoutPhases; certificates: HopCertificate[] }

/** Builds the finished run from the probe's result, with secrets removed. `ast` is null for an unreadable script. */
export async function finishRun(
  run: RunAttempt,
  probe: ProbeResult,
  ast: Script | null,
  bodies: CapturedBodies,
  redactor: Redactor,
  { timeoutPhases = new Map(), certificates = [] }: Partial<Beside> = {},
): Promise<FinishedRun> {
  const startedAt = new Date(probe.startedAt)
  const shown = await redactor.result(probe)
  const steps: StoredStep[] = []
  const assertions: FinishedRun['assertions'] = []
  const { endpoints, definitions } = writtenPartsOf(ast, redactor)
  for (const [i, call] of probe.calls.entries()) {
    const endpoint = endpoints.get(call.index) ?? (await endpointOf(call, ast, redactor))
    endpoints.set(call.index, endpoint)
    const timeoutPhase = timeoutPhases.get(call.index) ?? null
    const waitMs = waitAfter(call, ast)
    const step = toStep(call, shown.calls[i] as CallRecord, endpoint, bodies)
    if (timeoutPhase) step.timeoutPhase = timeoutPhase
    if (waitMs > 0) step.waitMs = waitMs
    steps.push(step)
    for (const assertion of call.assertions) {
      if (shouldYield()) await yieldToEventLoop()
      const place = placeOf(assertion, call.index)
      const written = definitions.get(place) ?? (await writtenAssertion(assertion, call.index, endpoint, ast, redactor))
      definitions.set(place, written)
      const { key, definition } = written
      assertions.push({ key, definition, failed: assertion.outcome === 'failed' })
    }
  }
  const raw = withoutLocators(shown)
  const failingStep = failureOf({ status: probe.outcome, raw, steps })?.step
  if (failingStep) {
    const index = failingStep.stepNum - 1
    const excerpt = await bodies.excerptOf(index)
    if (excerpt !== null) steps[index] = { ...(steps[index] as StoredStep), excerpt }
  }
  const failedAssertions = failedAssertionsOf(steps)
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
      raw,
      steps,
    },
    isTimed: performed.some((call) => call.response !== null),
    assertions,
    failedAssertions: failedAssertions.slice(0, FAILED_ASSERTIONS_MAX),
    failedAssertionCount: failedAssertions.length,
    writeBacks: Object.entries(shown.actions.variables ?? {}).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
      callIndex: writerOf(key, ast),
    })),
    certificates: seenCertificates(await maskCertificates(certificates, redactor)),
  }
}

async function endpointOf(call: CallRecord, ast: Script | null, redactor: Redactor): Promise<Endpoint> {
  const written = ast?.calls[call.index]
  return {
    method: (written?.method ?? call.request?.method ?? 'get').toUpperCase(),
    template: textPrefix(await redactor.text(written?.url ?? call.request?.url ?? ''), TEMPLATE_MAX),
  }
}

function toStep(call: CallRecord, shown: CallRecord, endpoint: Endpoint, bodies: CapturedBodies): StoredStep {
  const { response } = call
  const traceId = traceIdOf(shown.request?.headers ?? {})
  const captured = bodies.stored.get(call.index)
  const [body, reason] = typeof captured === 'object' ? [captured, null] : [null, captured ?? reasonWithoutBody(call)]
  return {
    id: createIdAt(new Date()),
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
    ...(traceId !== null && { traceId }),
    assertionResults: shown.assertions,
    headers: shown.response?.headers ?? {},
    body,
    bodyNotStoredReason: reason,
  }
}

/** Returns the milliseconds of `.wait()` after a call; 0 for a call that ended the run before it. */
function waitAfter({ index, outcome, error, startedAt, endedAt, response }: CallRecord, ast: Script | null): number {
  const wait = ast?.calls[index]?.chain.wait
  if (wait === undefined || outcome === 'skipped' || outcome === 'failure' || error !== null) return 0
  // The limit of the run may have cut it short.
  const elapsedMs = Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '')
  return Math.max(0, Math.min(wait, elapsedMs - Math.floor(response?.responseTimeMs ?? 0)) || 0)
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

/** Removes the storage keys of bodies from the result that the API returns. */
function withoutLocators(result: ProbeResult): Record<string, unknown> {
  return {
    ...result,
    calls: result.calls.map((call) => ({
      ...call,
      response: call.response && { ...call.response, bodyPath: null },
    })),
  }
}

async function writtenAssertion(
  assertion: AssertionRecord,
  callIndex: number,
  endpoint: Endpoint,
  ast: Script | null,
  redactor: Redactor,
): Promise<WrittenAssertion> {
  const definition = { ...endpoint, ...(await definitionOf(assertion, callIndex, ast, redactor)) }
  // Of the printed text, so that the key is the same whatever the values of a run are.
  const key = rollupKey(JSON.stringify(definition))
  const written = assertion.method === 'assert' ? undefined : writtenValue(assertion, callIndex, ast)
  const constant = written && constantOf(written)
  if (constant === undefined || printExpression(written as Expr).length > WRITTEN_MAX) return { key, definition }
  return { key, definition: { ...definition, expected: await redactor.value(constant) } }
}

/** Describes an assertion as the script writes it. Its resolved values differ from run to run, but its key must not. */
async function definitionOf(
  assertion: AssertionRecord,
  callIndex: number,
  ast: Script | null,
  redactor: Redactor,
): Promise<Record<string, unknown>> {
  const shorten = (value: unknown) => (typeof value === 'string' ? textPrefix(value, WRITTEN_MAX) : value)
  // Redacted before it is cut, because half a secret is not recognized.
  const shown = async (value: unknown) => shorten(await redactor.value(value))
  if (assertion.method === 'assert') {
    const { kind, index, expression } = assertion
    const condition = ast?.calls[callIndex]?.chain.assert?.[kind]?.[index]?.condition
    return { kind, expression: await shown(condition ? printExpression(condition) : expression) }
  }
  const { method: kind, scope, op, match } = assertion
  const written = writtenValue(assertion, callIndex, ast)
  const expected = written === undefined || written.kind === 'literal' ? written?.value : printExpression(written)
  return { kind, scope, op, ...(match ? { match } : {}), expected: await shown(expected ?? null) }
}

/** Returns what the script compares a scope with; undefined for an unreadable script. */
function writtenValue(
  { method, scope }: ExpectScopeAssertion,
  callIndex: number,
  ast: Script | null,
): Expr | undefined {
  return ast?.calls[callIndex]?.chain[method]?.[scope]?.value
}

/** Returns the index of the last call that writes the variable back: a warning about it belongs there. */
function writerOf(name: string, ast: Script | null): number {
  return (ast?.calls ?? []).findLastIndex((call) =>
    Object.keys(call.chain.store ?? {}).some((key) => {
      const target = readStoreKey(key, SCRIPT_SCOPES)
      return target.kind === 'writeback' && target.name === name
    }),
  )
}
