import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { alertEvents } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { addChange, announce, type Changes } from '../live/announce.ts'
import { enqueueAll } from '../schedule/jobs.ts'
import { topics } from '../schemas/live/topics.ts'
import type { RunFailure } from '../schemas/results/failures.ts'
import type { FailingRun } from './failing-run.ts'
import type { Incident } from './incidents.ts'

// Alert events and the job that sends them. The caller's transaction also stores what caused the event.

export type NewEvent = Omit<typeof alertEvents.$inferInsert, 'id'>

/** A service and the resources above it, as payloads of events name them. */
export type ServiceNames = Record<'organization' | 'workspace' | 'project' | 'service', { id: string; name: string }>

/** Stores and announces events, and enqueues the jobs that notify their recipients: also of suppressed ones, which close alerts. */
export async function storeEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({ id: uuidv7(), ...event }))
  const changes: Changes = new Map()
  for (const { organizationId } of rows) addChange(changes, organizationId, topics.event)
  const jobs = rows.map(({ id }) => ({ payload: { eventId: id }, key: `notify:${id}` }))
  await Promise.all([tx.insert(alertEvents).values(rows), enqueueAll(tx, 'notify', jobs), announce(tx, changes)])
}

/** Returns the names of existing services and of the resources above them, in any order. */
export function readServiceNames(tx: Tx, serviceIds: string[]): Promise<ServiceNames[]> {
  return tx
    .select({
      organization: { id: organizations.id, name: organizations.name },
      workspace: { id: workspaces.id, name: workspaces.name },
      project: { id: projects.id, name: projects.name },
      service: { id: services.id, name: services.name },
    })
    .from(services)
    .innerJoin(projects, eq(projects.id, services.projectId))
    .innerJoin(workspaces, eq(workspaces.id, projects.workspaceId))
    .innerJoin(organizations, eq(organizations.id, services.organizationId))
    .where(anyOf(services.id, serviceIds))
}

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
