import { v7 as uuidv7 } from 'uuid'
import type { Queryable } from '#db/client.ts'
import { and, asc, eq, type SQL } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesRow } from '#db/row-match.ts'
import { groupMembers, groups, memberships, users } from '#db/schema/organizations.ts'
import { grants } from '#db/schema/scoped.ts'
import { audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { readPage } from '../../paging.ts'
import { levelNames } from '../../schemas/account/sections.ts'
import { Ok, PageQuery } from '../../schemas/conventions.ts'
import { Group } from '../../schemas/groups.ts'
import {
  GroupChange,
  GroupCreate,
  GroupMemberPage,
  GroupMembership,
  GroupRef,
  OrganizationGroup,
  OrganizationGroupPage,
} from '../../schemas/organization/organizations.ts'
import { PlacedGrantPage } from '../../schemas/organization/places.ts'
import { SearchedPage } from '../../schemas/organization/search.ts'
import { contains } from '../../services/places/contains.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'
import { memberFields } from '../members.ts'
import {
  adminLevelOf,
  changedLevels,
  levelsOf,
  lockMember,
  lockMembers,
  requireAdminLevel,
  requireAdminLevelOfMembers,
  requireGrantableGroups,
  requireOwnLevels,
  toLevels,
} from './delegation.ts'
import { endInvitations } from './invitation-ends.ts'
import { presentPlacedGrant, selectPlacedGrants } from './reached-places.ts'

const list = orgSessionProcedure('users', 'read')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .input(SearchedPage.prefault({}))
  .output(OrganizationGroupPage)
  .query(({ ctx, input }) => {
    const own = and(eq(groups.organizationId, ctx.actor.organizationId), contains(groups.name, input.q)) as SQL
    return readPage(input, selectGroups(ctx.db, own), () => ctx.db.$count(groups, own), present)
  })

const get = orgSessionProcedure('users', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(GroupRef)
  .output(OrganizationGroup)
  .query(async ({ ctx, input }) => {
    const { organizationId } = ctx.actor
    const [row] = await selectGroups(ctx.db, matchesRow(groups.id, { organizationId, id: input.groupId }))
    if (!row) throw notFound('groupId')
    return present(row)
  })

/** Lists the grants of a group. Places that the reader does not see have no name. */
const listGrants = orgSessionProcedure('users', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(GroupRef.extend(PageQuery.shape))
  .output(PlacedGrantPage)
  .query(async ({ ctx, input }) => {
    const group = await requireGroup(ctx.db, ctx, input.groupId)
    const ofGroup = matchesRow(grants.groupId, group)
    return readPage(
      input,
      selectPlacedGrants(ctx.db, ctx.actor, ofGroup),
      () => ctx.db.$count(grants, ofGroup),
      presentPlacedGrant,
    )
  })

/** A group gives its levels to its members, so it may not have more than the member who creates it. */
const create = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'already_exists'] } })
  .input(GroupCreate)
  .output(Group)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const levels = toLevels(input.permissions)
      requireOwnLevels(ctx.actor, levels)
      const id = uuidv7()
      const { name, requireTotp = false } = input
      await tx
        .insert(groups)
        .values({ id, organizationId: ctx.actor.organizationId, name, requireTotp, ...levels, createdAt: ctx.now() })
      await audit(tx, ctx, {
        action: 'group.create',
        entityType: 'group',
        entityId: id,
        entityName: name,
        details: { permissions: input.permissions, requireTotp },
      })
      return { id, name, memberCount: 0 }
    }),
  )

/** Omitted fields and sections keep their values. */
const update = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found', 'already_exists'] } })
  .input(GroupChange)
  .output(OrganizationGroup)
  .mutation(({ ctx, input: { groupId, permissions = {}, ...change } }) =>
    ctx.db.transaction(async (tx) => {
      const levels = toLevels(permissions)
      requireOwnLevels(ctx.actor, levels)
      await lockMembers(tx, ctx.actor.organizationId)
      const group = await requireManagedGroup(tx, ctx, groupId)
      const { from, to } = changedLevels(group, levels)
      const isTotpChanged = change.requireTotp !== undefined && change.requireTotp !== group.requireTotp
      if (isTotpChanged || Object.keys(to).length > 0) await requireAdminLevelOfMembers(tx, ctx.actor, group)
      // `name` is always set, because drizzle refuses an update without columns.
      await tx
        .update(groups)
        .set({ name: group.name, ...change, ...levels })
        .where(matchesRow(groups.id, group))
      await endInvitations(tx, ctx)
      await audit(tx, ctx, {
        action: 'group.update',
        entityType: 'group',
        entityId: group.id,
        entityName: change.name ?? group.name,
        details: changedFields({ ...group, permissions: from }, { ...change, permissions: to }),
      })
      const [row] = await selectGroups(tx, matchesRow(groups.id, group))
      return present(row as Row)
    }),
  )

const remove = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(GroupRef)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      await lockMembers(tx, ctx.actor.organizationId)
      const group = await requireManagedGroup(tx, ctx, input.groupId)
      await requireAdminLevelOfMembers(tx, ctx.actor, group)
      await tx.delete(groups).where(matchesRow(groups.id, group))
      await endInvitations(tx, ctx)
      await audit(tx, ctx, { action: 'group.remove', entityType: 'group', entityId: group.id, entityName: group.name })
      return { ok: true as const }
    }),
  )

const members = orgSessionProcedure('users', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(GroupRef.extend(PageQuery.shape))
  .output(GroupMemberPage)
  .query(async ({ ctx, input }) => {
    const group = await requireGroup(ctx.db, ctx, input.groupId)
    const inGroup = matchesRow(groupMembers.groupId, group)
    return readPage(
      input,
      ctx.db
        .select(memberFields)
        .from(groupMembers)
        .innerJoin(memberships, matchesRow(groupMembers.membershipId, memberships))
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(inGroup)
        .orderBy(byName(users.displayName), asc(users.id)),
      () => ctx.db.$count(groupMembers, inGroup),
      (row) => row,
    )
  })

/** Adding a member who is already in the group changes nothing. Only administrators may add administrators. */
const addMember = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(GroupMembership)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const [group] = await requireGrantableGroups(tx, ctx.actor, [input.groupId])
      const member = await lockMember(tx, ctx, input.userId)
      if (!group) throw notFound()
      requireAdminLevel(ctx.actor, adminLevelOf(member))
      const { membershipId, email } = member
      const { organizationId } = ctx.actor
      const added = await tx
        .insert(groupMembers)
        .values({ organizationId, groupId: group.id, membershipId, createdAt: ctx.now() })
        .onConflictDoNothing()
        .returning()
      if (added.length > 0) {
        await audit(tx, ctx, {
          action: 'group.add_member',
          entityType: 'group',
          entityId: group.id,
          entityName: group.name,
          details: { userId: input.userId, email },
        })
      }
      return { ok: true as const }
    }),
  )

const removeMember = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(GroupMembership)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const group = await requireManagedGroup(tx, ctx, input.groupId)
      const member = await lockMember(tx, ctx, input.userId)
      requireAdminLevel(ctx.actor, adminLevelOf(member))
      const { membershipId, email } = member
      const removed = await tx
        .delete(groupMembers)
        .where(and(matchesRow(groupMembers.groupId, group), eq(groupMembers.membershipId, membershipId)))
        .returning()
      if (removed.length === 0) throw notFound()
      await endInvitations(tx, ctx)
      await audit(tx, ctx, {
        action: 'group.remove_member',
        entityType: 'group',
        entityId: group.id,
        entityName: group.name,
        details: { userId: input.userId, email },
      })
      return { ok: true as const }
    }),
  )

export const organizationGroupsRouter = router({
  list,
  get,
  create,
  update,
  remove,
  members,
  addMember,
  removeMember,
  grants: listGrants,
})

function selectGroups(db: Queryable, where: SQL) {
  return db
    .select({ group: groups, memberCount: db.$count(groupMembers, matchesRow(groupMembers.groupId, groups)) })
    .from(groups)
    .where(where)
    .orderBy(byName(groups.name), asc(groups.id))
}

type Row = Awaited<ReturnType<typeof selectGroups>>[number]

/** @throws ApiError `not_found` */
async function requireGroup(db: Queryable, ctx: ActorContext, id: string) {
  const [group] = await db
    .select()
    .from(groups)
    .where(and(eq(groups.organizationId, ctx.actor.organizationId), eq(groups.id, id)))
  if (!group) throw notFound()
  return group
}

/** @throws ApiError `not_found`; `insufficient_permissions` when the group makes administrators and the actor is not one */
async function requireManagedGroup(db: Queryable, ctx: ActorContext, id: string) {
  const group = await requireGroup(db, ctx, id)
  requireAdminLevel(ctx.actor, group.orgAdmin)
  return group
}

function present({ group, memberCount }: Row): OrganizationGroup {
  return {
    id: group.id,
    name: group.name,
    memberCount,
    requireTotp: group.requireTotp,
    permissions: levelNames(levelsOf(group)),
  }
}
