import { asc, eq, or, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../../access.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { ResourceType, Scope } from '../../schemas/scopes.ts'
import type { VariableHierarchy, VariableScope } from '../../schemas/variables.ts'
import { belongsToScope } from '../../scopes.ts'
import { COMPUTED_VARIABLES, type ComputedSource, SCOPE_PREFIXES } from '../../scripts/computed-variables.ts'
import { presentVariable } from '../../scripts/variable-view.ts'

type Level = {
  scope: Scope
  id: string
  name: string
  canRead: boolean
  canWrite: boolean
  source: ComputedSource
}

/**
 * Reads every scope from the resource up to the organization. In a scope that the caller may not read, every value is
 * masked. A scope that the caller may not write is not editable.
 * @throws ApiError `not_found` when the resource was deleted in the meantime
 */
export async function readHierarchy(
  ctx: ActorContext,
  type: ResourceType,
  id: string,
): Promise<z.output<typeof VariableHierarchy>> {
  const levels = await readLevels(ctx, type, id)
  const rows = await ctx.db
    .select()
    .from(variables)
    .where(or(...levels.map((level) => belongsToScope(variables, refOf(ctx, level)))))
    .orderBy(asc(variables.createdAt), asc(variables.id))
  return {
    scopes: levels.map((level): VariableScope => {
      const own = rows.filter(
        (row) => (row.serviceId ?? row.projectId ?? row.workspaceId ?? row.organizationId) === level.id,
      )
      return {
        scope: level.scope,
        prefix: SCOPE_PREFIXES[level.scope],
        resourceId: level.id,
        resourceName: level.name,
        editable: level.canWrite,
        variables: own.map((row) => presentVariable(row, !level.canRead)),
        locked: COMPUTED_VARIABLES[level.scope].map(({ key, description, compute }) => {
          const value = compute(level.source)
          return { key, description, value: value === null ? null : String(value) }
        }),
      }
    }),
  }
}

async function readLevels(ctx: ActorContext, type: ResourceType, id: string): Promise<Level[]> {
  const { actor, db } = ctx
  const levels: Level[] = []
  let projectId = type === 'project' ? id : null
  let workspaceId = type === 'workspace' ? id : null
  if (type === 'service') {
    const [row] = await db
      .select({
        name: services.name,
        projectId: services.projectId,
        canWrite: asBoolean(reachesService(actor, 'write')),
        state: {
          lastStatus: serviceStates.lastStatus,
          lastStatusSince: serviceStates.lastStatusSince,
          lastConsecutive: serviceStates.lastConsecutive,
        },
      })
      .from(services)
      .leftJoin(serviceStates, matchesRow(serviceStates.serviceId, services))
      .where(eq(services.id, id))
    if (!row) throw notFound('id')
    projectId = row.projectId
    levels.push({
      scope: 'service',
      id,
      name: row.name,
      canRead: true,
      canWrite: row.canWrite,
      source: { name: row.name, state: row.state },
    })
  }
  if (projectId) {
    const [row] = await db
      .select({
        name: projects.name,
        workspaceId: projects.workspaceId,
        canRead: asBoolean(reachesProject(actor, 'read')),
        canWrite: asBoolean(reachesProject(actor, 'write')),
      })
      .from(projects)
      .where(eq(projects.id, projectId))
    if (!row) throw notFound('id')
    workspaceId = row.workspaceId
    levels.push({ scope: 'project', id: projectId, ...row, source: { name: row.name } })
  }
  if (workspaceId) {
    const [row] = await db
      .select({
        name: workspaces.name,
        canRead: asBoolean(reachesWorkspace(actor, 'read')),
        canWrite: asBoolean(reachesWorkspace(actor, 'write')),
      })
      .from(workspaces)
      .where(eq(workspaces.id, workspaceId))
    if (!row) throw notFound('id')
    levels.push({ scope: 'workspace', id: workspaceId, ...row, source: { name: row.name } })
  }
  levels.push({
    scope: 'organization',
    id: actor.organizationId,
    name: actor.organizationName,
    canRead: actor.sections.settings >= 1,
    canWrite: actor.sections.settings >= 2,
    source: { name: actor.organizationName },
  })
  return levels
}

function refOf(ctx: ActorContext, level: Level) {
  return { organizationId: ctx.actor.organizationId, scope: level.scope, resourceId: level.id }
}

function asBoolean(condition: SQL): SQL<boolean> {
  return condition as SQL<boolean>
}
