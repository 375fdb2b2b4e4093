import { asc, sql } from 'drizzle-orm'
import type { Db, Tx } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import { matchesRow, type RowKey, servicesOf } from '#db/row-match.ts'
import type { AgentObservation } from '#db/schema/alerts.ts'
import { type Flapping, serviceAgentStates } from '#db/schema/results.ts'
import { observationOf } from '#server/alerts/alerts/observations.ts'
import {
  flappingPayload,
  incidentPayload,
  type NewEvent,
  readServiceNames,
  resultPayload,
  type ServiceNames,
  storeEvents,
} from '#server/runs/record/events.ts'
import { readLastFailingRun } from '#server/runs/record/failing-run.ts'
import { type Incident, lockOpenIncidents, storeIncidents } from '#server/runs/record/incidents.ts'
import { readAlertSettings } from '#server/runs/record/judging-facts.ts'
import type { AgentState } from '#server/runs/record/service-state.ts'
import { eligibleAgents } from '#server/schedule/placement.ts'

/** Flapping ends when nothing changed for this long. */
const QUIET_MINUTES = 15
/** Services per transaction. Writers of their results wait for it. */
const BATCH = 50

/**
 * Ends the flapping of services that have not changed for a quarter of an hour. If the service passes, its incident is closed;
 * otherwise the incident stays open, as any other. One message says which. Workers skip what another one locks.
 */
export async function endFlapping(db: Db): Promise<void> {
  while ((await db.transaction(endBatch)) === BATCH);
}

type Ended = { organizationId: string; serviceId: string; isAlerting: boolean; changedAt: Date; flapping: Flapping }

/** Returns how many it ended. */
async function endBatch(tx: Tx): Promise<number> {
  const ended = await lockQuiet(tx)
  if (ended.length === 0) return 0
  const services = servicesOf(ended)
  // The order of locks of writers: states, then incidents.
  const open = new Map((await lockOpenIncidents(tx, services)).map((incident) => [incident.serviceId, incident]))
  const names = new Map((await readServiceNames(tx, services)).map((named) => [named.service.id, named]))
  const settings = await readAlertSettings(tx, services)
  const now = await databaseNow(tx)
  const changed: Incident[] = []
  const events: NewEvent[] = []
  for (const one of ended) {
    const incident = open.get(one.serviceId)
    const named = names.get(one.serviceId)
    const own = settings.get(one.serviceId)
    if (!incident || !named || !own) continue
    const agents = await readAgents(tx, { organizationId: one.organizationId, id: one.serviceId })
    changed.push(one.isAlerting ? { ...incident, flappingSince: null } : closedBy(incident, one))
    events.push(await toEvent(tx, one, changed.at(-1) as Incident, named, agents, own.alertOnRecovery, now))
  }
  await storeIncidents(tx, [], changed)
  await storeEvents(tx, events)
  return ended.length
}

/** Locks the states of the services whose flapping is over, and ends it in them. The last change is kept. */
async function lockQuiet(tx: Tx): Promise<Ended[]> {
  const rows = await tx.execute<Omit<Ended, 'changedAt'> & { changedAt: string }>(sql`
    with quiet as (
      select organization_id, service_id, flapping, changed_at[cardinality(changed_at)] as last_at from service_states
      where flapping is not null
        and changed_at[cardinality(changed_at)] <= now() - make_interval(mins => ${QUIET_MINUTES})
      order by service_id limit ${BATCH} for update skip locked)
    update service_states s set flapping = null, degradation = null from quiet
    where (s.organization_id, s.service_id) = (quiet.organization_id, quiet.service_id)
    returning s.organization_id as "organizationId", s.service_id as "serviceId", s.is_alerting as "isAlerting",
      quiet.last_at as "changedAt", quiet.flapping`)
  return rows.map((row) => ({ ...row, changedAt: new Date(row.changedAt) }))
}

/** The last states of the agents that may run the service now. */
async function readAgents(tx: Tx, service: RowKey<string>): Promise<{ states: AgentState[]; isSeveral: boolean }> {
  const eligible = (await eligibleAgents(tx, [service])).get(service.id) ?? []
  const ids = new Set(eligible.map(({ id }) => id))
  const states = await tx
    .select()
    .from(serviceAgentStates)
    .where(matchesRow(serviceAgentStates.serviceId, service))
    .orderBy(asc(serviceAgentStates.agentSlug))
  return { states: states.filter(({ agentId }) => ids.has(agentId)), isSeveral: ids.size > 1 }
}

function closedBy(incident: Incident, { changedAt, flapping }: Ended): Incident {
  const closedAt = changedAt > incident.openedAt ? changedAt : incident.openedAt
  return { ...incident, closedAt, recoveredResultId: flapping.resultId }
}

async function toEvent(
  tx: Tx,
  { organizationId, serviceId, isAlerting, changedAt, flapping }: Ended,
  incident: Incident,
  names: ServiceNames,
  { states, isSeveral }: { states: AgentState[]; isSeveral: boolean },
  alertOnRecovery: boolean,
  now: Date,
): Promise<NewEvent> {
  const failing = isAlerting ? await readLastFailingRun(tx, states, isSeveral) : null
  const downMs = (incident.closedAt ?? now).getTime() - incident.failingSince.getTime()
  return {
    ...{ organizationId, serviceId, incidentId: incident.id },
    kind: isAlerting ? 'service.failed' : 'service.recovered',
    suppressedReason: isAlerting || alertOnRecovery ? null : 'alertOnRecovery is false',
    payload: {
      ...names,
      incident: incidentPayload(incident, downMs),
      result: failing && resultPayload(failing, failing.failure),
      failure: isAlerting ? (failing?.failure ?? incident.failure) : null,
      agents: states.map((state): AgentObservation => observationOf(state)),
      flapping: flappingPayload(flapping, changedAt),
    },
  }
}
