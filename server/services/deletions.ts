import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { anyOf } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { deletedRows, deletions } from '#db/schema/deletions.ts'
import { projects, services } from '#db/schema/resources.ts'
import type { ActorContext } from '../context.ts'
import { ApiError, notFound } from '../errors.ts'
import { syncSchedules } from '../schedule/schedules.ts'
import { NAME_MAX } from '../schemas/conventions.ts'
import { DELETION_DAYS } from '../schemas/deletions/deletions.ts'
import { hasProjectNamed, hasServiceNamed } from './creation.ts'
import { keepProjectRows, keepServiceRows, restoreRows } from './deletion-rows.ts'
import { enqueueClearing, lockParents, lockProjects, prepareRemoval } from './removal.ts'
import type { ServiceRow } from './view.ts'

// Deleted services and projects can be restored for seven days. Their rows are moved aside, so that they are gone for every
// query; results and roll-ups stay until the deletion expires.

/** Deletions kept per organization. The oldest ones expire early. */
const KEPT_MAX = 1_000
const RENAMES_MAX = 20
/** Deletions per transaction that expire. */
const BATCH = 50

export type Deletion = typeof deletions.$inferSelect

/** Deletes the services that `within` selects, and keeps their rows. Returns how many. */
export async function deleteServices(tx: Tx, ctx: ActorContext, within: SQL): Promise<number> {
  await lockParents(tx, within)
  await prepareRemoval(tx, ctx.actor.organizationId, within)
  const rows = await tx
    .select({
      serviceId: services.id,
      name: services.name,
      projectId: services.projectId,
      workspaceId: projects.workspaceId,
    })
    .from(services)
    .innerJoin(projects, eq(projects.id, services.projectId))
    .where(within)
    .orderBy(asc(services.id))
  if (rows.length === 0) return 0
  const made = rows.map((row) => ({ ...row, ...newDeletion(ctx), serviceCount: 1 }))
  await tx.insert(deletions).values(made)
  await keepServiceRows(
    tx,
    made.map(({ id }) => id),
  )
  const removed = await tx
    .delete(services)
    .where(
      anyOf(
        services.id,
        rows.map(({ serviceId }) => serviceId),
      ),
    )
    .returning({ id: services.id })
  await expireOldest(tx, ctx.actor.organizationId)
  return removed.length
}

/**
 * Deletes a project that the caller has locked after its workspace, with its services, and keeps their rows.
 * @returns how many services
 */
export async function deleteProject(tx: Tx, ctx: ActorContext, project: typeof projects.$inferSelect): Promise<number> {
  const { id: projectId, name, workspaceId } = project
  const within = eq(services.projectId, projectId)
  await prepareRemoval(tx, ctx.actor.organizationId, within)
  const serviceCount = await tx.$count(services, within)
  const deletion = { ...newDeletion(ctx), projectId, workspaceId, name, serviceCount }
  await tx.insert(deletions).values(deletion)
  await keepProjectRows(tx, deletion.id, projectId)
  await tx.delete(services).where(within)
  await tx.delete(projects).where(eq(projects.id, projectId))
  await expireOldest(tx, ctx.actor.organizationId)
  return serviceCount
}

function newDeletion({ actor, now }: ActorContext) {
  const { organizationId, displayName, membershipId } = actor
  return { id: uuidv7(), organizationId, deletedBy: displayName, membershipId, createdAt: now() }
}

/**
 * Restores what the caller has checked and locked, parents first. A name that is taken meanwhile gets an addition.
 * @returns the name
 * @throws ApiError `not_found` when the project of a service is deleted; `already_exists`
 */
export async function restoreDeletion(tx: Tx, ctx: ActorContext, deletion: Deletion): Promise<string> {
  if (deletion.serviceId !== null && (await lockProjects(tx, [deletion.projectId])) === 0) throw notFound()
  const name = await freeName(tx, deletion)
  if (name !== deletion.name) {
    const table = deletion.serviceId === null ? 'projects' : 'services'
    await tx
      .update(deletedRows)
      .set({ row: sql`jsonb_set(${deletedRows.row}, '{name}', to_jsonb(${name}::text))` })
      .where(and(eq(deletedRows.deletionId, deletion.id), eq(deletedRows.table, table)))
  }
  await restoreRows(tx, deletion.id)
  const restored: ServiceRow[] = await tx
    .select()
    .from(services)
    .where(
      deletion.serviceId === null ? eq(services.projectId, deletion.projectId) : eq(services.id, deletion.serviceId),
    )
  await syncSchedules(tx, restored, ctx.now(), ctx.settings.SCHEDULE_SPREAD_SECONDS)
  await tx.delete(deletions).where(eq(deletions.id, deletion.id))
  return name
}

async function freeName(tx: Tx, { name, serviceId, projectId, workspaceId }: Deletion): Promise<string> {
  const isTaken = (candidate: string) =>
    serviceId === null ? hasProjectNamed(tx, workspaceId, candidate) : hasServiceNamed(tx, projectId, candidate)
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
      anyOf(
        deletions.id,
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
  const ids = ended.map(({ id }) => id)
  const cleared = await tx
    .select({ id: deletedRows.id, organizationId: deletedRows.organizationId })
    .from(deletedRows)
    .where(and(anyOf(deletedRows.deletionId, ids), eq(deletedRows.table, 'services')))
  for (const [organizationId, rows] of Map.groupBy(cleared, (row) => row.organizationId)) {
    await enqueueClearing(
      tx,
      organizationId,
      rows.map(({ id }) => id as string),
    )
  }
  await tx.delete(deletions).where(anyOf(deletions.id, ids))
  return ids.length
}

/** The deletions whose seven days are over, a batch of them. */
export function overdueDeletions(): SQL {
  return sql`${deletions.id} in (select o.id from deletions o where o.created_at < now() - make_interval(days => ${DELETION_DAYS}::int)
    order by o.created_at limit ${BATCH})`
}
