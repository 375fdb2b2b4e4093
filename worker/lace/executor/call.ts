import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from '../ast.ts'
import type { CallRecord, ResponseRecord } from '../result.ts'
import { TransportError, type TransportResponse } from '../transport.ts'
import { AssertionLog } from './assertions.ts'
import { runChain } from './chain.ts'
import { type EvaluationContext, warn } from './context.ts'
import { evaluate } from './evaluate.ts'
import { sendAndFollow, type Trace } from './follow.ts'
import { type ResolvedRequest, resolveConfig, resolveRequest } from './request.ts'
import { ResponseView } from './response.ts'
import type { Run } from './run.ts'
import { parseSize } from './scopes.ts'
import { RunFault } from './work.ts'

/** How a call ended: `stop` ends the run, by failure or because its own time limit passed. */
export type CallEnd = { record: CallRecord; stop: null | 'failure' | 'timeout' }

const LONGEST_TURN_MS = 25

/** One call: its request, as many attempts as its timeout config grants, its chain. Throws only when aborted. */
export async function runCall(call: Call, index: number, run: Run): Promise<CallEnd> {
  const context: EvaluationContext = run.newContext()
  const record: CallRecord = {
    index,
    outcome: 'success',
    startedAt: run.timestamp(),
    endedAt: null,
    request: { url: call.url, method: call.method, headers: {} },
    response: null,
    redirects: [],
    assertions: [],
    config: {},
    warnings: context.warnings,
    error: null,
  }
  const stop = await attemptCall(call, record, context, run)
  record.endedAt = run.timestamp()
  return { record, stop }
}

async function attemptCall(
  call: Call,
  record: CallRecord,
  context: EvaluationContext,
  run: Run,
): Promise<CallEnd['stop']> {
  try {
    const request = resolveRequest(call, context, run.defaults)
    record.request!.url = request.url
    record.request!.headers = Object.fromEntries(request.headers)
    const config = resolveConfig(call, context, run.defaults)
    record.config = config
    const jar = await run.jars.open(config.cookieJar, config.clearCookies)
    const received = await exchange(request, record, context, run, jar)
    if (received === null) return callTimedOut(record)
    const view = new ResponseView(received, request.url, record.redirects)
    record.response = await capture(call, record.index, view, context, run)
    context.response = view
    const log = new AssertionLog(run.operands)
    record.assertions = log.records
    const passed = await runChain(call.chain, view, context, log, run.stores, breather(run))
    if (view.bodyWarning !== null) warn(context, view.bodyWarning)
    if (!passed) record.outcome = 'failure'
    return passed ? null : 'failure'
  } catch (error) {
    if (error instanceof RunTimeout) return runTimedOut(record, run, error.message)
    if (!(error instanceof RunFault || error instanceof TransportError)) throw error
    run.signal?.throwIfAborted()
    record.outcome = 'failure'
    record.error = error.message
    return 'failure'
  }
}

/** The run's own limit passed; the message says over what, where that is worth telling. */
class RunTimeout extends Error {}

/** Lets other work of the process have its turn between checks, and notices when the run's time is up. */
function breather(run: Run): () => Promise<void> {
  let turnBegan = performance.now()
  return async () => {
    if (performance.now() - turnBegan < LONGEST_TURN_MS) return
    await nextTurn()
    run.signal?.throwIfAborted()
    if (run.remaining() <= 0) throw new RunTimeout()
    turnBegan = performance.now()
  }
}

/** The response, or null after a timeout (of the last attempt, where there are several). */
async function exchange(
  request: ResolvedRequest,
  record: CallRecord,
  context: EvaluationContext,
  run: Run,
  jar: Awaited<ReturnType<Run['jars']['open']>>,
): Promise<TransportResponse | null> {
  const { timeout, redirects, security } = record.config as ReturnType<typeof resolveConfig>
  const attempts = timeout.action === 'retry' ? timeout.retries + 1 : 1
  for (let attempt = 1; ; attempt++) {
    // Decided before the wait, and not by the time after it: a timer may fire a moment early.
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
          // A wait for its turn is no time of the call, and the run's all the same.
          endsAt += ms
          isLastOfRun ||= run.remaining() <= endsAt - run.clock.elapsed()
        },
        signal: run.signal,
        warn: (warning) => warn(context, warning),
        admit: run.admit && ((hop) => run.admit!({ ...hop, callIndex: record.index })),
      })
      record.error = null
      return response
    } catch (error) {
      if (error instanceof TransportError && error.failure === 'busy') throw new RunTimeout(error.message)
      if (!(error instanceof TransportError) || error.failure !== 'timeout') throw error
      if (isLastOfRun) throw new RunTimeout()
      record.error = attempts > 1 ? `${error.message}, in each of ${attempts} attempts` : error.message
      if (attempt >= attempts) return null
    } finally {
      record.request!.headers = Object.fromEntries(trace.headers)
      record.redirects = trace.redirects
    }
  }
}

function runTimedOut(record: CallRecord, run: Run, over: string): 'timeout' {
  record.outcome = 'timeout'
  record.error = over === '' ? run.limitMessage : `${run.limitMessage}: ${over}`
  return 'timeout'
}

function callTimedOut(record: CallRecord): CallEnd['stop'] {
  record.outcome = 'timeout'
  const { timeout } = record.config as ReturnType<typeof resolveConfig>
  if (timeout.action !== 'warn') return 'timeout'
  // A timeout that only warns is told by the call's outcome, and is no error.
  record.error = null
  return null
}

/** The response as recorded, its body handed to the store of bodies where one is wanted. */
async function capture(
  call: Call,
  index: number,
  view: ResponseView,
  context: EvaluationContext,
  run: Run,
): Promise<ResponseRecord> {
  const { status, statusText, headers, body, sizeBytes, timings, dns, tls } = view.received
  const record: ResponseRecord = { status, statusText, headers, bodyPath: null, ...timings, sizeBytes, dns, tls }
  if (body === null) warn(context, `the body is larger than the limit and was read to ${sizeBytes} bytes only`)
  if (run.bodies === null || (body !== null && body.length === 0)) record.bodyNotCapturedReason = 'notRequested'
  else if (body === null || exceedsBodySize(call, view, context)) record.bodyNotCapturedReason = 'bodyTooLarge'
  else {
    record.bodyPath = await run.bodies({ callIndex: index, body, contentType: view.contentType })
    if (record.bodyPath === null) record.bodyNotCapturedReason = 'notRequested'
  }
  return record
}

/** The scope `bodySize` is also a limit on what is kept. */
function exceedsBodySize(call: Call, view: ResponseView, context: EvaluationContext): boolean {
  return [call.chain.expect?.bodySize, call.chain.check?.bodySize].some((scope) => {
    if (!scope) return false
    const limit = parseSize(evaluate(scope.value, { ...context, response: view, warnings: [] }))
    return limit !== null && view.received.sizeBytes > limit
  })
}
