import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import type { RowKey } from '#db/row-match.ts'
import { rowsStatement, servicesStatement } from '#db/rows-statement.ts'
import type { EventKind } from '#db/schema/alerts.ts'
import { addChange, announce, type Changes } from '../live/announce.ts'
import { enqueueAll } from '../schedule/jobs.ts'
import { topics } from '../schemas/live/topics.ts'
import type { RunFailure } from '../schemas/results/failures.ts'
import type { FailingRun } from './failing-run.ts'
import type { Incident } from './incidents.ts'

// Alert events and the job that sends them. The caller's transaction also stores what caused the event.

export type NewEvent = {
  organizationId: string
  kind: EventKind
  payload: Record<string, unknown>
  /** Null or absent where the event has none. */
  serviceId?: string | null
  resultId?: string | null
  incidentId?: string | null
  agentId?: string | null
  suppressedReason?: string | null
}

/** A service and the resources above it, as payloads of events name them. */
export type ServiceNames = Record<'organization' | 'workspace' | 'project' | 'service', { id: string; name: string }>

/** Stores and announces events, and enqueues the jobs that notify their recipients: also of suppressed ones, which close alerts. */
export async function storeEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  const changes: Changes = new Map()
  for (const { organizationId } of events) addChange(changes, organizationId, topics.event)
  await Promise.all([insertEvents(tx, events), announce(tx, changes)])
}

/** Stores events that the caller announces, and enqueues their jobs. */
export async function insertEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({ id: uuidv7(), ...event }))
  const jobs = rows.map(({ organizationId, id }) => ({ payload: { organizationId, eventId: id }, key: `notify:${id}` }))
  await Promise.all([insertEventRows(tx, rows), enqueueAll(tx, 'notify', jobs)])
}

const insertEventRows = rowsStatement<NewEvent & { id: string }>(
  {
    id: 'uuid',
    organization_id: ['uuid', (event) => event.organizationId],
    service_id: ['uuid', (event) => event.serviceId],
    result_id: ['uuid', (event) => event.resultId],
    incident_id: ['uuid', (event) => event.incidentId],
    agent_id: ['uuid', (event) => event.agentId],
    kind: 'text',
    payload: 'jsonb',
    suppressed_reason: ['text', (event) => event.suppressedReason],
  },
  (rows) => sql`
    insert into alert_events (id, organization_id, service_id, result_id, incident_id, agent_id, kind, payload,
      suppressed_reason)
    select i.id, i.organization_id, i.service_id, i.result_id, i.incident_id, i.agent_id, i.kind, i.payload,
      i.suppressed_reason
    from ${rows}`,
)

/** Returns the names of existing services and of the resources above them, in any order. */
export async function readServiceNames(tx: Tx, wanted: readonly RowKey<string>[]): Promise<ServiceNames[]> {
  const rows = await selectNames(tx, wanted)
  return rows.map((row) => ({
    organization: { id: row.organization_id, name: row.organization_name },
    workspace: { id: row.workspace_id, name: row.workspace_name },
    project: { id: row.project_id, name: row.project_name },
    service: { id: row.service_id, name: row.service_name },
  }))
}

type NamesRow = Record<`${keyof ServiceNames}_${'id' | 'name'}`, string>

const selectNames = servicesStatement<NamesRow>(
  (organizationIds, ids) => sql`
    select s.id as service_id, s.name as service_name, p.id as project_id, p.name as project_name, w.id as workspace_id,
      w.name as workspace_name, o.id as organization_id, o.name as organization_name
    from services s
      join projects p on (p.organization_id, p.id) = (s.organization_id, s.project_id)
      join workspaces w on (w.organization_id, w.id) = (p.organization_id, p.workspace_id)
      join organizations o on o.id = s.organization_id
    where s.organization_id = any(${organizationIds}) and s.id = any(${ids})`,
)

/** An incident as payloads of events show it. `downMs` is how long the service was down, or has been so far. */
export function incidentPayload(
  { id, openedAt, failingSince, summary }: Pick<Incident, 'id' | 'openedAt' | 'failingSince' | 'summary'>,
  downMs: number | null,
) {
  return { id, openedAt: openedAt.toISOString(), failingSince: failingSince.toISOString(), summary, downMs }
}

/** A run as payloads of events show it. */
export function resultPayload(
  { result, agentSlug, failedAssertions }: Omit<FailingRun, 'failure'>,
  failure: RunFailure | null,
) {
  return {
    id: result.id,
    status: result.status,
    startedAt: result.startedAt.toISOString(),
    agentSlug,
    runDurationMs: result.runDurationMs,
    totalResponseMs: result.totalResponseMs,
    assertions: failedAssertions,
    error: failure?.error ?? null,
  }
}
