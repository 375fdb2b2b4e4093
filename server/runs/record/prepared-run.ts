import { sqlErrorOf } from '#db/errors.ts'
import { findUnstorable } from '../../http/storable.ts'
import { safeText } from '../../language/lace/values/json.ts'
import { log } from '../../process/log.ts'
import { failedChecksSummary, failureOf } from '../../results/results/failure.ts'
import { createIdAt } from '../../results/results/ids.ts'
import { INTERNAL_ERROR, notRecordedText } from '../../schemas/results/agent-faults.ts'
import type { RunFailure } from '../../schemas/results/failures.ts'
import { brokenRun, type FinishedRun } from './finished-run.ts'

// Work that concerns one run alone is done before the transaction that it shares with runs of other organizations.

/** A finished run with what its result says in words. */
export type PreparedRun = FinishedRun & {
  /** What failed; null for a run that passed or was skipped. */
  failure: RunFailure | null
  /** What its failed checks say in one line; null when none failed. */
  failedChecks: string | null
  /** A maintenance held during it: no state, statistic or alert counts it. */
  duringMaintenance?: true
  /** Its result is stored already, and its agent's state has it: it counts only now. */
  isStored?: true
}

/** The reason why a run cannot be recorded. Members see the message. */
class Unrecordable extends Error {
  override name = 'Unrecordable'
}

/** Of the database's integers. */
const INT_MAX = 2 ** 31 - 1
/** Far more than a script can store, and far from a stack overflow where a result is written or read as JSON. */
const DEPTH_MAX = 1_000
/** PostgreSQL reads instants of these years in ISO 8601. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z')
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/** Describes a run. One that cannot be recorded is replaced by its failed form. Never throws. */
export function prepareRun(run: FinishedRun): PreparedRun {
  try {
    return describe(run)
  } catch (error) {
    return describe(unrecordedRun(run, error))
  }
}

/** The failed form of a run that cannot be recorded: only the times of its result. */
export function unrecordedRun(run: FinishedRun, error: unknown): FinishedRun {
  const { id, run: of, attempt, organizationId, serviceId, agentId, agentSlug, isOwnAgent = false, result } = run
  log.warn({ err: error, runId: id, serviceId }, 'a result cannot be recorded: the run is stored as failed')
  const isDated = isStorable(result.startedAt)
  const startedAt = isDated ? result.startedAt : new Date()
  const ms = result.runDurationMs
  const endedAt = new Date(startedAt.getTime() + (ms >= 0 && ms <= INT_MAX ? Math.round(ms) : 0))
  const own = { id, ...(of && { run: of }), attempt, organizationId, serviceId, agentId, agentSlug, isOwnAgent }
  const broken = brokenRun(own, startedAt, endedAt, 'failure', notRecordedText(reasonOf(error)))
  // With the id that it had, the run is recognized when the response to its commit is lost.
  const resultId = isDated ? result.id : createIdAt(startedAt)
  const { scriptVersion } = result
  return {
    ...broken,
    ...(run.writes !== undefined && { writes: run.writes }),
    result: { ...broken.result, id: resultId, ...(scriptVersion && { scriptVersion }) },
  }
}

/** @throws Unrecordable for what the database cannot store */
function describe(run: FinishedRun): PreparedRun {
  const { result, certificates = [], writeBacks } = run
  if (!isStorable(result.startedAt)) throw new Unrecordable('its start is not a possible date')
  for (const { host, notBefore, notAfter } of certificates) {
    if (isStorable(notBefore) && isStorable(notAfter)) continue
    throw new Unrecordable(`the certificate of ${host} has an impossible date`)
  }
  const { raw, steps, runDurationMs, totalResponseMs } = result
  if (![runDurationMs, totalResponseMs].every((ms) => Number.isInteger(ms) && Math.abs(ms) <= INT_MAX)) {
    throw new Unrecordable('its duration is not a possible number')
  }
  const unstorable = findUnstorable([raw, steps, certificates, writeBacks], DEPTH_MAX)
  if (unstorable) throw new Unrecordable(`a value in it ${unstorable.reason}`)
  return { ...run, failure: failureOf(result), failedChecks: failedChecksSummary(result) }
}

function isStorable(date: Date): boolean {
  const ms = date.getTime()
  return ms >= FIRST_INSTANT && ms <= LAST_INSTANT
}

/** Internals stay in the log. */
function reasonOf(error: unknown): string {
  if (error instanceof Unrecordable) return safeText(error.message)
  return sqlErrorOf(error).sqlState.startsWith('22') ? 'it has a value that the database cannot store' : INTERNAL_ERROR
}
