import type { ServiceState } from '#server/runs/record/service-state.ts'

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
    newFailure: null,
    degradation: null,
    failingRuns: 0,
    failingSince: null,
    lastPassingResultId: null,
    isAlerting: false,
    changedAt: [],
    flapping: null,
    probesTotal: 0,
    probesSuccess: 0,
    probesFailure: 0,
    probesTimeout: 0,
  }
}
