import type { serviceStates } from '#db/schema/results.ts'
import { runErrorOf } from '#server/results/run-error.ts'
import type { FinishedRun } from './finished-run.ts'

export type ServiceState = typeof serviceStates.$inferSelect

/** The values of the service's system variables. */
export type AlertSettings = { confirmFailures: number; alertOnRecovery: boolean }

export type StateChange = 'service.failed' | 'service.recovered'

/** The state of a service that has not run yet. */
export function initialState(run: { serviceId: string; organizationId: string }): ServiceState {
  return {
    serviceId: run.serviceId,
    organizationId: run.organizationId,
    lastStatus: null,
    lastStatusSince: null,
    lastConsecutive: 0,
    lastResponseMs: null,
    meanRunMs: 0,
    lastRunAt: null,
    lastResultId: null,
    lastFailure: null,
    failingRuns: 0,
    isAlerting: false,
    probesTotal: 0,
    probesSuccess: 0,
    probesFailure: 0,
    probesTimeout: 0,
    foldedUntil: new Date(0),
  }
}

/**
 * Returns the state of a service after one more run, and the change to announce, if any. Confirmation of failures: a
 * failure is announced once `confirmFailures` runs in a row have failed. A skipped run changes nothing.
 */
export function nextState(
  state: ServiceState,
  { result, failedAssertions, failedAssertionCount, waitedMs = 0 }: FinishedRun,
  settings: AlertSettings,
): { state: ServiceState; change: StateChange | null } {
  const { status, startedAt } = result
  if (status === 'skipped') return { state, change: null }
  const failed = status !== 'success'
  const same = state.lastStatus === status
  const failingRuns = failed ? state.failingRuns + 1 : 0
  const fails = failed && !state.isAlerting && failingRuns >= settings.confirmFailures
  const recovers = !failed && state.isAlerting
  return {
    change: fails ? 'service.failed' : recovers && settings.alertOnRecovery ? 'service.recovered' : null,
    state: {
      ...state,
      lastStatus: status,
      lastStatusSince: same ? state.lastStatusSince : startedAt,
      lastConsecutive: same ? state.lastConsecutive + 1 : 1,
      lastResponseMs: result.totalResponseMs,
      meanRunMs: Math.round((state.meanRunMs + Math.max(0, result.runDurationMs - waitedMs)) / 2),
      lastRunAt: startedAt,
      lastResultId: result.id,
      lastFailure: failed
        ? {
            resultId: result.id,
            startedAt: startedAt.toISOString(),
            status,
            error: runErrorOf(result),
            assertions: failedAssertions,
            assertionsTotal: failedAssertionCount,
          }
        : state.lastFailure,
      failingRuns,
      isAlerting: fails || (state.isAlerting && failed),
      probesTotal: state.probesTotal + 1,
      probesSuccess: state.probesSuccess + (status === 'success' ? 1 : 0),
      probesFailure: state.probesFailure + (status === 'failure' ? 1 : 0),
      probesTimeout: state.probesTimeout + (status === 'timeout' ? 1 : 0),
    },
  }
}
