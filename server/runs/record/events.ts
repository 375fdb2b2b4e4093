import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { eq } from '#db/drizzle.cjs'
import { matchesRow, matchesRows, type RowKey } from '#db/row-match.ts'
import { insertRows } from '#db/rows.ts'
import { alertEvents, type EventKind } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import type { Flapping } from '#db/schema/results.ts'
import { addChange, announce, type Changes } from '../../live/announce.ts'
import { enqueueAll } from '../../schedule/jobs.ts'
import { topics } from '../../schemas/live/topics.ts'
import type { RunFailure } from '../../schemas/results/failures.ts'
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
  await insertEvents(tx, events)
  await announce(tx, changes)
}

/** Stores events that the caller announces, and enqueues their jobs. */
export async function insertEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({ id: uuidv7(), ...event }))
  const jobs = rows.map(({ organizationId, id }) => ({ payload: { organizationId, eventId: id }, key: `notify:${id}` }))
  await insertRows(tx, alertEvents, rows)
  await enqueueAll(tx, 'notify', jobs)
}

/** Returns the names of existing services and of the resources above them, in any order. */
export function readServiceNames(tx: Tx, wanted: readonly RowKey<string>[]): Promise<ServiceNames[]> {
  const { organizationId } = services
  return tx
    .select({
      organization: { id: organizations.id, name: organizations.name },
      workspace: { id: workspaces.id, name: workspaces.name },
      project: { id: projects.id, name: projects.name },
      service: { id: services.id, name: services.name },
    })
    .from(services)
    .innerJoin(projects, matchesRow(projects.id, { organizationId, id: services.projectId }))
    .innerJoin(workspaces, matchesRow(workspaces.id, { organizationId, id: projects.workspaceId }))
    .innerJoin(organizations, eq(organizations.id, organizationId))
    .where(matchesRows(services.id, wanted))
}

/**
 * An incident as payloads of events show it. `downMs` is how long the service was down, or has been so far; null if it
 * flapped.
 */
export function incidentPayload(
  { id, openedAt, failingSince, summary }: Pick<Incident, 'id' | 'openedAt' | 'failingSince' | 'summary'>,
  downMs: number | null,
) {
  return { id, openedAt: openedAt.toISOString(), failingSince: failingSince.toISOString(), summary, downMs }
}

/** What payloads of events say of a service that flaps: how often it failed in which time. */
export function flappingPayload({ since, from, failures }: Flapping, until: Date) {
  return { since, from, until: until.toISOString(), failures }
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
