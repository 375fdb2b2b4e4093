import type { PgColumn } from '#db/drizzle.cjs'
import { type SQL, sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'
import type { AgentObservation } from '#db/schema/alerts.ts'
import { serviceAgentStates } from '#db/schema/results.ts'
import { isEligible } from '../../schedule/usable-agents.ts'

/** Returns an agent's last state as incidents and events show it. */
export function observationOf(state: typeof serviceAgentStates.$inferSelect): AgentObservation {
  const { agentId, agentSlug, status, statusSince, failingRuns, summary, resultId } = state
  return { agentId, agentSlug, status, since: statusSince.toISOString(), failingRuns, summary, resultId }
}

/** An observation as PostgreSQL writes it: the instant in its own form. */
export type StoredObservation = AgentObservation

/** Selects what the present agents of a service saw last, in the statement that reads the service's row. */
export function selectObservations(service: RowKey<PgColumn>): SQL<StoredObservation[]> {
  return sql`(
    select coalesce(json_agg(json_build_object('agentId', seen.agent_id, 'agentSlug', seen.agent_slug,
      'status', seen.status, 'since', seen.status_since, 'failingRuns', seen.failing_runs, 'summary', seen.summary,
      'resultId', seen.result_id) order by seen.agent_slug), '[]')
    from ${serviceAgentStates} seen
    join agents a on a.id = seen.agent_id and ${isEligible(sql`a`, { organizationId: sql`seen.organization_id`, id: sql`seen.service_id` })}
    where seen.organization_id = ${service.organizationId} and seen.service_id = ${service.id})`
}

export function presentObservation(stored: StoredObservation): AgentObservation {
  return { ...stored, since: new Date(stored.since).toISOString() }
}
