import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { and, asc, desc, eq, type SQL, sql } from '#db/drizzle.cjs'
import { matchesAny, matchesId, matchesRow, matchesRows } from '#db/row-match.ts'
import { deletedRows, deletions } from '#db/schema/deletions.ts'
import { projects, services } from '#db/schema/resources.ts'
import type { ActorContext } from '../context.ts'
import { ApiError, notFound } from '../errors.ts'
import { syncSchedules } from '../schedule/schedules.ts'
import { NAME_MAX } from '../schemas/conventions.ts'
import { DELETION_DAYS } from '../schemas/deletions/deletions.ts'
import { hasProjectNamed, hasServiceNamed } from './creation.ts'
import { keepProjectRows, keepServiceRows, restoreRows } from './deletion-rows.ts'
import { enqueueClearing, lockParents, lockProjects, prepareRemoval } from './remove-services.ts'
import type { ServiceRow } from './view.ts'

// Deleted services and projects can be restored for seven days. Their rows are moved aside, so that they are gone for every
// query; results and roll-ups stay until the deletion expires.

/** Deletions kept per organization. The oldest ones expire early. */
const KEPT_MAX = 1_000
const RENAMES_MAX = 20
/** Deletions per transaction that expire. */
const BATCH = 50

export type Deletion = typeof deletions.$inferSelect

/** Deletes the services that `within` selects, and keeps their rows. Returns what it deleted. */
export async function deleteServices(
  tx: Tx,
  ctx: ActorContext,
  within: SQL,
): Promise<Pick<ServiceRow, 'id' | 'name' | 'projectId'>[]> {
  const { organizationId } = ctx.actor
  await lockParents(tx, organizationId, within)
  await prepareRemoval(tx, organizationId, within)
  const rows = await tx
    .select({
      serviceId: services.id,
      name: services.name,
      projectId: services.projectId,
      workspaceId: projects.workspaceId,
    })
    .from(services)
    .innerJoin(projects, matchesRow(services.projectId, projects))
    .where(and(eq(services.organizationId, organizationId), within))
    .orderBy(asc(services.id))
  if (rows.length === 0) return []
  const made = rows.map((row) => ({ ...row, ...newDeletion(ctx), serviceCount: 1 }))
  await tx.insert(deletions).values(made)
  await keepServiceRows(
    tx,
    organizationId,
    made.map(({ id }) => id),
  )
  const { id, name, projectId } = services
  const removed = await tx
    .delete(services)
    .where(
      matchesAny(
        id,
        organizationId,
        rows.map(({ serviceId }) => serviceId),
      ),
    )
    .returning({ id, name, projectId })
  await expireOldest(tx, organizationId)
  return removed
}

/**
 * Deletes a project that the caller has locked after its workspace, with its services, and keeps their rows.
 * @returns how many services
 */
export async function deleteProject(tx: Tx, ctx: ActorContext, project: typeof projects.$inferSelect): Promise<number> {
  const { id: projectId, name, workspaceId } = project
  const within = matchesRow(services.projectId, project)
  await prepareRemoval(tx, ctx.actor.organizationId, within)
  const serviceCount = await tx.$count(services, within)
  const deletion = { ...newDeletion(ctx), projectId, workspaceId, name, serviceCount }
  await tx.insert(deletions).values(deletion)
  await keepProjectRows(tx, deletion, projectId)
  await tx.delete(services).where(within)
  await tx.delete(projects).where(matchesRow(projects.id, project))
  await expireOldest(tx, ctx.actor.organizationId)
  return serviceCount
}

function newDeletion({ actor, now }: ActorContext) {
  const { organizationId, displayName, membershipId } = actor
  return { id: uuidv7(), organizationId, deletedBy: displayName, membershipId, createdAt: now() }
}

/**
 * Restores what the caller has checked and locked, parents first. A name that is taken by now gets a suffix.
 * @returns the name
 * @throws ApiError `not_found` when the project of a service is deleted; `already_exists`
 */
export async function restoreDeletion(tx: Tx, ctx: ActorContext, deletion: Deletion): Promise<string> {
  if (deletion.serviceId !== null && (await lockProjects(tx, deletion.organizationId, [deletion.projectId])) === 0)
    throw notFound()
  const name = await freeName(tx, deletion)
  if (name !== deletion.name) {
    const table = deletion.serviceId === null ? 'projects' : 'services'
    await tx
      .update(deletedRows)
      .set({ row: sql`jsonb_set(${deletedRows.row}, '{name}', to_jsonb(${name}::text))` })
      .where(and(matchesRow(deletedRows.deletionId, deletion), eq(deletedRows.table, table)))
  }
  await restoreRows(tx, deletion)
  const restored: ServiceRow[] = await tx
    .select()
    .from(services)
    .where(
      deletion.serviceId === null
        ? matchesId(services.projectId, deletion.organizationId, deletion.projectId)
        : matchesId(services.id, deletion.organizationId, deletion.serviceId),
    )
  await syncSchedules(tx, restored, ctx.now(), ctx.settings.SCHEDULE_SPREAD_SECONDS)
  await tx.delete(deletions).where(matchesRow(deletions.id, deletion))
  return name
}

async function freeName(
  tx: Tx,
  { organizationId, name, serviceId, projectId, workspaceId }: Deletion,
): Promise<string> {
  const isTaken = (candidate: string) =>
    serviceId === null
      ? hasProjectNamed(tx, { organizationId, id: workspaceId }, candidate)
      : hasServiceNamed(tx, { organizationId, id: projectId }, candidate)
  for (let attempt = 0; attempt <= RENAMES_MAX; attempt++) {
    const addition = attempt === 0 ? '' : attempt === 1 ? ' (restored)' : ` (restored ${attempt})`
    const candidate = name.slice(0, NAME_MAX - addition.length) + addition
    if (!(await isTaken(candidate))) return candidate
  }
  throw new ApiError('already_exists')
}

/** Ends the oldest deletions of an organization that has too many. */
async function expireOldest(tx: Tx, organizationId: string): Promise<void> {
  const rows = await tx
    .select({ id: deletions.id })
    .from(deletions)
    .where(eq(deletions.organizationId, organizationId))
    .orderBy(desc(deletions.createdAt), desc(deletions.id))
    .offset(KEPT_MAX)
  if (rows.length > 0) {
    await expireDeletions(
      tx,
      matchesAny(
        deletions.id,
        organizationId,
        rows.map(({ id }) => id),
      ),
    )
  }
}

/** Ends the deletions that `where` selects: nothing of them can be restored, and jobs clear their results. */
export async function expireDeletions(tx: Tx, where: SQL | undefined): Promise<number> {
  const ended = await tx
    .select({ id: deletions.id, organizationId: deletions.organizationId })
    .from(deletions)
    .where(where)
    .orderBy(asc(deletions.id))
    .for('update')
  if (ended.length === 0) return 0
  const cleared = await tx
    .select({ id: deletedRows.id, organizationId: deletedRows.organizationId })
    .from(deletedRows)
    .where(and(matchesRows(deletedRows.deletionId, ended), eq(deletedRows.table, 'services')))
  for (const [organizationId, rows] of Map.groupBy(cleared, (row) => row.organizationId)) {
    await enqueueClearing(
      tx,
      organizationId,
      rows.map(({ id }) => id as string),
    )
  }
  await tx.delete(deletions).where(matchesRows(deletions.id, ended))
  return ended.length
}

/** The deletions whose seven days are over, a batch of them. */
export function overdueDeletions(): SQL {
  return sql`(${deletions.organizationId}, ${deletions.id}) in (select o.organization_id, o.id from deletions o where o.created_at < now() - make_interval(days => ${DELETION_DAYS}::int)
    order by o.created_at limit ${BATCH})`
}
