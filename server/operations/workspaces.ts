import type { Tx } from '#db/client.ts'
import { and, asc, eq, inArray, type SQL } from '#db/drizzle.cjs'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import { deletions } from '#db/schema/deletions.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { reachesWorkspace } from '../access.ts'
import { audit } from '../audit.ts'
import { notFound } from '../errors.ts'
import { readPage } from '../paging.ts'
import { Ok, PageQuery } from '../schemas/conventions.ts'
import { ToggleInput, ToggleResult } from '../schemas/toggles.ts'
import { Workspace, WorkspaceInput, WorkspacePage } from '../schemas/workspaces.ts'
import { insertWorkspace } from '../services/creation.ts'
import { expireDeletions } from '../services/deletions.ts'
import { toToggleResult } from '../services/outcomes.ts'
import { lockProjectsOf, removeServices } from '../services/remove-services.ts'
import { switchServices } from '../services/switching.ts'
import { memberProcedure, orgProcedure, router, workspaceProcedure } from '../trpc.ts'
import { runWorkspace } from './batches/batches.ts'

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/workspaces',
      operationId: 'listWorkspaces',
      summary: 'List workspaces',
      description: 'The workspaces that the caller can see, oldest first.',
      tags: ['Workspaces'],
    },
  })
  .input(PageQuery)
  .output(WorkspacePage)
  .query(({ ctx, input }) => {
    const visible = reachesWorkspace(ctx.actor, 'visible')
    return readPage(
      input,
      ctx.db.select().from(workspaces).where(visible).orderBy(asc(workspaces.createdAt), asc(workspaces.id)),
      () => ctx.db.$count(workspaces, visible),
      present,
    )
  })

const create = orgProcedure('workspaces', 'write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/workspaces',
      operationId: 'createWorkspace',
      summary: 'Create a workspace',
      description: 'The name must be unique in the organization. The caller gets write on the new workspace.',
      tags: ['Workspaces'],
    },
    api: { errors: ['insufficient_permissions', 'already_exists'] },
  })
  .input(WorkspaceInput)
  .output(Workspace)
  .mutation(({ ctx, input }) => ctx.db.transaction(async (tx) => present(await insertWorkspace(tx, ctx, input.name))))

const get = workspaceProcedure('visible')
  .meta({
    openapi: {
      method: 'GET',
      path: '/workspaces/{id}',
      operationId: 'getWorkspace',
      summary: 'Get a workspace',
      description: 'One workspace that the caller can see.',
      tags: ['Workspaces'],
    },
  })
  .output(Workspace)
  .query(({ ctx }) => present(ctx.workspace))

const rename = workspaceProcedure('write')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/workspaces/{id}',
      operationId: 'renameWorkspace',
      summary: 'Rename a workspace',
      description: 'The name must be unique in the organization.',
      tags: ['Workspaces'],
    },
    api: { errors: ['already_exists'] },
  })
  .input(WorkspaceInput)
  .output(Workspace)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const { id, name } = ctx.workspace
      const [row] = await tx
        .update(workspaces)
        .set({ name: input.name })
        .where(matchesRow(workspaces.id, ctx.workspace))
        .returning()
      if (!row) throw notFound()
      await audit(tx, ctx, {
        action: 'workspace.rename',
        entityType: 'workspace',
        entityId: id,
        entityName: row.name,
        details: row.name === name ? { changed: false } : { from: name, to: row.name },
      })
      return present(row)
    }),
  )

const remove = workspaceProcedure('write')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/workspaces/{id}',
      operationId: 'deleteWorkspace',
      summary: 'Delete a workspace with everything in it',
      description:
        'Deletes its projects, services, results, variables, grants and bindings too. It cannot be restored.',
      tags: ['Workspaces'],
    },
  })
  .output(Ok)
  .mutation(({ ctx }) =>
    ctx.db.transaction(async (tx) => {
      const { id, organizationId, name } = ctx.workspace
      const own = matchesRow(workspaces.id, ctx.workspace)
      const [locked] = await tx.select({ id: workspaces.id }).from(workspaces).where(own).for('update')
      if (!locked) throw notFound()
      const projectIds = await lockProjectsOf(tx, organizationId, id)
      const removed = await removeServices(tx, organizationId, isIn(tx, ctx.workspace))
      // Without their workspace, deleted projects and services cannot be restored.
      await expireDeletions(tx, matchesRow(deletions.workspaceId, ctx.workspace))
      await tx.delete(workspaces).where(own)
      await audit(tx, ctx, {
        action: 'workspace.delete',
        entityType: 'workspace',
        entityId: id,
        entityName: name,
        details: { projects: projectIds.length, services: removed },
      })
      return { ok: true as const }
    }),
  )

const toggleServices = workspaceProcedure('write')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/workspaces/{id}/services-toggle',
      operationId: 'toggleWorkspaceServices',
      summary: 'Switch every service of a workspace on or off',
      description:
        'Switches all services in one transaction. A service that cannot be switched on, for example one without a script, is skipped and listed with its reason.',
      tags: ['Workspaces'],
    },
  })
  .input(ToggleInput)
  .output(ToggleResult)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const { id, name } = ctx.workspace
      const result = toToggleResult(await switchServices(tx, ctx, isIn(tx, ctx.workspace), input.isActive))
      await audit(tx, ctx, {
        action: 'workspace.toggle_services',
        entityType: 'workspace',
        entityId: id,
        entityName: name,
        details: { isActive: input.isActive, matched: result.matched, changed: result.changed },
      })
      return result
    }),
  )

export const workspacesRouter = router({ list, create, get, rename, remove, toggleServices, run: runWorkspace })

/** Returns the condition for services of a workspace. */
function isIn(tx: Tx, workspace: RowKey<string>): SQL {
  const ofWorkspace = tx.select({ id: projects.id }).from(projects).where(matchesRow(projects.workspaceId, workspace))
  const own = eq(services.organizationId, workspace.organizationId)
  return and(own, inArray(services.projectId, ofWorkspace)) as SQL
}

function present(row: { id: string; name: string; createdAt: Date }): Workspace {
  return { id: row.id, name: row.name, createdAt: row.createdAt.toISOString() }
}
