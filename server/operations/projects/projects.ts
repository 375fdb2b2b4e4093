import { z } from 'zod'
import { matchesRow } from '#db/row-match.ts'
import { projects, services } from '#db/schema/resources.ts'
import { audit } from '../../audit.ts'
import { notFound } from '../../errors.ts'
import { requireWorkspace } from '../../resources.ts'
import { Ok, ProjectId } from '../../schemas/conventions.ts'
import { Project, ProjectChange, ProjectCreate, ProjectPage, ProjectQuery } from '../../schemas/projects.ts'
import { ToggleInput, ToggleResult } from '../../schemas/toggles.ts'
import { insertProject } from '../../services/creation.ts'
import { deleteProject } from '../../services/deletions.ts'
import { toToggleResult } from '../../services/outcomes.ts'
import { presentNewProject, readProject, readProjectPage } from '../../services/projects.ts'
import { lockWorkspaces } from '../../services/remove-services.ts'
import { switchServices } from '../../services/switching.ts'
import { memberProcedure, projectProcedure, router } from '../../trpc.ts'
import { runProject } from '../batches/batches.ts'
import { metricsTokensRouter } from './metrics-tokens.ts'

const tags = ['Projects']

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/projects',
      operationId: 'listProjects',
      summary: 'List the projects of a workspace',
      description: 'The projects of the workspace that the caller can see, oldest first.',
      tags,
    },
    needs: { on: ['workspace'], level: 'visible' },
    api: { errors: ['field_required'] },
  })
  .input(ProjectQuery)
  .output(ProjectPage)
  .query(({ ctx, input }) => readProjectPage(ctx, input))

const create = memberProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/projects',
      operationId: 'createProject',
      summary: 'Create a project',
      description: 'The name must be unique in it.',
      tags,
    },
    needs: { on: ['workspace'], level: 'write' },
    api: { errors: ['already_exists'] },
  })
  .input(ProjectCreate)
  .use(async ({ ctx, input, next }) => {
    const workspace = await requireWorkspace(ctx, input.workspaceId, 'write', 'workspaceId')
    return next({ ctx: { workspace } })
  })
  .output(Project)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => presentNewProject(await insertProject(tx, ctx, ctx.workspace, input.name))),
  )

const get = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/projects/{id}',
      operationId: 'getProject',
      summary: 'Get a project',
      description: 'One project that the caller can see, with the metrics of its services.',
      tags,
    },
    needs: { on: ['project'], level: 'visible' },
  })
  .input(z.object({ id: ProjectId }))
  .output(Project)
  .query(({ ctx, input }) => readProject(ctx, input.id))

const rename = projectProcedure('write')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/projects/{id}',
      operationId: 'renameProject',
      summary: 'Rename a project',
      description: 'The name must be unique in its workspace.',
      tags,
    },
    api: { errors: ['already_exists'] },
  })
  .input(ProjectChange)
  .output(Project)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const { id, name } = ctx.project
      const [row] = await tx
        .update(projects)
        .set({ name: input.name })
        .where(matchesRow(projects.id, ctx.project))
        .returning()
      if (!row) throw notFound()
      await audit(tx, ctx, {
        action: 'project.rename',
        entityType: 'project',
        entityId: id,
        entityName: row.name,
        details: row.name === name ? { changed: false } : { from: name, to: row.name },
      })
      return readProject(ctx, id, tx)
    }),
  )

const remove = projectProcedure('write')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/projects/{id}',
      operationId: 'deleteProject',
      summary: 'Delete a project with its services',
      description:
        'Deletes its services, results, variables, grants and bindings too. For seven days it can be restored in the dashboard.',
      tags,
    },
  })
  .output(Ok)
  .mutation(({ ctx }) =>
    ctx.db.transaction(async (tx) => {
      const { id, name, workspaceId } = ctx.project
      await lockWorkspaces(tx, ctx.project.organizationId, [workspaceId])
      const [locked] = await tx.select().from(projects).where(matchesRow(projects.id, ctx.project)).for('update')
      if (!locked) throw notFound()
      const removed = await deleteProject(tx, ctx, locked)
      await audit(tx, ctx, {
        action: 'project.delete',
        entityType: 'project',
        entityId: id,
        entityName: name,
        details: { services: removed },
      })
      return { ok: true as const }
    }),
  )

const toggleServices = projectProcedure('write')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/projects/{id}/services-toggle',
      operationId: 'toggleProjectServices',
      summary: 'Switch every service of a project on or off',
      description:
        'Switches all services in one transaction. A service that cannot be switched on, for example one without a script, is skipped and listed with its reason.',
      tags,
    },
  })
  .input(ToggleInput)
  .output(ToggleResult)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const { id, name } = ctx.project
      const result = toToggleResult(
        await switchServices(tx, ctx, matchesRow(services.projectId, ctx.project), input.isActive),
      )
      await audit(tx, ctx, {
        action: 'project.toggle_services',
        entityType: 'project',
        entityId: id,
        entityName: name,
        details: { isActive: input.isActive, matched: result.matched, changed: result.changed },
      })
      return result
    }),
  )

export const projectsRouter = router({
  list,
  create,
  get,
  rename,
  remove,
  toggleServices,
  run: runProject,
  metricsTokens: metricsTokensRouter,
})
