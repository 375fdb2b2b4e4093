import { ApiError, fieldInvalid } from '../../../errors.ts'
import { log } from '../../../process/log.ts'
import type { CapturedBodies } from '../../../runs/probes/body-capture.ts'
import { finishRun } from '../../../runs/probes/finish.ts'
import { mayWrite } from '../../../runs/probes/script-facts.ts'
import { brokenRun, type FinishedRun, skippedRun } from '../../../runs/record/finished-run.ts'
import type { Redactor } from '../../../runs/redaction/redact.ts'
import { outsideNetworksText } from '../../../runs/runs/skip-reasons.ts'
import type { NotStored, Upload } from '../../../schemas/agents/protocol.ts'
import { INTERNAL_ERROR, notRecordedText } from '../../../schemas/results/agent-faults.ts'
import { refuserOf } from '../requests/authenticate.ts'
import type { Gateway, SignedCall } from '../requests/gateway-context.ts'
import { findContradiction } from './check-probe.ts'
import { openReceipt, type ReceivedBody } from './receipts.ts'
import { createRunRedactor } from './redactor.ts'
import type { LeasedRun } from './require-lease.ts'
import { startWithin, withTimesWithin } from './run-times.ts'

/**
 * Builds the finished run from an agent's result. Script, secrets and identity come from the server, and times are
 * clamped to the lease.
 * @throws ApiError `field_invalid` when the result contradicts the script or itself
 */
export async function finishUpload(
  gateway: Gateway,
  call: SignedCall,
  leased: LeasedRun,
  upload: Upload,
): Promise<FinishedRun> {
  const refuse = refuserOf(gateway, call, call.agent)
  const maxMs = leased.now.getTime() - leased.claimedAt.getTime()
  const contradiction =
    findPhaseProblem(upload) ??
    findRefusalProblem(upload) ??
    (upload.probe && findContradiction(leased.ast, upload.probe, maxMs))
  if (contradiction) {
    throw await refuse('invalid_result', fieldInvalid(contradiction.field, contradiction.reason))
  }
  const received = openReceipts(gateway, upload)
  if (received instanceof ApiError) throw await refuse('invalid_receipt', received)
  const startedAt = startWithin(leased, upload.startedAt)
  const redactor = await createRunRedactor(gateway, leased.attempt)
  if (upload.refused && typeof redactor !== 'string') {
    const { host, allowedNetworks } = upload.refused
    const reason = outsideNetworksText(leased.attempt.agentSlug, await redactor.text(host), allowedNetworks)
    return skippedRun(leased.attempt, startedAt, reason)
  }
  const finished =
    typeof redactor === 'string'
      ? brokenRun(leased.attempt, startedAt, startedAt, 'failure', redactor)
      : await finish(leased, upload, startedAt, received, redactor, gateway.settings.runTimeoutMs).catch((error) => {
          // The agent would send the same result again and get the same response.
          log.error(
            { err: error, runId: upload.id },
            'an uploaded result cannot be finished: storing the run as failed',
          )
          return brokenRun(leased.attempt, startedAt, startedAt, 'failure', notRecordedText(INTERNAL_ERROR))
        })
  // A run that was requested with values writes no variables.
  const writeBacks = leased.attempt.run?.hasValues ? [] : finished.writeBacks
  const { runDurationMs } = finished.result
  return {
    ...finished,
    writeBacks,
    writes: mayWrite(leased.ast),
    waitedMs: Math.min(upload.waitedMs, runDurationMs),
    result: { ...finished.result, scriptVersion: leased.version },
  }
}

async function finish(
  leased: LeasedRun,
  { probe, broken, timeoutPhases, certificates }: Upload,
  startedAt: Date,
  received: ReceivedBodies,
  redactor: Redactor,
  runTimeoutMs: number,
): Promise<FinishedRun> {
  if (probe !== null) {
    const within = withTimesWithin(leased, startedAt, probe)
    const beside = { timeoutPhases: new Map(timeoutPhases), certificates }
    return finishRun(leased.attempt, within, leased.ast, capturedBodies(received), redactor, beside)
  }
  const { status, reason } = broken ?? { status: 'failure', reason: '' }
  // The end of a run without a result is unknown, unless its time limit ended it.
  const endedMs = status === 'timeout' ? startedAt.getTime() + runTimeoutMs : startedAt.getTime()
  const endedAt = new Date(Math.min(endedMs, leased.now.getTime()))
  return brokenRun(leased.attempt, startedAt, endedAt, status, await redactor.text(reason))
}

function findPhaseProblem({ probe, timeoutPhases }: Upload) {
  const isKnown = timeoutPhases.every(([index]) => probe?.calls[index]?.outcome === 'timeout')
  return isKnown ? null : { field: 'timeoutPhases', reason: 'names a call that did not time out' }
}

/** An agent that refuses the first request has sent nothing: a run that sent something is not skipped. */
function findRefusalProblem({ probe, refused }: Upload) {
  if (!refused) return null
  const [first] = probe?.calls ?? []
  const isUnsent = first?.outcome === 'failure' && first.response === null && first.redirects.length === 0
  return isUnsent ? null : { field: 'refused', reason: 'contradicts the result, whose first call was sent' }
}

type ReceivedBodies = Map<number, ReceivedBody | NotStored>

/** Returns what the server knows about the bodies of a result, by call, or the reason to refuse the result. */
function openReceipts({ runtime }: Gateway, { id: run, attempt, probe, bodies }: Upload): ReceivedBodies | ApiError {
  const received: ReceivedBodies = new Map()
  for (const [index, body] of bodies.entries()) {
    const { call } = body
    const field = `bodies.${index}`
    if (received.has(call) || !probe?.calls[call]?.response)
      return fieldInvalid(field, 'names no response of the result')
    const known = 'reason' in body ? body.reason : openReceipt(runtime.vault, { run, attempt, call }, body.receipt)
    if (known === null) return fieldInvalid(field, 'is not the receipt of this call')
    received.set(call, known)
  }
  return received
}

function capturedBodies(received: ReceivedBodies): CapturedBodies {
  const lastCall = Math.max(-1, ...[...received].filter(([, body]) => typeof body === 'object').map(([call]) => call))
  return {
    stored: new Map([...received].map(([call, body]) => [call, typeof body === 'object' ? body.body : body])),
    excerptOf: async (callIndex) => {
      const body = callIndex === lastCall ? received.get(callIndex) : undefined
      return typeof body === 'object' ? body.excerpt : null
    },
  }
}
