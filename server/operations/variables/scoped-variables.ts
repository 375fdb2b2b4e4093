import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { and, asc, eq, isNull, sql } from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { variables } from '#db/schema/scoped.ts'
import { REACHABLE } from '../../access.ts'
import { audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, fieldInvalid, notFound } from '../../errors.ts'
import { readPage } from '../../paging.ts'
import { requireResource } from '../../resources.ts'
import { belongsToScope, type ScopeRef, scopeIds } from '../../row-scope.ts'
import { systemValueProblem } from '../../schemas/alerts/system-variables.ts'
import { Ok, PageQuery, ProjectId, ServiceId, VariableId, WorkspaceId } from '../../schemas/conventions.ts'
import type { ErrorCode } from '../../schemas/errors/error-table.ts'
import { normalizeHosts } from '../../schemas/host-patterns.ts'
import type { ResourceType, Scope } from '../../schemas/scopes.ts'
import {
  MASK,
  Variable,
  VariableChange,
  VariableCreate,
  VariableHierarchy,
  VariablePage,
} from '../../schemas/variables.ts'
import { COMPUTED_VARIABLES } from '../../scripts/computed-variables.ts'
import { presentVariable } from '../../scripts/variable-view.ts'
import { refreshTargetHosts } from '../../services/variable-users.ts'
import { type Meta, memberProcedure, type Needs, orgProcedure, router } from '../../trpc.ts'
import { readHierarchy } from './hierarchy.ts'

type Row = typeof variables.$inferSelect
const VariableRef = z.object({ varId: VariableId })
const SCOPE_IDS = { workspace: WorkspaceId, project: ProjectId, service: ServiceId } as const

type Verb = 'list' | 'create' | 'update' | 'delete' | 'hierarchy'

const DESCRIPTIONS: Record<Verb, string> = {
  list: 'The variables of this scope itself, oldest first. Only values of metrics are shown.',
  create: 'The key must be unique in the scope. The value of a variable or a secret cannot be read again.',
  update:
    'Changes the value, and with `allowedHosts` the hosts that a secret may be sent to. The mask is refused as a value.',
  delete: 'Scripts that read it get null from then on.',
  hierarchy:
    'All scopes from the resource up to the organization, each with its computed variables. Only values of metrics are shown.',
}

/** The operations on variables of the organization (`/variables`). */
export const organizationVariablesRouter = router({
  list: inOrganization('read')
    .meta(metaOf('organization', 'GET', '', 'list', 'List the variables'))
    .input(PageQuery)
    .output(VariablePage)
    .query(({ ctx, input }) => {
      const { rows, count } = select(ctx, ctx.scope)
      return readPage(input, rows, count, presentVariable)
    }),
  create: inOrganization('write')
    .meta(
      metaOf('organization', 'POST', '', 'create', 'Create a variable', [
        'field_invalid',
        'variable_limit_reached',
        'already_exists',
      ]),
    )
    .input(VariableCreate)
    .output(Variable)
    .mutation(({ ctx, input }) => create(ctx, input)),
  update: inOrganization('write')
    .meta(metaOf('organization', 'PATCH', '/{varId}', 'update', 'Change a variable', ['field_invalid']))
    .input(VariableRef.extend(VariableChange.shape))
    .output(Variable)
    .mutation(({ ctx, input }) => changeVariable(ctx, input)),
  remove: inOrganization('write')
    .meta(metaOf('organization', 'DELETE', '/{varId}', 'delete', 'Delete a variable'))
    .input(VariableRef)
    .output(Ok)
    .mutation(({ ctx, input }) => remove(ctx, input.varId)),
})

export const workspaceVariablesRouter = resourceVariables('workspace')
export const projectVariablesRouter = resourceVariables('project')
export const serviceVariablesRouter = resourceVariables('service')

/** The same operations and the hierarchy, for variables of a workspace, project or service. */
function resourceVariables(scope: ResourceType) {
  return router({
    list: inResource(scope, 'read')
      .meta(metaOf(scope, 'GET', '', 'list', `List the variables of a ${scope}`))
      .input(PageQuery)
      .output(VariablePage)
      .query(({ ctx, input }) => {
        const { rows, count } = select(ctx, ctx.scope)
        return readPage(input, rows, count, presentVariable)
      }),
    create: inResource(scope, 'write')
      .meta(
        metaOf(scope, 'POST', '', 'create', `Create a variable of a ${scope}`, [
          'field_invalid',
          'variable_limit_reached',
          'reserved_key',
          'already_exists',
        ]),
      )
      .input(VariableCreate)
      .output(Variable)
      .mutation(({ ctx, input }) => create(ctx, input)),
    update: inResource(scope, 'write')
      .meta(
        metaOf(scope, 'PATCH', '/{varId}', 'update', `Change a variable of a ${scope}`, [
          'readonly_variable',
          'field_invalid',
        ]),
      )
      .input(VariableRef.extend(VariableChange.shape))
      .output(Variable)
      .mutation(({ ctx, input }) => changeVariable(ctx, input)),
    remove: inResource(scope, 'write')
      .meta(metaOf(scope, 'DELETE', '/{varId}', 'delete', `Delete a variable of a ${scope}`, ['system_variable']))
      .input(VariableRef)
      .output(Ok)
      .mutation(({ ctx, input }) => remove(ctx, input.varId)),
    hierarchy: inResource(scope, 'read')
      .meta(metaOf(scope, 'GET', '/hierarchy', 'hierarchy', `Read every variable that scripts of a ${scope} can use`))
      .output(VariableHierarchy)
      .query(({ ctx }) => readHierarchy(ctx, scope, ctx.scope.resourceId)),
  })
}

export type ScopedContext = ActorContext & { scope: ScopeRef & { name: string } }

function inOrganization(level: 'read' | 'write') {
  return orgProcedure('settings', level).use(({ ctx, next }) => {
    const { organizationId, organizationName } = ctx.actor
    const scope = { organizationId, scope: 'organization' as Scope, resourceId: organizationId, name: organizationName }
    return next({ ctx: { scope } })
  })
}

function inResource(type: ResourceType, reach: 'read' | 'write') {
  const needs: Needs = { on: [type], level: reach }
  return memberProcedure
    .meta({ needs })
    .input(z.object({ id: SCOPE_IDS[type] }))
    .use(async ({ ctx, input, next }) => {
      const { id, name } = await requireResource(ctx, type, input.id, reach, 'id')
      const scope = { organizationId: ctx.actor.organizationId, scope: type as Scope, resourceId: id, name }
      return next({ ctx: { scope } })
    })
}

function select({ db }: ActorContext, scope: ScopeRef) {
  const inScope = belongsToScope(variables, scope)
  return {
    rows: db.select().from(variables).where(inScope).orderBy(asc(variables.createdAt), asc(variables.id)),
    count: () => db.$count(variables, inScope),
  }
}

function create(ctx: ScopedContext, input: z.output<typeof VariableCreate>): Promise<Variable> {
  return ctx.db.transaction(async (tx) => presentVariable(await insertVariable(tx, ctx, input)))
}

/** @throws ApiError `reserved_key`, `field_invalid`, `already_exists` on `key`, `variable_limit_reached` */
export async function insertVariable(tx: Tx, ctx: ScopedContext, input: z.output<typeof VariableCreate>): Promise<Row> {
  if (COMPUTED_VARIABLES[ctx.scope.scope].some((computed) => computed.key === input.key))
    throw new ApiError('reserved_key', { key: input.key })
  requireUnmasked(input.value)
  const allowedHosts = readHosts(input.type, input.allowedHosts) ?? []
  await requireVariableLimit(tx, ctx, input.key)
  const id = uuidv7()
  const now = ctx.now()
  const [row] = await tx
    .insert(variables)
    .values({
      id,
      ...scopeIds(ctx.scope),
      key: input.key,
      type: input.type,
      ...valueColumns(ctx, id, input.type, input.value),
      allowedHosts,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  await refreshTargetHosts(tx, ctx, ctx.scope, input.key)
  await audit(tx, ctx, auditEntry('create', row as Row, ctx, allowedHosts.length > 0 ? { allowedHosts } : {}))
  return row as Row
}

/** Omitted fields keep their values. The audit entry has hosts and the values of system variables before and after. */
export function changeVariable(
  ctx: ScopedContext,
  input: { varId: string; value?: string | undefined; allowedHosts?: string[] | undefined },
): Promise<Variable> {
  return ctx.db.transaction(async (tx) => {
    const row = await lock(tx, ctx, input.varId)
    if (row.isScriptWritten) throw new ApiError('readonly_variable', { key: row.key })
    if (input.value !== undefined) {
      requireUnmasked(input.value)
      requireSystemValue(row, input.value)
    }
    const allowedHosts = readHosts(row.type, input.allowedHosts) ?? row.allowedHosts
    const [changed] = await tx
      .update(variables)
      .set({
        ...(input.value === undefined ? {} : valueColumns(ctx, row.id, row.type, input.value)),
        allowedHosts,
        updatedAt: ctx.now(),
      })
      .where(matchesRow(variables.id, row))
      .returning()
    if (input.value !== undefined) await refreshTargetHosts(tx, ctx, ctx.scope, row.key)
    const { changed: _, ...shown } = changedFields(row, { allowedHosts, ...(row.systemType && { value: input.value }) })
    await audit(tx, ctx, auditEntry('update', row, ctx, shown))
    return presentVariable(changed as Row)
  })
}

function remove(ctx: ScopedContext, varId: string): Promise<{ ok: true }> {
  return ctx.db.transaction(async (tx) => {
    const row = await lock(tx, ctx, varId)
    if (row.systemType) throw new ApiError('system_variable', { key: row.key })
    await tx.delete(variables).where(matchesRow(variables.id, row))
    await refreshTargetHosts(tx, ctx, ctx.scope, row.key)
    await audit(tx, ctx, auditEntry('delete', row, ctx))
    return { ok: true as const }
  })
}

/**
 * Locks the resource and then its variable, as the deletion of the resource does. The services whose scripts name the
 * variable are locked after that. @throws ApiError `not_found` when the scope has no such variable
 */
async function lock(tx: Tx, ctx: ScopedContext, varId: string): Promise<Row> {
  const { scope, organizationId, resourceId } = ctx.scope
  if (scope !== 'organization') {
    const [table] = REACHABLE[scope]
    const own = matchesId(table.id, organizationId, resourceId)
    // The change may write the service too: the hosts that its script names.
    const strength = scope === 'service' ? 'no key update' : 'key share'
    await tx.select({ id: table.id }).from(table).where(own).for(strength)
  }
  const [row] = await tx
    .select()
    .from(variables)
    .where(and(eq(variables.id, varId), belongsToScope(variables, ctx.scope)))
    .for('update')
  if (!row) throw notFound('varId')
  return row
}

/** Counts under a lock on the scope, so that two parallel creations cannot exceed the limit. */
async function requireVariableLimit(tx: Tx, ctx: ScopedContext, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`variables:${ctx.scope.resourceId}`}, 0))`)
  const inScope = belongsToScope(variables, ctx.scope)
  const [holder] = await tx
    .select({ id: variables.id })
    .from(variables)
    .where(and(inScope, eq(variables.key, key)))
  // Who may write in a scope may see its variables.
  if (holder) throw new ApiError('already_exists', { field: 'key', id: holder.id })
  const count = await tx.$count(variables, and(inScope, isNull(variables.systemType)))
  const max = ctx.settings.VARIABLES_PER_SCOPE_MAX
  if (count >= max) throw new ApiError('variable_limit_reached', { max })
}

/** A client that sends back what it read would replace the value with its mask. @throws ApiError `field_invalid` */
function requireUnmasked(value: string): void {
  if (value === MASK) throw fieldInvalid('value', 'must not be the mask that responses show in place of the value')
}

/** @throws ApiError `field_invalid` on `value` when the variable's system type does not allow it */
function requireSystemValue(row: Row, value: string): void {
  const problem = row.systemType && systemValueProblem(row.key, value)
  if (problem) throw fieldInvalid('value', problem)
}

/** @throws ApiError `field_invalid` on `allowedHosts` for a variable that is not a secret */
function readHosts(type: Row['type'], patterns: string[] | undefined): string[] | undefined {
  if (patterns === undefined) return undefined
  if (type !== 'secret' && patterns.length > 0)
    throw fieldInvalid('allowedHosts', 'must be empty unless the type is secret')
  return normalizeHosts(patterns)
}

function valueColumns(ctx: ScopedContext, id: string, type: Row['type'], value: string): Pick<Row, 'value' | 'sealed'> {
  if (type === 'metric') return { value, sealed: null }
  return { value: null, sealed: ctx.vault.seal(value, 'variable', ctx.scope.organizationId, id) }
}

function auditEntry(verb: string, row: Row, ctx: ScopedContext, shown: Record<string, unknown> = {}) {
  return {
    action: `variable.${verb}`,
    entityType: 'variable',
    entityId: row.id,
    entityName: row.key,
    details: {
      scope: ctx.scope.scope,
      resourceId: ctx.scope.resourceId,
      resourceName: ctx.scope.name,
      type: row.type,
      ...shown,
    },
  }
}

function metaOf(
  scope: Scope,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  verb: Verb,
  summary: string,
  errors: ErrorCode[] = [],
): Meta {
  const prefix = scope === 'organization' ? '' : (`/${scope}s/{id}` as const)
  const owner = scope[0]?.toUpperCase() + scope.slice(1)
  const subject = verb === 'list' ? 'Variables' : verb === 'hierarchy' ? 'VariableHierarchy' : 'Variable'
  return {
    openapi: {
      method,
      path: `${prefix}/variables${path}` as `/${string}`,
      operationId: `${verb === 'hierarchy' ? 'get' : verb}${owner}${subject}`,
      summary,
      description: DESCRIPTIONS[verb],
      tags: ['Variables'],
    },
    api: { errors: scope === 'organization' ? ['insufficient_permissions', ...errors] : errors },
  }
}
