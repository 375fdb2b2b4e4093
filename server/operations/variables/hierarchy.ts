import type { z } from 'zod'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import type { variables } from '#db/schema/scoped.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../../access.ts'
import type { Actor, ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { ResourceType, Scope } from '../../schemas/scopes.ts'
import type { VariableHierarchy, VariableScope } from '../../schemas/variables.ts'
import { COMPUTED_VARIABLES, type ComputedSource, SCOPE_PREFIXES } from '../../scripts/computed-variables.ts'
import { presentVariable } from '../../scripts/variable-view.ts'

type Level = Omit<LevelRow, 'state'> & { scope: Scope; source: ComputedSource }

type LevelRow = {
  id: string
  name: string
  canRead: boolean
  canWrite: boolean
  state?: { lastStatus: string | null; lastStatusSince: string | null; lastConsecutive: number | null } | null
}

type VariableRow = Omit<typeof variables.$inferSelect, 'createdAt' | 'updatedAt' | 'sealed'> & {
  createdAt: string
  updatedAt: string
}

/** A resource with the scopes above it, and the variables of them all, oldest first. */
type Row = Partial<Record<ResourceType, LevelRow>> & { variables: VariableRow[] | null }

const JOIN_WORKSPACE = sql`
  join workspaces on (workspaces.organization_id, workspaces.id) = (projects.organization_id, projects.workspace_id)`

/** What a member may do in each scope is selected with it. */
const STATEMENTS: Record<ResourceType, (member: Actor, id: string) => SQL> = {
  service: (member, id) => sql`
    select ${level('service', sql`services`, sql`true`, reachesService(member, 'write'), STATE)},
      ${projectLevel(member)}, ${workspaceLevel(member)},
      ${variablesOf(member, sql`v.service_id = services.id or v.project_id = projects.id or v.workspace_id = workspaces.id`)}
    from services
      join projects on (projects.organization_id, projects.id) = (services.organization_id, services.project_id)
      ${JOIN_WORKSPACE}
      left join service_states st on (st.organization_id, st.service_id) = (services.organization_id, services.id)
    where ${matchesId(services.id, member.organizationId, id)}`,
  project: (member, id) => sql`
    select ${projectLevel(member)}, ${workspaceLevel(member)},
      ${variablesOf(member, sql`v.project_id = projects.id or v.workspace_id = workspaces.id`)}
    from projects ${JOIN_WORKSPACE} where ${matchesId(projects.id, member.organizationId, id)}`,
  workspace: (member, id) => sql`
    select ${workspaceLevel(member)}, ${variablesOf(member, sql`v.workspace_id = workspaces.id`)}
    from workspaces where ${matchesId(workspaces.id, member.organizationId, id)}`,
}

const STATE = sql`case when st.service_id is not null then jsonb_build_object('lastStatus', st.last_status,
  'lastStatusSince', st.last_status_since, 'lastConsecutive', st.last_consecutive) end`

function level(scope: ResourceType, table: SQL, canRead: SQL, canWrite: SQL, state = sql`null::jsonb`): SQL {
  return sql`jsonb_build_object('id', ${table}.id, 'name', ${table}.name, 'canRead', ${canRead}, 'canWrite', ${canWrite},
    'state', ${state}) as ${sql.identifier(scope)}`
}

function projectLevel(member: Actor): SQL {
  return level('project', sql`projects`, reachesProject(member, 'read'), reachesProject(member, 'write'))
}

function workspaceLevel(member: Actor): SQL {
  return level('workspace', sql`workspaces`, reachesWorkspace(member, 'read'), reachesWorkspace(member, 'write'))
}

function variablesOf(member: Actor, ofResources: SQL): SQL {
  return sql`(
    select jsonb_agg(jsonb_build_object('id', v.id, 'organizationId', v.organization_id,
        'workspaceId', v.workspace_id, 'projectId', v.project_id, 'serviceId', v.service_id, 'key', v.key,
        'type', v.type, 'value', v.value, 'systemType', v.system_type, 'isScriptWritten', v.is_script_written,
        'allowedHosts', v.allowed_hosts, 'createdAt', v.created_at, 'updatedAt', v.updated_at)
      order by v.created_at, v.id)
    from variables v where v.organization_id = ${member.organizationId} and (${ofResources}
      or (v.workspace_id is null and v.project_id is null and v.service_id is null))) as variables`
}

/**
 * Reads every scope from the resource up to the organization. In a scope that the caller may not read, every value is
 * masked. A scope that the caller may not write is not editable. The caller has checked that the member reads the resource.
 * @throws ApiError `not_found` when it was deleted meanwhile
 */
export async function readHierarchy(
  ctx: ActorContext,
  type: ResourceType,
  id: string,
): Promise<z.output<typeof VariableHierarchy>> {
  const [row] = await ctx.db.execute<Row>(STATEMENTS[type](ctx.actor, id))
  if (!row) throw notFound('id')
  const held = row.variables ?? []
  return {
    scopes: levelsOf(ctx, row).map((level): VariableScope => {
      const own = held.filter(
        ({ serviceId, projectId, workspaceId, organizationId }) =>
          (serviceId ?? projectId ?? workspaceId ?? organizationId) === level.id,
      )
      return {
        scope: level.scope,
        prefix: SCOPE_PREFIXES[level.scope],
        resourceId: level.id,
        resourceName: level.name,
        editable: level.canWrite,
        variables: own.map((variable) =>
          presentVariable(
            {
              ...variable,
              createdAt: new Date(variable.createdAt),
              updatedAt: new Date(variable.updatedAt),
            },
            !level.canRead,
          ),
        ),
        locked: COMPUTED_VARIABLES[level.scope].map(({ key, description, compute }) => {
          const value = compute(level.source)
          return { key, description, value: value === null ? null : String(value) }
        }),
      }
    }),
  }
}

function levelsOf({ actor }: ActorContext, row: Row): Level[] {
  const scopes = ['service', 'project', 'workspace'] as const
  const levels = scopes.flatMap((scope): Level[] => {
    const found = row[scope]
    if (!found) return []
    const { state, ...own } = found
    const since = state?.lastStatusSince ? new Date(state.lastStatusSince) : null
    return [{ scope, ...own, source: { name: own.name, state: state ? { ...state, lastStatusSince: since } : null } }]
  })
  return [
    ...levels,
    {
      scope: 'organization',
      id: actor.organizationId,
      name: actor.organizationName,
      canRead: actor.sections.settings >= 1,
      canWrite: actor.sections.settings >= 2,
      source: { name: actor.organizationName },
    },
  ]
}
