import type { ProbeMode } from '#server/schedule/placement.ts'

// Whether a service is failed, by the failures in a row that its agents saw.

export type VerdictFacts = {
  probeMode: ProbeMode
  /** The service's system variable: failures in a row until a failure is confirmed. */
  confirmFailures: number
  /** Whether the service was failed before this run. */
  wasFailed: boolean
  /** Failures in a row, wherever they were seen. */
  failingRuns: number
  /** Failures in a row on each living agent, 0 for an agent that saw none. */
  livingAgents: readonly { failingRuns: number }[]
}

/**
 * `consecutive` and `random`: failed after `confirmFailures` failures in a row on any agents, recovered by a success.
 * `simultaneous`: failed while at least half of the living agents are, each by its own failures in a row.
 */
export function isServiceFailed(facts: VerdictFacts): boolean {
  const { probeMode, confirmFailures, wasFailed, failingRuns, livingAgents } = facts
  if (probeMode !== 'simultaneous') return wasFailed ? failingRuns > 0 : failingRuns >= confirmFailures
  // Without a living agent nothing new is known.
  if (livingAgents.length === 0) return wasFailed
  return isAtLeastHalf(livingAgents, (agent) => agent.failingRuns >= confirmFailures)
}

/** Whether the last run of the service counts as failed: with `simultaneous`, at least half of the last runs failed. */
export function isLastRunFailed({ probeMode, failingRuns, livingAgents }: VerdictFacts): boolean {
  if (probeMode !== 'simultaneous' || livingAgents.length === 0) return failingRuns > 0
  return isAtLeastHalf(livingAgents, (agent) => agent.failingRuns > 0)
}

function isAtLeastHalf<T>(items: readonly T[], matches: (item: T) => boolean): boolean {
  return items.filter(matches).length * 2 >= items.length
}
