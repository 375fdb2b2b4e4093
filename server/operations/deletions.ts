import { z } from 'zod'
import type { Queryable, Tx } from '#db/client.ts'
import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { deletions } from '#db/schema/deletions.ts'
import { projects, workspaces } from '#db/schema/resources.ts'
import { isGrantee, LEVEL_NEEDED, reachesProject, reachesWorkspace } from '../access.ts'
import { audit } from '../audit.ts'
import type { Actor, ActorContext } from '../context.ts'
import { DAY_MS } from '../durations.ts'
import { notFound } from '../errors.ts'
import { readPage } from '../paging.ts'
import { BulkResult, Selection, type ServiceOutcome } from '../schemas/bulk.ts'
import { Id, Ok, PageQuery } from '../schemas/conventions.ts'
import { DELETION_DAYS, type Deletion, DeletionPage, Restored } from '../schemas/deletions/deletions.ts'
import { type Deletion as DeletionRow, expireDeletions, restoreDeletion } from '../services/deletions.ts'
import { attempt, changed, inOrder } from '../services/outcomes.ts'
import { lockProjects, lockWorkspaces } from '../services/remove-services.ts'
import { router, sessionProcedure } from '../trpc.ts'

// Deleted services and projects that can be restored: by members who may write to what they were in, and by the member who
// deleted them with a grant of their own.

const list = sessionProcedure
  .input(PageQuery)
  .output(DeletionPage)
  .query(({ ctx, input }) => {
    const reachable = reachesParent(ctx)
    return readPage(
      input,
      selectDeletions(ctx.db).where(reachable).orderBy(desc(deletions.createdAt), desc(deletions.id)),
      async () => (await selectDeletions(ctx.db).where(reachable)).length,
      present,
    )
  })

/** The service or project gets its id, results, variables, grants and bindings back. */
const restore = sessionProcedure
  .meta({ api: { errors: ['already_exists'] } })
  .input(z.object({ id: Id.meta({ description: 'The id of the service or project.' }) }))
  .output(Restored)
  .mutation(({ ctx, input }) => ctx.db.transaction((tx) => restoreOne(tx, ctx, input.id)))

/** Restores what a bulk deletion removed. Each is judged alone: what cannot be restored is skipped, with the reason. */
const restoreMany = sessionProcedure
  .input(Selection)
  .output(BulkResult)
  .mutation(({ ctx, input: { ids } }) =>
    ctx.db.transaction(async (tx) => {
      const outcomes: ServiceOutcome[] = []
      for (const id of ids.toSorted()) {
        outcomes.push(
          await attempt(tx, { id, name: '' }, async (savepoint) => changed(await restoreOne(savepoint, ctx, id))),
        )
      }
      return { services: inOrder(ids, outcomes) }
    }),
  )

const purge = sessionProcedure
  .input(z.object({ id: Id.meta({ description: 'The id of the service or project.' }) }))
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const deletion = await lockDeletion(tx, ctx, input.id)
      await expireDeletions(tx, matchesRow(deletions.id, deletion))
      await audit(tx, ctx, {
        action: `${typeOf(deletion)}.purge`,
        entityType: typeOf(deletion),
        entityId: input.id,
        entityName: deletion.name,
        details: { services: deletion.serviceCount },
      })
      return { ok: true as const }
    }),
  )

export const deletionsRouter = router({ list, restore, restoreMany, purge })

async function restoreOne(tx: Tx, ctx: ActorContext, id: string): Promise<Restored> {
  const deletion = await lockDeletion(tx, ctx, id)
  const name = await restoreDeletion(tx, ctx, deletion)
  const isRenamed = name !== deletion.name
  await audit(tx, ctx, {
    action: `${typeOf(deletion)}.restore`,
    entityType: typeOf(deletion),
    entityId: id,
    entityName: name,
    details: { services: deletion.serviceCount, ...(isRenamed ? { formerName: deletion.name } : {}) },
  })
  return { type: typeOf(deletion), id, name, isRenamed }
}

/** Write on the workspace; for a service also on its project, which must exist; or a deletion by the member. */
function reachesParent({ actor }: ActorContext): SQL {
  return and(
    eq(deletions.organizationId, actor.organizationId),
    or(
      reachesWorkspace(actor, 'write'),
      and(isNotNull(deletions.serviceId), isNotNull(projects.id), reachesProject(actor, 'write')),
      and(or(isNull(deletions.serviceId), isNotNull(projects.id)), isOwn(actor)),
    ),
  ) as SQL
}

/** Whether the member deleted it by a grant on the service or project itself, which is kept with it. */
function isOwn(actor: Actor): SQL {
  return sql`(${deletions.membershipId} = ${actor.membershipId} and exists (
    select from deleted_rows r cross join lateral jsonb_populate_record(null::grants, r.row) g
    where (r.organization_id, r.deletion_id) = (${deletions.organizationId}, ${deletions.id}) and r.table_name = 'grants'
      and g.level >= ${LEVEL_NEEDED.write}
      and ${isGrantee(actor)} and case when ${deletions.serviceId} is null then g.project_id = ${deletions.projectId}
        else g.service_id = ${deletions.serviceId} end))`
}

function selectDeletions(db: Queryable) {
  return db
    .select({ row: deletions, workspaceName: workspaces.name, projectName: projects.name })
    .from(deletions)
    .innerJoin(workspaces, matchesRow(deletions.workspaceId, workspaces))
    .leftJoin(projects, matchesRow(deletions.projectId, projects))
    .$dynamic()
}

/** @throws ApiError `not_found` when it is absent or out of reach */
async function lockDeletion(tx: Tx, ctx: ActorContext, resourceId: string): Promise<DeletionRow> {
  const isResource = or(
    eq(deletions.serviceId, resourceId),
    and(isNull(deletions.serviceId), eq(deletions.projectId, resourceId)),
  )
  const [found] = await selectDeletions(tx).where(
    and(eq(deletions.organizationId, ctx.actor.organizationId), isResource, reachesParent(ctx)),
  )
  if (!found) throw notFound()
  // Parents first, as a deletion of them locks.
  await lockWorkspaces(tx, found.row.organizationId, [found.row.workspaceId])
  await lockProjects(tx, found.row.organizationId, [found.row.projectId])
  const [locked] = await tx.select().from(deletions).where(matchesRow(deletions.id, found.row)).for('update')
  if (!locked) throw notFound()
  return locked
}

function typeOf({ serviceId }: DeletionRow): 'service' | 'project' {
  return serviceId === null ? 'project' : 'service'
}

type Selected = { row: DeletionRow; workspaceName: string; projectName: string | null }

function present({ row, workspaceName, projectName }: Selected): Deletion {
  const isProject = row.serviceId === null
  return {
    type: typeOf(row),
    resourceId: row.serviceId ?? row.projectId,
    name: row.name,
    workspaceName,
    projectName: isProject ? null : projectName,
    serviceCount: row.serviceCount,
    deletedBy: row.deletedBy,
    deletedAt: row.createdAt.toISOString(),
    endsAt: new Date(row.createdAt.getTime() + DELETION_DAYS * DAY_MS).toISOString(),
    isRestorable: isProject || projectName !== null,
  }
}
