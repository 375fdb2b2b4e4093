import type { Finding } from './part.ts'

/**
 * Statements that cannot know the organization, by a column of their conditions. They still may not join tables of
 * organizations without it.
 */
const ACROSS: { columns: string[]; why: string }[] = [
  {
    columns: ['api_keys.digest', 'invitations.token_digest', 'project_tokens.digest'],
    why: 'the digest of a key or a token tells the organization',
  },
  {
    columns: ['memberships.user_id', 'api_keys.user_id'],
    why: 'an account has memberships and keys in several organizations',
  },
  {
    columns: ['runs.state', 'runs.lease_until', 'runs.worker_id', 'draft_runs.state', 'schedules.next_run_at'],
    why: 'the queue and the schedules serve all organizations',
  },
  {
    columns: ['lost_agents.agent_id', 'service_agents.agent_id', 'runs.agent_id'],
    why: 'several organizations may use an agent',
  },
]

export function isAcross({ kind, columns }: Finding): boolean {
  return kind === 'open' && ACROSS.some((row) => row.columns.some((column) => columns.has(column)))
}
