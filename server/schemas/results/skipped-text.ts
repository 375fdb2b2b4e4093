import type { Run } from '../runs.ts'

/** Returns why agents did not execute their parts of a run, in one line; null when all did. */
export function skippedText(agents: Run['skippedAgents']): string | null {
  if (agents.length === 0) return null
  return agents.map(({ agentSlug, reason }) => reason ?? `the agent ${agentSlug} did not execute it`).join('; ')
}
