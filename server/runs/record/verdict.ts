import type { ProbeMode } from '../../schedule/placement.ts'

// Whether a service is failed, by the failures in a row that its agents saw.

export type VerdictFacts = {
  probeMode: ProbeMode
  /** The service's system variables: failures and successes in a row until one is confirmed. */
  confirmFailures: number
  confirmRecoveries: number
  /** Whether the service was failed before this run. */
  wasFailed: boolean
  /** Failures and successes in a row, wherever they were seen. One of them is 0. */
  failingRuns: number
  passingRuns: number
  /** What each living agent saw last; an agent that saw nothing is neither failing nor failed. */
  livingAgents: readonly AgentFacts[]
}

/** Failures in a row on one agent, the start of the first, and whether they are confirmed. */
type AgentFacts = { failingRuns: number; failingSince: Date | null; isFailed: boolean }

type Streak = Pick<VerdictFacts, 'wasFailed' | 'failingRuns' | 'passingRuns' | 'confirmFailures' | 'confirmRecoveries'>

/**
 * Returns whether runs in a row mean failed, for an agent or for a service. A confirmed failure lasts until as many
 * passes in a row, even when `confirmFailures` is raised meanwhile.
 */
export function isStreakFailed(streak: Streak): boolean {
  const { wasFailed, failingRuns, passingRuns, confirmFailures, confirmRecoveries } = streak
  return wasFailed ? passingRuns < confirmRecoveries : failingRuns >= confirmFailures
}

/**
 * `consecutive` and `random`: failed after `confirmFailures` failures in a row on any agents, recovered after
 * `confirmRecoveries` successes. `simultaneous`: failed while at least half of the living agents are, each by its own
 * runs in a row.
 */
export function isServiceFailed(facts: VerdictFacts): boolean {
  const { probeMode, wasFailed, livingAgents } = facts
  if (probeMode !== 'simultaneous') return isStreakFailed(facts)
  // Without a living agent nothing new is known.
  if (livingAgents.length === 0) return wasFailed
  return isAtLeastHalf(livingAgents, (agent) => agent.isFailed)
}

/** Whether the last run of the service counts as failed: with `simultaneous`, at least half of the last runs failed. */
export function isLastRunFailed({ probeMode, failingRuns, livingAgents }: VerdictFacts): boolean {
  if (probeMode !== 'simultaneous' || livingAgents.length === 0) return failingRuns > 0
  return isAtLeastHalf(livingAgents, (agent) => agent.failingRuns > 0)
}

function isAtLeastHalf<T>(items: readonly T[], matches: (item: T) => boolean): boolean {
  return items.filter(matches).length * 2 >= items.length
}
