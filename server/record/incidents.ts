import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import type { RowKey } from '#db/row-match.ts'
import { type Columns, rowsStatement, servicesStatement } from '#db/rows-statement.ts'
import type { AgentObservation, incidents } from '#db/schema/alerts.ts'
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
export async function lockOpenIncidents(tx: Tx, services: readonly RowKey<string>[]): Promise<Incident[]> {
  const rows = await selectOpenIncidents(tx, services)
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    serviceId: row.service_id,
    openedAt: new Date(row.opened_at),
    closedAt: null,
    failingSince: new Date(row.failing_since),
    summary: row.summary,
    failure: row.failure,
    firstResultId: row.first_result_id,
    lastPassingResultId: row.last_passing_result_id,
    recoveredResultId: null,
    agents: row.agents,
  }))
}

type OpenIncidentRow = {
  id: string
  organization_id: string
  service_id: string
  opened_at: string
  failing_since: string
  summary: string
  failure: Record<string, unknown>
  first_result_id: string
  last_passing_result_id: string | null
  agents: AgentObservation[]
}

const selectOpenIncidents = servicesStatement<OpenIncidentRow>(
  (organizationIds, ids) => sql`
    select id, organization_id, service_id, opened_at, failing_since, summary, failure, first_result_id,
      last_passing_result_id, agents
    from incidents
    where organization_id = any(${organizationIds}) and service_id = any(${ids}) and closed_at is null
    order by id for no key update`,
)

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
  const isClosing = new Set(closed.map(({ serviceId }) => serviceId))
  const closing = closed.length > 0 ? updateClosed(tx, closed) : null
  if (opened.some(({ serviceId }) => isClosing.has(serviceId))) await closing
  await Promise.all([closing, insertOpened(tx, opened)])
}

const updateClosed = rowsStatement<Incident>(
  {
    organization_id: ['uuid', (incident) => incident.organizationId],
    id: 'uuid',
    closed_at: ['timestamptz', (incident) => incident.closedAt],
    recovered_result_id: ['uuid', (incident) => incident.recoveredResultId],
    agents: 'jsonb',
  },
  (rows) => sql`
    update incidents c set closed_at = i.closed_at, recovered_result_id = i.recovered_result_id, agents = i.agents
    from ${rows} where c.organization_id = i.organization_id and c.id = i.id`,
)

async function insertOpened(tx: Tx, opened: Incident[]): Promise<void> {
  if (opened.length === 0) return
  // The others were opened by the first failure, which is their first result.
  const confirmed = opened.filter(({ failingSince, openedAt }) => failingSince < openedAt)
  const first = confirmed.length > 0 ? await findFirstFailing(tx, confirmed) : new Map<string, string>()
  const rows = opened.map((incident) => ({
    ...incident,
    firstResultId: first.get(incident.id) ?? incident.firstResultId,
  }))
  await insertIncidents(tx, rows)
}

const INCIDENT: Columns<Incident> = {
  id: 'uuid',
  organization_id: ['uuid', (incident) => incident.organizationId],
  service_id: ['uuid', (incident) => incident.serviceId],
  opened_at: ['timestamptz', (incident) => incident.openedAt],
  closed_at: ['timestamptz', (incident) => incident.closedAt],
  failing_since: ['timestamptz', (incident) => incident.failingSince],
  summary: 'text',
  failure: 'jsonb',
  first_result_id: ['uuid', (incident) => incident.firstResultId],
  last_passing_result_id: ['uuid', (incident) => incident.lastPassingResultId],
  recovered_result_id: ['uuid', (incident) => incident.recoveredResultId],
  agents: 'jsonb',
}

const insertIncidents = rowsStatement(
  INCIDENT,
  (rows) => sql`
    insert into incidents (id, organization_id, service_id, opened_at, closed_at, failing_since, summary, failure,
      first_result_id, last_passing_result_id, recovered_result_id, agents)
    select i.id, i.organization_id, i.service_id, i.opened_at, i.closed_at, i.failing_since, i.summary, i.failure,
      i.first_result_id, i.last_passing_result_id, i.recovered_result_id, i.agents
    from ${rows}`,
)

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
        and started_at = i.started_at and status in ('failure', 'timeout') and has_values is not true
      order by id limit 1) r`)
  return new Map(found.map((row) => [row.incident_id, row.id]))
}
