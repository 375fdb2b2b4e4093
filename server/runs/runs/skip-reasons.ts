import { NO_AGENT } from '../../schedule/placement.ts'
import { QUEUE_TIMEOUT_SECONDS } from '../../schedule/run-queue.ts'

// Why an agent did not execute its part of a run: the summary of a skipped result.

/** Some agent was connected, and none had room. */
export const NOT_TAKEN = `no agent took the run within ${QUEUE_TIMEOUT_SECONDS / 60} minutes`

/** The service named an agent of the organization when the run was placed, and does not any more. */
export function notNamedText(slug: string): string {
  return `the service no longer names the agent ${slug}`
}

/** Networks that a reason names. */
const NAMED_NETWORKS = 5

/** The own networks of a remote agent did not let the first request out. */
export function outsideNetworksText(slug: string, host: string, networks: readonly string[]): string {
  const named = networks.slice(0, NAMED_NETWORKS).join(', ')
  const more = networks.length > NAMED_NETWORKS ? ` and ${networks.length - NAMED_NETWORKS} more` : ''
  const allowed = named === '' ? 'it may reach public addresses only' : `its allowed networks are ${named}${more}`
  return `the agent ${slug} may not reach ${host}: ${allowed}`
}

/** The agent was dead or switched off when its part was due. An agent that was removed meanwhile has no slug. */
export function absenceText(agent: { id: string; slug: string | null; isSwitchedOff: boolean }): string {
  if (agent.id === NO_AGENT.id) return 'the service had no agent that may run it'
  if (agent.slug === null) return 'the agent was removed'
  return `the agent ${agent.slug} was ${agent.isSwitchedOff ? 'switched off' : 'not connected'}`
}
