import type { Tx } from '#db/client.ts'
import { asc } from '#db/drizzle.cjs'
import { matchesRows, servicesOf } from '#db/row-match.ts'
import { serviceAgentStates } from '#db/schema/results.ts'
import { observationOf } from '../../alerts/alerts/observations.ts'
import { eligibleAgents } from '../../schedule/placement.ts'
import { incidentPayload, type NewEvent, readServiceNames, resultPayload } from './events.ts'
import { readLastFailingRuns } from './failing-run.ts'
import type { Incident } from './incidents.ts'

/** An incident that no run changes. `downMs` is how long the service was down, or has been so far; null if it flapped. */
export type IncidentNow = {
  incident: Pick<
    Incident,
    'id' | 'organizationId' | 'serviceId' | 'openedAt' | 'closedAt' | 'failingSince' | 'summary' | 'failure'
  >
  downMs: number | null
  /** What the kind adds to the payload. */
  extra?: Record<string, unknown>
} & Pick<NewEvent, 'kind' | 'suppressedReason'>

/**
 * Returns the event of each incident as things are now: with what the agents see that may run the service, and, while the
 * incident is open, with its last failing run. Incidents of deleted services are left out.
 */
export async function incidentEvents(tx: Tx, wanted: readonly IncidentNow[]): Promise<NewEvent[]> {
  const services = servicesOf(wanted.map(({ incident }) => incident))
  const [names, states, eligible] = await Promise.all([
    readServiceNames(tx, services),
    tx
      .select()
      .from(serviceAgentStates)
      .where(matchesRows(serviceAgentStates.serviceId, services))
      .orderBy(asc(serviceAgentStates.agentSlug)),
    eligibleAgents(tx, services),
  ])
  const namesById = new Map(names.map((named) => [named.service.id, named]))
  const seen = new Map(
    services.map(({ id }) => {
      const current = new Set(eligible.get(id)?.map((agent) => agent.id))
      const agents = states.filter(({ serviceId, agentId }) => serviceId === id && current.has(agentId))
      return [id, { agents, isOneOfSeveral: current.size > 1 }]
    }),
  )
  const open = wanted.flatMap(({ incident }) => (incident.closedAt ? [] : (seen.get(incident.serviceId) ?? [])))
  const failing = await readLastFailingRuns(tx, open)
  return wanted.flatMap(({ incident, downMs, extra, ...event }) => {
    const { id: incidentId, organizationId, serviceId, closedAt } = incident
    const named = namesById.get(serviceId)
    if (!named) return []
    const last = failing.get(serviceId)
    const payload = {
      ...named,
      incident: incidentPayload(incident, downMs),
      result: last ? resultPayload(last, last.failure) : null,
      failure: closedAt ? null : (last?.failure ?? incident.failure),
      agents: seen.get(serviceId)?.agents.map(observationOf) ?? [],
      ...extra,
    }
    return { ...event, organizationId, serviceId, incidentId, payload }
  })
}
