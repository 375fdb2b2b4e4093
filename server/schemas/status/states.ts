import { statusText } from './status-text.ts'

// Without zod, which lists would load with it. Its schemas are in state-schemas.ts.

/**
 * The states of a service, the worst first. A service is `unknown` while its results are overdue or each agent that may run
 * it is lost. A service that is off is `paused`; one that has not run yet is `pending`.
 */
export const SERVICE_STATES = ['failing', 'degraded', 'unknown', 'passing', 'pending', 'paused'] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

/** How many services are in each state. */
export type StateCounts = Record<ServiceState, number>

export const NO_SERVICES: StateCounts = { failing: 0, degraded: 0, unknown: 0, passing: 0, pending: 0, paused: 0 }

/** Whether a service in this state needs attention. */
export function needsAttention(state: ServiceState): boolean {
  return state === 'failing' || state === 'degraded' || state === 'unknown'
}

export function totalOf(counts: StateCounts): number {
  return SERVICE_STATES.reduce((sum, state) => sum + counts[state], 0)
}

/** Returns the worst state of services, null without services. */
export function worstState(counts: StateCounts): ServiceState | null {
  return SERVICE_STATES.find((state) => counts[state] > 0) ?? null
}

/** Returns for example `3 of 8 failing`, `8 passing` or `No services`. */
export function countsText(counts: StateCounts): string {
  const worst = worstState(counts)
  if (worst === null) return 'No services'
  const total = totalOf(counts)
  const text = statusText(worst)
  return counts[worst] === total ? `${total} ${text}` : `${counts[worst]} of ${total} ${text}`
}
