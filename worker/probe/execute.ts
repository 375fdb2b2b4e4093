import type { Db } from '#db/client.ts'
import { type Clock, systemClock } from '#server/lace/executor/clock.ts'
import { runScript } from '#server/lace/executor.ts'
import type { Phase, Transport } from '#server/lace/transport.ts'
import { type BodyTarget, captureBodies, NO_BODIES } from '#server/probes/bodies.ts'
import { finishRun } from '#server/probes/finish.ts'
import { type LoadedRun, loadRun } from '#server/probes/load.ts'
import { log } from '#server/process/log.ts'
import { brokenRun, type FinishedRun, type RunAttempt } from '#server/record/finished-run.ts'
import { createRedactor, type Redactor } from '#server/redaction/redact.ts'
import { TooManySecrets } from '#server/redaction/secret-search.ts'
import { AGENT_ERROR } from '#server/schemas/results/agent-faults.ts'
import { SCRIPT_SCOPES } from '#server/scripts/variable-scopes.ts'
import type { TrustSettings } from '#server/scripts/verified-domains.ts'
import type { Vault } from '#server/vault.ts'
import { createSecretGuard } from './secret-guard.ts'

export type ExecuteOptions = {
  db: Db
  vault: Vault
  transport: Transport
  bodies: BodyTarget
  runTimeoutMs: number
  /** Decides which domains a script may target without restrictions. */
  trust: TrustSettings
  /** The clock of the run. Default: the system's. */
  clock?: Clock
  /** Reads what to execute. Default: the saved script of the service. */
  load?: () => Promise<LoadedRun | null>
}

/** The longest timeout that a call may set. */
const MAX_CALL_TIMEOUT_MS = 60_000
/** The timeout of a call that sets none. */
const DEFAULT_CALL_TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 10
/** A run that exceeds its limit by this time is aborted: it should have ended by itself. */
const GRACE_PERIOD_MS = 5_000

/**
 * Executes a run and returns the finished run, with secrets masked. Null when the service is deleted or has no script.
 * Rejects with the signal's reason when it aborts, and when the database does not respond.
 */
export async function executeRun(
  run: RunAttempt,
  options: ExecuteOptions,
  signal: AbortSignal,
): Promise<FinishedRun | null> {
  const { db, vault, trust } = options
  const { load = () => loadRun(db, vault, run, trust) } = options
  const loaded = await load()
  if (loaded === null) return null
  const { result, ...finished } = await executeLoaded(run, loaded, options, signal)
  // A run with values of its own writes nothing back.
  const writeBacks = run.run?.isApart ? [] : finished.writeBacks
  return { ...finished, writeBacks, result: { ...result, scriptVersion: loaded.version } }
}

async function executeLoaded(
  run: RunAttempt,
  loaded: LoadedRun,
  { transport, bodies, runTimeoutMs, clock = systemClock }: ExecuteOptions,
  signal: AbortSignal,
): Promise<FinishedRun> {
  const now = () => new Date(clock.now())
  if (loaded.refusal !== null) {
    const at = now()
    return brokenRun(run, at, at, 'failure', loaded.refusal)
  }

  // Read once, so that the result and its bodies belong to the same day.
  const startedAt = now()
  let redactor: Redactor
  try {
    redactor = await createRedactor(loaded.variables.secrets, run.organizationId)
  } catch (error) {
    if (!(error instanceof TooManySecrets)) throw error
    return brokenRun(run, startedAt, startedAt, 'failure', error.message)
  }
  const capture = loaded.saveBodies
    ? captureBodies(bodies, { ...run, startedAt }, redactor, (error) => {
        log.warn({ err: error, serviceId: run.serviceId }, 'a response body could not be stored')
      })
    : null
  const timeoutPhases = new Map<number, Phase | null>()
  const hardTimeout = AbortSignal.timeout(runTimeoutMs + GRACE_PERIOD_MS)
  try {
    const result = await runScript({
      ...(loaded.ast ? { ast: loaded.ast } : { source: loaded.source }),
      variables: loaded.variables.values,
      scopes: SCRIPT_SCOPES,
      prev: loaded.prev as never,
      transport,
      limits: {
        runTimeoutMs,
        callTimeoutMs: DEFAULT_CALL_TIMEOUT_MS,
        maxTimeoutMs: MAX_CALL_TIMEOUT_MS,
        maxRedirects: MAX_REDIRECTS,
      },
      bodies: capture?.sink ?? null,
      secrets: { maxLength: redactor.maxSecretLength, maskPrefix: redactor.prefix },
      owner: run.organizationId,
      checkRequest: createSecretGuard(loaded.ast, loaded.variables.restrictedSecrets, run.organizationId),
      onTimeout: ({ callIndex, phase }) => void timeoutPhases.set(callIndex, phase),
      signal: AbortSignal.any([signal, hardTimeout]),
      startedAt,
      clock,
    })
    const captured = capture ? await capture.settle() : NO_BODIES
    return await finishRun(run, result, loaded.ast, captured, redactor, timeoutPhases)
  } catch (error) {
    signal.throwIfAborted()
    if (hardTimeout.aborted) {
      return brokenRun(run, startedAt, now(), 'timeout', `the run passed its limit of ${runTimeoutMs} ms`)
    }
    // An internal error: the run still has a result, and the log has the reason.
    log.error({ err: error, serviceId: run.serviceId, runId: run.id }, 'a run failed with an internal error')
    return brokenRun(run, startedAt, now(), 'failure', AGENT_ERROR)
  }
}
