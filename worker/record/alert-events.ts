import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { alertEvents } from '#db/schema/results.ts'
import { runErrorOf } from '#server/results/run-error.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import type { FinishedRun } from './finished-run.ts'
import type { StateChange } from './service-state.ts'

/** Inserts an event for each change of state, and enqueues the job that sends its mails and webhook deliveries. */
export async function insertAlertEvents(tx: Tx, changes: { run: FinishedRun; change: StateChange }[]): Promise<void> {
  const named = await tx
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
    .where(
      anyOf(
        services.id,
        changes.map(({ run }) => run.serviceId),
      ),
    )
  for (const { run, change } of changes) {
    const names = named.find(({ service }) => service.id === run.serviceId)
    if (!names) continue
    const { id, status, startedAt, runDurationMs, totalResponseMs } = run.result
    const eventId = uuidv7()
    await tx.insert(alertEvents).values({
      id: eventId,
      organizationId: run.organizationId,
      serviceId: run.serviceId,
      resultId: id,
      kind: change,
      payload: {
        ...names,
        result: {
          id,
          status,
          startedAt: startedAt.toISOString(),
          agentSlug: run.agentSlug,
          runDurationMs,
          totalResponseMs,
          assertions: run.failedAssertions,
          error: runErrorOf(run.result),
        },
      },
    })
    await enqueue(tx, 'notify', { eventId }, { key: `notify:${eventId}` })
  }
}
