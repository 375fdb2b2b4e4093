import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { type AnyColumn, and, eq, isNotNull, type SQL, sql, unionAll } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { groups, memberships, users } from '#db/schema/organizations.ts'
import { grants } from '#db/schema/scoped.ts'
import { audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { fieldInvalid, notFound } from '../errors.ts'
import { requireResource } from '../resources.ts'
import { belongsToScope, type ScopeRef, scopeIds } from '../row-scope.ts'
import { AccessEntry, AccessGrant, AccessRemoval, PRINCIPAL_TYPES, PrincipalType } from '../schemas/access.ts'
import { LEVELS, type LevelName } from '../schemas/account/sections.ts'
import { Ok } from '../schemas/conventions.ts'
import { FoundPlace, PlaceSearch } from '../schemas/organization/places.ts'
import { RESOURCE_TYPES, ResourceRef } from '../schemas/scopes.ts'
import { findPlaces } from '../services/places/find-places.ts'
import { memberProcedure, router, sessionProcedure } from '../trpc.ts'

const tags = ['Access']

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/access/{resourceType}/{resourceId}',
      operationId: 'listAccess',
      summary: 'List the grants on a resource',
      description: 'The grants of members and groups on this resource itself, by name.',
      tags,
    },
    needs: { on: RESOURCE_TYPES, level: 'write' },
  })
  .input(ResourceRef)
  .output(z.array(AccessEntry))
  .query(async ({ ctx, input }) => {
    await requireResource(ctx, input.resourceType, input.resourceId, 'write')
    const inScope = belongsToScope(grants, refOf(ctx, input))
    const noEmail = sql<string | null>`null::text`.as('email')
    const entries = unionAll(
      ctx.db
        .select({
          type: kind('user'),
          id: users.id,
          name: users.displayName,
          email: email(users.email),
          level: grants.level,
          notify: grants.notify,
        })
        .from(grants)
        .innerJoin(memberships, matchesRow(grants.membershipId, memberships))
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(and(inScope, isNotNull(grants.membershipId))),
      ctx.db
        .select({
          type: kind('group'),
          id: groups.id,
          name: groups.name,
          email: noEmail,
          level: grants.level,
          notify: grants.notify,
        })
        .from(grants)
        .innerJoin(groups, matchesRow(grants.groupId, groups))
        .where(and(inScope, isNotNull(grants.groupId))),
    ).as('entries')
    const rows = await ctx.db.select().from(entries).orderBy(byName(entries.name), entries.id)
    return rows.map(
      ({ type, id, name, email: address, level, notify }): AccessEntry => ({
        principalType: type,
        principalId: id,
        name,
        ...(address === null ? {} : { email: address }),
        permissions: level,
        notify,
      }),
    )
  })

const set = memberProcedure
  .meta({
    openapi: {
      method: 'PUT',
      path: '/access/{resourceType}/{resourceId}',
      operationId: 'setAccess',
      summary: 'Grant access to a resource, or change the grant',
      description: 'The grant also counts for everything in the resource.',
      tags,
    },
    needs: { on: RESOURCE_TYPES, level: 'write' },
  })
  .input(AccessGrant)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const principalType = PrincipalType.safeParse(input.principalType)
    if (!principalType.success) throw fieldInvalid('principalType', `must be one of ${PRINCIPAL_TYPES.join(', ')}`)
    const resource = await requireResource(ctx, input.resourceType, input.resourceId, 'write')
    await ctx.db.transaction(async (tx) => {
      const principal = await requirePrincipal(tx, ctx, principalType.data, input.principalId)
      const [held] = await tx
        .select({ level: grants.level, notify: grants.notify })
        .from(grants)
        .where(and(belongsToScope(grants, refOf(ctx, input)), principal.isHolder))
      const { permissions: level, notify = held?.notify ?? true } = input
      await tx
        .insert(grants)
        .values({ id: uuidv7(), ...scopeIds(refOf(ctx, input)), ...principal.columns, level, notify })
        .onConflictDoUpdate({
          target: [
            grants.organizationId,
            grants.workspaceId,
            grants.projectId,
            grants.serviceId,
            grants.membershipId,
            grants.groupId,
          ],
          set: { level, ...(input.notify !== undefined && { notify }) },
        })
      await audit(tx, ctx, {
        action: 'access.set',
        entityType: input.resourceType,
        entityId: resource.id,
        entityName: resource.name,
        details: {
          principalType: principalType.data,
          principalId: input.principalId,
          principalName: principal.name,
          ...(held?.level === level
            ? { permissions: levelName(level), ...(held.notify === notify && { changed: false }) }
            : { permissions: { from: levelName(held?.level), to: levelName(level) } }),
          ...(notify !== (held?.notify ?? true) && { notify: { from: held?.notify ?? null, to: notify } }),
        },
      })
    })
    return { ok: true as const }
  })

const remove = memberProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/access/{resourceType}/{resourceId}/{principalType}/{principalId}',
      operationId: 'removeAccess',
      summary: 'Remove a grant on a resource',
      description: 'Grants above or below it stay.',
      tags,
    },
    needs: { on: RESOURCE_TYPES, level: 'write' },
  })
  .input(AccessRemoval)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const resource = await requireResource(ctx, input.resourceType, input.resourceId, 'write')
    await ctx.db.transaction(async (tx) => {
      const principal = await requirePrincipal(tx, ctx, input.principalType, input.principalId)
      const [grant] = await tx
        .delete(grants)
        .where(and(belongsToScope(grants, refOf(ctx, input)), principal.isHolder))
        .returning({ level: grants.level })
      if (!grant) throw notFound('principalId')
      await audit(tx, ctx, {
        action: 'access.remove',
        entityType: input.resourceType,
        entityId: resource.id,
        entityName: resource.name,
        details: {
          principalType: input.principalType,
          principalId: input.principalId,
          principalName: principal.name,
          permissions: { from: levelName(grant.level), to: null },
        },
      })
    })
    return { ok: true as const }
  })

/** Finds the places that a picker of the dashboard offers, by name. */
const places = sessionProcedure
  .input(PlaceSearch.prefault({}))
  .output(z.array(FoundPlace))
  .query(({ ctx, input }) => findPlaces(ctx.db, ctx.actor, input.q, input.level))

export const accessRouter = router({ list, set, remove, places })

type Principal = { name: string; columns: { membershipId?: string; groupId?: string }; isHolder: SQL }

/** @throws ApiError `not_found` for a principal that does not exist or belongs to another organization */
async function requirePrincipal(tx: Tx, ctx: ActorContext, type: 'user' | 'group', id: string): Promise<Principal> {
  const { organizationId } = ctx.actor
  if (type === 'group') {
    const [group] = await tx
      .select()
      .from(groups)
      .where(and(eq(groups.organizationId, organizationId), eq(groups.id, id)))
    if (!group) throw notFound('principalId')
    return { name: group.name, columns: { groupId: group.id }, isHolder: matchesRow(grants.groupId, group) }
  }
  const [member] = await tx
    .select({ id: memberships.id, name: users.displayName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, id)))
  if (!member) throw notFound('principalId')
  return {
    name: member.name,
    columns: { membershipId: member.id },
    isHolder: matchesId(grants.membershipId, organizationId, member.id),
  }
}

function levelName(level: number | undefined): LevelName | null {
  return level === undefined ? null : (LEVELS[level] ?? null)
}

function refOf(ctx: ActorContext, input: ResourceRef): ScopeRef {
  return { organizationId: ctx.actor.organizationId, scope: input.resourceType, resourceId: input.resourceId }
}

function kind(type: 'user' | 'group') {
  return sql<'user' | 'group'>`${sql.raw(`'${type}'`)}::text`.as('type')
}

function email(column: AnyColumn) {
  return sql<string | null>`${column}`.as('email')
}
