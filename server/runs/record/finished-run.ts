import type { StoredStep } from '#db/schema/results.ts'
import type { RunCause } from '#db/schema/runs.ts'
import { createIdAt } from '../../results/results/ids.ts'
import type { FailedAssertion } from '../../schemas/results/failures.ts'

// A finished run in the shape in which it is stored.

/** The run of which an agent executes its part. */
export type RunRef = {
  id: string
  cause: RunCause
  /** Whether it was requested with values: then no statistic counts its results. */
  hasValues: boolean
}

/** One attempt to execute an agent's part of a run. */
export type RunAttempt = {
  /** The id of the part's row, which is the run's id too unless several agents execute the run. */
  id: string
  /** Absent for a draft run. */
  run?: RunRef
  attempt: number
  organizationId: string
  serviceId: string
  agentId: string
  agentSlug: string
  /** The agent belongs to the organization, which metrics distinguish from a shared one with the same slug. */
  isOwnAgent?: boolean
}

/** The certificate of a host that a run saw. */
export type SeenCertificate = {
  /** Host name, with the port if it is not 443. */
  host: string
  notBefore: Date
  notAfter: Date
  /** Common names. */
  subject: string | null
  issuer: string | null
}

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
    /** The version of the script that ran; absent for a skipped run. */
    scriptVersion?: number
    /** Why a skipped run was not executed, in one line. */
    skipReason?: string
  }
  /** The part of the duration that the run waited for connections to a host: it does not make the service slow. */
  waitedMs?: number
  /** Whether a response arrived, so that the run has a latency. */
  isTimed: boolean
  /** One entry per evaluation. */
  assertions: { key: string; definition: Record<string, unknown>; failed: boolean }[]
  /** The contract's `lastFailure.assertions`: the first failed ones. */
  failedAssertions: FailedAssertion[]
  /** The number of all failed assertions. */
  failedAssertionCount: number
  writeBacks: { key: string; value: string; callIndex: number }[]
  /** Whether its script may change something at its targets. Absent where no script is known: it counts as one that may. */
  writes?: boolean
  /** One entry per host; absent without TLS. */
  certificates?: SeenCertificate[]
}

/** A run that its agent did not execute, and why. */
export function skippedRun(run: RunAttempt, at: Date, skipReason: string): FinishedRun {
  const empty = emptyRun(run, at)
  return { ...empty, result: { ...empty.result, skipReason } }
}

function emptyRun(run: RunAttempt, at: Date): FinishedRun {
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

/** A run that ended without a result from the language; `reason` becomes its error. */
export function brokenRun(
  run: RunAttempt,
  startedAt: Date,
  endedAt: Date,
  status: 'failure' | 'timeout',
  reason: string,
): FinishedRun {
  const elapsedMs = Math.max(0, endedAt.getTime() - startedAt.getTime())
  const empty = emptyRun(run, startedAt)
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
  return { ...empty, result: { ...empty.result, status, runDurationMs: elapsedMs, raw } }
}
