import type { Call } from '../ast.ts'
import { maskTruncated } from '../evaluation/assertion-log.ts'
import { warn } from '../evaluation/context.ts'
import type { ResolvedRequest } from '../evaluation/request.ts'
import { contentTypeOf } from '../evaluation/response.ts'
import type { PreparedRequest } from '../evaluation/task.ts'
import type { CallRecord, ResponseRecord } from '../result.ts'
import { PHASES, TransportError, type TransportResponse } from '../transport.ts'
import { CallError, StepLimitExceeded } from '../values/limits.ts'
import { sendAndFollow, type Trace } from './redirects.ts'
import type { Run } from './run.ts'

/** The end of a call. `stop` ends the run: the call failed, or a time limit passed. */
export type CallEnd = { record: CallRecord; stop: null | 'failure' | 'timeout' }

/** Runs one call: its request, with the retries that its config allows, and its chain. Throws only when aborted. */
export async function runCall(call: Call, index: number, run: Run): Promise<CallEnd> {
  const record = emptyCallRecord(index)
  record.outcome = 'success'
  record.startedAt = run.timestamp()
  record.request = { url: call.url, method: call.method, headers: {} }
  const stop = await attemptCall(call, record, run)
  record.endedAt = run.timestamp()
  run.resultSize.trim(record)
  return { record, stop }
}

/** Returns the record of a call that has not run. */
export function emptyCallRecord(index: number): CallRecord {
  return {
    index,
    outcome: 'skipped',
    startedAt: null,
    endedAt: null,
    request: null,
    response: null,
    redirects: [],
    assertions: [],
    config: {},
    warnings: [],
    error: null,
  }
}

async function attemptCall(call: Call, record: CallRecord, run: Run): Promise<CallEnd['stop']> {
  try {
    const { defaults } = run
    const { request, config } = await run.prepareRequest({ kind: 'request', call, defaults }, record.warnings)
    record.request!.url = request.url
    record.config = config
    const jar = await run.jars.open(config.cookieJar, config.clearCookies)
    const received = await exchange(request, record, run, jar)
    if (received === null) return callTimedOut(record)
    const passed = await evaluateChain(call, received, record, run)
    if (!passed) record.outcome = 'failure'
    return passed ? null : 'failure'
  } catch (error) {
    if (error instanceof RunTimeout) return runTimedOut(record, `${run.limitMessage}${error.message}`)
    if (error instanceof StepLimitExceeded) return runTimedOut(record, STEP_LIMIT_MESSAGE)
    if (!(error instanceof CallError || error instanceof TransportError)) throw error
    run.signal?.throwIfAborted()
    record.outcome = 'failure'
    record.error = error.message
    return 'failure'
  }
}

/** The run's time limit passed. The message continues the limit's: it names what the run waited for. */
class RunTimeout extends Error {}

const STEP_LIMIT_MESSAGE = 'the run exceeded its limit of computing time: its expressions are too expensive'

/** Evaluates the chain of a call on its response, and records both. Returns whether the call succeeded. */
async function evaluateChain(call: Call, received: TransportResponse, record: CallRecord, run: Run): Promise<boolean> {
  let isBodyTooLarge = false
  try {
    const chainResult = await run.evaluateChain(
      {
        kind: 'chain',
        call,
        received,
        requestUrl: record.request!.url,
        redirects: record.redirects,
        limits: {
          recordBudget: run.recordBudget,
          storeRemaining: run.stores.remaining,
          lookahead: Math.max(0, run.secrets.maxLength - 1),
        },
      },
      record.warnings,
    )
    isBodyTooLarge = chainResult.isBodyTooLarge
    await maskTruncated(chainResult.assertions, chainResult.truncated, run.secrets.maskPrefix)
    record.assertions = chainResult.assertions
    run.recordBudget = chainResult.recordBudget
    Object.assign(run.stores.runVars, chainResult.runVars)
    Object.assign(run.stores.writtenBack, chainResult.writtenBack)
    run.stores.remaining = chainResult.storeRemaining
    return chainResult.passed
  } finally {
    if (!run.signal?.aborted) record.response = await recordResponse(received, isBodyTooLarge, record, run)
  }
}

/** Returns the response; null when the last attempt timed out. */
async function exchange(
  request: ResolvedRequest,
  record: CallRecord,
  run: Run,
  jar: Awaited<ReturnType<Run['jars']['open']>>,
): Promise<TransportResponse | null> {
  const { timeout, redirects, security } = record.config as PreparedRequest['config']
  const attempts = timeout.action === 'retry' ? timeout.retries + 1 : 1
  for (let attempt = 1; ; attempt++) {
    // Decided before the exchange, because after it the time proves nothing: a timer may fire slightly early.
    let isLastOfRun = run.remaining() <= timeout.ms
    let endsAt = run.clock.elapsed() + Math.min(timeout.ms, run.remaining())
    const trace: Trace = { headers: request.headers, redirects: [] }
    try {
      const response = await sendAndFollow(request, trace, {
        transport: run.transport,
        jar,
        follow: redirects.follow,
        maxRedirects: redirects.max,
        rejectInvalidCerts: security.rejectInvalidCerts,
        resendBody: redirects.resendBody === true,
        remaining: () => Math.ceil(Math.min(endsAt - run.clock.elapsed(), run.remaining())),
        onWaited: (ms) => {
          // Waiting for a connection counts against the run's limit, not against the call's.
          endsAt += ms
          isLastOfRun ||= run.remaining() <= endsAt - run.clock.elapsed()
        },
        signal: run.signal,
        addedHeaders: addedHeaders(request, record.index, run),
        warn: (warning) => warn(record, warning),
        onCertificate: run.onCertificate,
        checkHop: run.checkRequest && ((hop) => run.checkRequest!({ ...hop, callIndex: record.index })),
      })
      record.error = null
      return response
    } catch (error) {
      if (error instanceof TransportError && error.failure === 'busy') throw new RunTimeout(`: ${error.message}`)
      if (!(error instanceof TransportError) || error.failure !== 'timeout') throw error
      const { phase } = error
      if (isLastOfRun || attempt >= attempts) run.onTimeout?.({ callIndex: record.index, phase })
      if (isLastOfRun) throw new RunTimeout(phase ? ` (${PHASES[phase]})` : '')
      // The transport's limit is what redirects and preparations have left of the call's.
      const reason = phase ? `no complete response within ${timeout.ms} ms (${PHASES[phase]})` : error.message
      record.error = attempts > 1 ? `${reason}, in each of ${attempts} attempts` : reason
      if (attempt >= attempts) return null
    } finally {
      record.request!.headers = Object.fromEntries(trace.headers)
      record.redirects = trace.redirects
    }
  }
}

/** The headers that the host adds, without those that the script sets itself. */
function addedHeaders({ headers }: ResolvedRequest, callIndex: number, run: Run): [name: string, value: string][] {
  if (run.addedHeaders === null) return []
  const written = new Set(headers.map(([name]) => name.toLowerCase()))
  return run.addedHeaders(callIndex).filter(([name]) => !written.has(name.toLowerCase()))
}

function runTimedOut(record: CallRecord, reason: string): 'timeout' {
  record.outcome = 'timeout'
  record.error = reason
  return 'timeout'
}

function callTimedOut(record: CallRecord): CallEnd['stop'] {
  record.outcome = 'timeout'
  const { timeout } = record.config as PreparedRequest['config']
  if (timeout.action !== 'warn') return 'timeout'
  // With the action `warn`, the call's outcome shows the timeout; it is not an error.
  record.error = null
  return null
}

/** Returns the record of a response, and stores its body when the run stores bodies. */
async function recordResponse(
  received: TransportResponse,
  isBodyTooLarge: boolean,
  { index, warnings }: CallRecord,
  run: Run,
): Promise<ResponseRecord> {
  const { status, statusText, headers, body, sizeBytes, timings, dns, tls } = received
  const record: ResponseRecord = { status, statusText, headers, bodyPath: null, ...timings, sizeBytes, dns, tls }
  if (body === null) warn({ warnings }, `the body exceeds the size limit; only ${sizeBytes} bytes were read`)
  if (run.bodies === null || (body !== null && body.length === 0)) record.bodyNotCapturedReason = 'notRequested'
  else if (body === null || isBodyTooLarge) record.bodyNotCapturedReason = 'bodyTooLarge'
  else {
    record.bodyPath = await run.bodies({ callIndex: index, body, contentType: contentTypeOf(headers) })
    if (record.bodyPath === null) record.bodyNotCapturedReason = 'notRequested'
  }
  return record
}
