import { asc } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { matchesRows, type RowKey } from '#db/row-match.ts'
import type { AgentObservation } from '#db/schema/alerts.ts'
import { agentStates } from '#db/schema/results.ts'
import { eligibleAgents } from '../schedule/placement.ts'

/** Returns an agent's last state as incidents and events show it; nothing for states of a release without a status. */
export function observationOf(state: typeof agentStates.$inferSelect): AgentObservation[] {
  const { agentId, agentSlug, status, statusSince, failingRuns, summary, resultId } = state
  if (agentSlug === null || status === null || statusSince === null) return []
  return [{ agentId, agentSlug, status, since: statusSince.toISOString(), failingRuns, summary, resultId }]
}

/** Returns what the present agents of each service saw last, by the service's id. */
export async function readObservations(
  db: Queryable,
  services: readonly RowKey<string>[],
): Promise<Map<string, AgentObservation[]>> {
  if (services.length === 0) return new Map()
  const [rows, eligible] = await Promise.all([
    db
      .select()
      .from(agentStates)
      .where(matchesRows(agentStates.serviceId, services))
      .orderBy(asc(agentStates.agentSlug)),
    eligibleAgents(db, services),
  ])
  const byService = Map.groupBy(rows, (row) => row.serviceId)
  return new Map(
    services.map(({ id: serviceId }) => {
      const present = new Set(eligible.get(serviceId)?.map(({ id }) => id))
      const states = byService.get(serviceId)?.filter(({ agentId }) => present.has(agentId)) ?? []
      return [serviceId, states.flatMap(observationOf)]
    }),
  )
}
