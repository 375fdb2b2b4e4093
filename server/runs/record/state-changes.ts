import type { Tx } from '#db/client.ts'
import { servicesOf } from '#db/row-match.ts'
import type { AgentObservation } from '#db/schema/alerts.ts'
import { observationOf } from '../../alerts/alerts/observations.ts'
import type { RunFailure } from '../../schemas/results/failures.ts'
import {
  flappingPayload,
  incidentPayload,
  insertEvents,
  type NewEvent,
  readServiceNames,
  resultPayload,
  type ServiceNames,
} from './events.ts'
import { type FailingRun, readFailingRun } from './failing-run.ts'
import { type Incident, later, lockOpenIncidents, newIncident, storeIncidents } from './incidents.ts'
import type { JudgingFacts } from './judging-facts.ts'
import type { ChangingRun } from './service-state.ts'

// What follows from a change of a service's state, in the transaction that stores the run: an incident opens or closes,
// an event is stored, and a job notifies its recipients.

/**
 * Stores the incidents and events of the runs, which are in the order of the batch. Their results are stored, and the
 * states of their services are locked. The caller announces the events.
 */
export async function storeStateChanges(
  tx: Tx,
  changing: ChangingRun[],
  eligible: JudgingFacts['eligible'],
): Promise<void> {
  if (changing.length === 0) return
  const services = servicesOf(changing.map(({ run }) => run))
  const namesById = new Map((await readServiceNames(tx, services)).map((named) => [named.service.id, named]))
  const open = new Map((await lockOpenIncidents(tx, services)).map((incident) => [incident.serviceId, incident]))
  const opened: Incident[] = []
  const changed: Incident[] = []
  const events: NewEvent[] = []
  for (const one of changing) {
    const { run } = one
    const named = namesById.get(run.serviceId)
    if (!named) continue
    const current = new Set([run.agentId, ...(eligible.get(run.serviceId) ?? []).map(({ id }) => id)])
    const seen = one.agents.filter(({ agentId }) => current.has(agentId))
    const agents = seen.map(observationOf)
    let incident = open.get(run.serviceId) ?? null
    const failing = one.state.isAlerting ? await readFailingRun(tx, one) : null
    if (failing && !incident) {
      incident = newIncident(one, failing, agents)
      opened.push(incident)
      open.set(run.serviceId, incident)
    }
    if (incident && one.change !== 'service.failed') {
      if (one.change === 'service.flapping') incident.flappingSince = run.result.startedAt
      else {
        // Includes what each agent saw during the incident: the event of the recovery has what they see now.
        const before = seen.flatMap((state) => (state.agentId === run.agentId ? (one.agentBefore ?? []) : state))
        incident.agents = before.map(observationOf)
        incident.closedAt = later(run.result.startedAt, incident.openedAt)
        incident.recoveredResultId = run.result.id
        open.delete(run.serviceId)
      }
      if (!opened.includes(incident)) changed.push(incident)
    }
    events.push(toEvent(one, named, agents, incident, failing))
  }
  await storeIncidents(tx, opened, changed)
  await insertEvents(tx, events)
}

/** `failing` is the run behind a failure, null for a run that passed. */
function toEvent(
  { run, change, state, settings }: ChangingRun,
  names: ServiceNames,
  agents: AgentObservation[],
  incident: Incident | null,
  failing: FailingRun | null,
): NewEvent {
  const isSuppressed = change === 'service.recovered' && !settings.alertOnRecovery
  const downMs = incident?.closedAt ? incident.closedAt.getTime() - incident.failingSince.getTime() : null
  const isFlapping = change === 'service.flapping'
  const lastFailure = isFlapping && incident ? (incident.failure as RunFailure) : null
  return {
    organizationId: run.organizationId,
    serviceId: run.serviceId,
    resultId: run.result.id,
    incidentId: incident?.id ?? null,
    kind: change,
    suppressedReason: isSuppressed ? 'alertOnRecovery is false' : null,
    payload: {
      ...names,
      incident: incident && incidentPayload(incident, downMs),
      result: resultPayload(failing ?? run, failing?.failure ?? null),
      failure: failing?.failure ?? lastFailure,
      agents,
      ...(state.flapping && { flapping: flappingPayload(state.flapping, run.result.startedAt) }),
    },
  }
}
