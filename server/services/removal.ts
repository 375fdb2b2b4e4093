import { asc, eq, type SQL } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { projects, services } from '#db/schema/resources.ts'
import { runs } from '#db/schema/runs.ts'
import { closeAlertsOfServices } from '../alerts/open-alerts.ts'
import { enqueue } from '../schedule/jobs.ts'

/** Services per job: one service can have many results and bodies. */
const BATCH = 100

/**
 * Deletes the services that `within` selects. By cascade, their schedules, runs, agent assignments, variables, silences,
 * bindings and grants are deleted. Jobs clear their results, roll-ups, states, events and bodies
 * (worker/tasks/clear-services.ts). Webhook
 * deliveries and audit entries are kept, and alerts that webhooks opened are closed. Locks services and then all their runs, each ordered by id, before the cascade
 * locks them in any order; the workers lock in the same order or skip what is locked, so that no deadlock can occur.
 * @returns the number of deleted services
 */
export async function removeServices(tx: Tx, organizationId: string, within: SQL): Promise<number> {
  await tx.select({ id: services.id }).from(services).where(within).orderBy(asc(services.id)).for('update')
  await tx
    .select({ id: runs.id })
    .from(runs)
    .innerJoin(services, eq(services.id, runs.serviceId))
    .where(within)
    .orderBy(asc(runs.id))
    .for('update', { of: runs })
  await closeAlertsOfServices(tx, organizationId, within)
  const removed = await tx.delete(services).where(within).returning({ id: services.id })
  for (let start = 0; start < removed.length; start += BATCH) {
    const serviceIds = removed.slice(start, start + BATCH).map((row) => row.id)
    await enqueue(tx, 'clear', { organizationId, serviceIds })
  }
  return removed.length
}

/** Locks the projects of a workspace, ordered by id, so that no service can be added to them. Returns their ids. */
export async function lockProjectsOf(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.workspaceId, workspaceId))
    .orderBy(asc(projects.id))
    .for('update')
  return rows.map((row) => row.id)
}
