import { waitToStart } from '#server/language/lace/event-loop.ts'
import { type Clock, systemClock } from '#server/language/lace/executor/clock.ts'
import { runScript } from '#server/language/lace/executor.ts'
import type { ProbeResult } from '#server/language/lace/result.ts'
import type { BodySink, Phase, Transport } from '#server/language/lace/transport.ts'
import { log } from '#server/process/log.ts'
import type { Beside } from '#server/runs/probes/finish.ts'
import type { LoadedRun } from '#server/runs/probes/load.ts'
import { traceHeaders } from '#server/runs/probes/run-trace.ts'
import { collectCertificates } from '#server/runs/probes/seen-certificates.ts'
import { createRedactor, type Redactor } from '#server/runs/redaction/redact.ts'
import { TooManySecrets } from '#server/runs/redaction/secret-search.ts'
import { AGENT_ERROR } from '#server/schemas/results/agent-faults.ts'
import { SCRIPT_SCOPES } from '#server/scripts/script-scopes.ts'
import type { VariableScopes } from '#server/scripts/variable-scopes.ts'
import { createSecretGuard } from './secret-guard.ts'

// The runner of workers and remote agents: it executes a script whose variables are known. It needs no database.

/** A script with all that it depends on. */
export type RunnableScript = Pick<LoadedRun, 'source' | 'ast' | 'prev' | 'sendTraceparent'> & {
  variables: Pick<VariableScopes, 'values' | 'secrets' | 'restrictedSecrets'>
}

export type RunLimits = {
  transport: Transport
  runTimeoutMs: number
  /** The clock of the run. Default: the system's. */
  clock?: Clock
}

/** Handles a finished run. `T` is the form in which it is recorded. */
export type RunRecorder<T> = {
  /** Returns where response bodies go; null when they are not stored. */
  bodySink: (startedAt: Date, redactor: Redactor) => BodySink | null
  /** Called when the script has ended. */
  finished: (probe: ProbeResult, redactor: Redactor, beside: Beside) => Promise<T>
  /** Called instead when the run ended without a result from the language; `reason` says why. */
  broken: (startedAt: Date, endedAt: Date, status: 'failure' | 'timeout', reason: string) => T | Promise<T>
}

/** The longest timeout that a call may set. */
const MAX_CALL_TIMEOUT_MS = 60_000
/** The timeout of a call that sets none. */
const DEFAULT_CALL_TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 10
/** A run that exceeds its limit by this time is aborted: it should have ended by itself. */
const GRACE_PERIOD_MS = 5_000

/** Executes a script and records the run. Rejects with the signal's reason when it aborts. */
export async function runLoaded<T>(
  run: { id: string; attempt: number; organizationId: string; serviceId: string },
  script: RunnableScript,
  { transport, runTimeoutMs, clock = systemClock }: RunLimits,
  recorder: RunRecorder<T>,
  signal: AbortSignal,
): Promise<T> {
  // Many runs are claimed at once. Their starts must not hold up the sockets of the runs in flight.
  await waitToStart()
  const now = () => new Date(clock.now())
  const { variables } = script
  // Read once, so that the result and its bodies belong to the same day.
  const startedAt = now()
  let redactor: Redactor
  try {
    redactor = await createRedactor(variables.secrets, run.organizationId)
  } catch (error) {
    if (!(error instanceof TooManySecrets)) throw error
    return recorder.broken(startedAt, startedAt, 'failure', error.message)
  }
  const timeoutPhases = new Map<number, Phase | null>()
  const certificates = collectCertificates()
  const limited = limitSignal(signal, runTimeoutMs + GRACE_PERIOD_MS)
  try {
    const result = await runScript({
      ...(script.ast ? { ast: script.ast, isTreeFixed: true } : { source: script.source }),
      variables: variables.values,
      scopes: SCRIPT_SCOPES,
      prev: script.prev as never,
      transport,
      limits: {
        runTimeoutMs,
        callTimeoutMs: DEFAULT_CALL_TIMEOUT_MS,
        maxTimeoutMs: MAX_CALL_TIMEOUT_MS,
        maxRedirects: MAX_REDIRECTS,
      },
      bodies: recorder.bodySink(startedAt, redactor),
      secrets: { maxLength: redactor.maxSecretLength, maskPrefix: redactor.prefix },
      owner: run.organizationId,
      checkRequest: createSecretGuard(script.ast, variables.restrictedSecrets, run.organizationId),
      addedHeaders: script.sendTraceparent ? traceHeaders(run) : null,
      onTimeout: ({ callIndex, phase }) => void timeoutPhases.set(callIndex, phase),
      onCertificate: certificates.add,
      signal: limited.signal,
      startedAt,
      clock,
    })
    return await recorder.finished(result, redactor, { timeoutPhases, certificates: certificates.all() })
  } catch (error) {
    signal.throwIfAborted()
    if (limited.signal.aborted) {
      return recorder.broken(startedAt, now(), 'timeout', `the run exceeded its limit of ${runTimeoutMs} ms`)
    }
    // An internal error: the run still has a result, and the log has the reason.
    log.error({ err: error, serviceId: run.serviceId, runId: run.id }, 'a run failed with an internal error')
    return recorder.broken(startedAt, now(), 'failure', AGENT_ERROR)
  } finally {
    limited.end()
  }
}

/**
 * Returns a signal that also aborts after `ms`. `AbortSignal.any` and `AbortSignal.timeout` would do the same at five
 * times the cost, and stay in memory until the garbage collector finds them.
 */
function limitSignal(outer: AbortSignal, ms: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer.reason)
  const timer = setTimeout(() => controller.abort(new Error('the run exceeded its limit')), ms)
  if (outer.aborted) onAbort()
  outer.addEventListener('abort', onAbort)
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      outer.removeEventListener('abort', onAbort)
    },
  }
}
