import type { Tx } from '#db/client.ts'
import type { PgColumn, PgTable } from '#db/drizzle.cjs'
import { and, asc, eq, type SQL } from '#db/drizzle.cjs'
import { matchesAny, matchesId, matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { closeAlertsOfServices } from '../alerts/alerts/open-alerts.ts'
import { enqueue } from '../schedule/jobs.ts'

/** Services per job: one service can have many results and bodies. */
const SERVICES_PER_JOB = 100

/**
 * Locks the workspaces and then the projects of services, so that no other transaction deletes them. A deletion of a workspace
 * locks from the top too. The foreign keys of `deletions` would lock the workspace after the services: a deadlock.
 */
export async function lockParents(tx: Tx, organizationId: string, selected: SQL): Promise<void> {
  const within = and(eq(services.organizationId, organizationId), selected)
  const parents = await tx
    .selectDistinct({ id: projects.id, workspaceId: projects.workspaceId })
    .from(projects)
    .innerJoin(services, matchesRow(services.projectId, projects))
    .where(within)
  await lockWorkspaces(
    tx,
    organizationId,
    parents.map(({ workspaceId }) => workspaceId),
  )
  await lockProjects(
    tx,
    organizationId,
    parents.map(({ id }) => id),
  )
}

/** Locks workspaces, so that no other transaction deletes them. */
export async function lockWorkspaces(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  const wanted = matchesAny(workspaces.id, organizationId, ids)
  await tx.select({ id: workspaces.id }).from(workspaces).where(wanted).orderBy(asc(workspaces.id)).for('key share')
}

/** Locks projects, so that no other transaction deletes them. The caller has locked their workspaces. Returns how many. */
export async function lockProjects(tx: Tx, organizationId: string, ids: string[]): Promise<number> {
  const wanted = matchesAny(projects.id, organizationId, ids)
  const query = tx.select({ id: projects.id }).from(projects).where(wanted).orderBy(asc(projects.id))
  return (await query.for('key share')).length
}

/**
 * Locks services, their schedules, so that no run is added any more, and then all their runs, each ordered by id, before a
 * cascade locks them in any order; the workers lock in the same order or skip what is locked, so that no deadlock can
 * occur. Closes the alerts that webhooks opened.
 */
export async function prepareRemoval(tx: Tx, organizationId: string, selected: SQL): Promise<void> {
  const within = and(eq(services.organizationId, organizationId), selected) as SQL
  await tx.select({ id: services.id }).from(services).where(within).orderBy(asc(services.id)).for('update')
  const lockRows = (table: PgTable, serviceId: PgColumn, id: PgColumn) =>
    tx
      .select({ id })
      .from(table)
      .innerJoin(services, matchesRow(serviceId, services))
      .where(within)
      .orderBy(asc(id))
      .for('update', { of: table })
  await lockRows(schedules, schedules.serviceId, schedules.serviceId)
  await lockRows(runs, runs.serviceId, runs.id)
  await closeAlertsOfServices(tx, organizationId, within)
}

/**
 * Deletes the services that `within` selects for good; `deletions.ts` keeps those that can be restored. Their schedules
 * and runs go by a trigger; agent assignments, variables, silences, maintenances, bindings and grants by cascade. Jobs clear their
 * results, roll-ups, states, events and bodies (worker/tasks/clear-services.ts). Webhook deliveries and audit entries are
 * kept.
 * @returns the number of deleted services
 */
export async function removeServices(tx: Tx, organizationId: string, within: SQL): Promise<number> {
  await prepareRemoval(tx, organizationId, within)
  const own = eq(services.organizationId, organizationId)
  const removed = await tx.delete(services).where(and(own, within)).returning({ id: services.id })
  await enqueueClearing(
    tx,
    organizationId,
    removed.map((row) => row.id),
  )
  return removed.length
}

/** Results have no foreign key, so jobs delete them. */
export async function enqueueClearing(tx: Tx, organizationId: string, serviceIds: string[]): Promise<void> {
  for (let start = 0; start < serviceIds.length; start += SERVICES_PER_JOB) {
    await enqueue(tx, 'clear', { organizationId, serviceIds: serviceIds.slice(start, start + SERVICES_PER_JOB) })
  }
}

/** Locks the projects of a workspace, ordered by id, so that no service can be added to them. Returns their ids. */
export async function lockProjectsOf(tx: Tx, organizationId: string, workspaceId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(matchesId(projects.workspaceId, organizationId, workspaceId))
    .orderBy(asc(projects.id))
    .for('update')
  return rows.map((row) => row.id)
}
