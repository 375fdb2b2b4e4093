import { and, asc, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { type AgentObservation, incidents } from '#db/schema/alerts.ts'
import type { FailingRun } from './failing-run.ts'
import type { JudgedRun } from './service-state.ts'

export type Incident = Pick<
  typeof incidents.$inferSelect,
  | 'id'
  | 'organizationId'
  | 'serviceId'
  | 'openedAt'
  | 'closedAt'
  | 'failingSince'
  | 'summary'
  | 'failure'
  | 'firstResultId'
  | 'lastPassingResultId'
  | 'recoveredResultId'
  | 'agents'
>

/**
 * Locks the open incidents of the services, at most one each, in the order of their ids. The states of the services are
 * locked already. Notes can still be added.
 */
export function lockOpenIncidents(tx: Tx, serviceIds: string[]): Promise<Incident[]> {
  return tx
    .select()
    .from(incidents)
    .where(and(anyOf(incidents.serviceId, serviceIds), isNull(incidents.closedAt)))
    .orderBy(asc(incidents.id))
    .for('no key update')
}

/**
 * Returns the incident that a run opens; `failing` is the failing run behind it. Where failures are confirmed, the first
 * one is older: storeIncidents finds it.
 */
export function newIncident(
  { run, before, state }: JudgedRun,
  { result, failure }: FailingRun,
  agents: AgentObservation[],
): Incident {
  const openedAt = run.result.startedAt
  const { failingSince } = state
  return {
    id: uuidv7(),
    organizationId: run.organizationId,
    serviceId: run.serviceId,
    openedAt,
    closedAt: null,
    failingSince: failingSince && failingSince < openedAt ? failingSince : openedAt,
    summary: failure.summary,
    failure,
    firstResultId: result.id,
    lastPassingResultId: before.lastPassingResultId,
    recoveredResultId: null,
    agents,
  }
}

/** Closes incidents, then inserts those that the batch opened, of which some are closed already: one at a time is open. */
export async function storeIncidents(tx: Tx, opened: Incident[], closed: Incident[]): Promise<void> {
  await Promise.all([closeIncidents(tx, closed), insertIncidents(tx, opened)])
}

async function closeIncidents(tx: Tx, closed: Incident[]): Promise<void> {
  if (closed.length === 0) return
  const rows = closed.map(({ id, organizationId, closedAt, recoveredResultId, agents }) => ({
    id,
    organization_id: organizationId,
    closed_at: closedAt,
    recovered_result_id: recoveredResultId,
    agents,
  }))
  await tx.execute(sql`
    update incidents i set closed_at = c.closed_at, recovered_result_id = c.recovered_result_id, agents = c.agents
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, organization_id uuid,
      closed_at timestamptz, recovered_result_id uuid, agents jsonb)
    where i.organization_id = c.organization_id and i.id = c.id`)
}

async function insertIncidents(tx: Tx, opened: Incident[]): Promise<void> {
  if (opened.length === 0) return
  // The others were opened by the first failure, which is their first result.
  const confirmed = opened.filter(({ failingSince, openedAt }) => failingSince < openedAt)
  const first = confirmed.length > 0 ? await findFirstFailing(tx, confirmed) : new Map<string, string>()
  await tx
    .insert(incidents)
    .values(
      opened.map((incident) => ({ ...incident, firstResultId: first.get(incident.id) ?? incident.firstResultId })),
    )
}

/**
 * Returns the id of the first failing result of each incident, by the incident's id: the one that started when the failures
 * in a row did. An incident whose first result is no longer stored is left out.
 */
async function findFirstFailing(tx: Tx, opened: Incident[]): Promise<Map<string, string>> {
  const rows = opened.map(({ id, organizationId, serviceId, failingSince }) => ({
    ...{ incident_id: id, organization_id: organizationId, service_id: serviceId, started_at: failingSince },
  }))
  const found = await tx.execute<{ incident_id: string; id: string }>(sql`
    select i.incident_id, r.id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as i(incident_id uuid, organization_id uuid, service_id uuid, started_at timestamptz)
    cross join lateral (
      select id from results where organization_id = i.organization_id and service_id = i.service_id
        and started_at = i.started_at and status in ('failure', 'timeout') and is_apart is not true
      order by id limit 1) r`)
  return new Map(found.map((row) => [row.incident_id, row.id]))
}
