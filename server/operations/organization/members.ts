import { z } from 'zod'
import { and, asc, eq, isNull, type SQL, sql } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesAny, matchesId } from '#db/row-match.ts'
import { apiKeys } from '#db/schema/credentials.ts'
import { groups, memberships, users } from '#db/schema/organizations.ts'
import { audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, notFound } from '../../errors.ts'
import { findMember } from '../../identity/auth/actor.ts'
import { hasPasskeys } from '../../identity/auth/passkeys.ts'
import { endSessions } from '../../identity/auth/sessions.ts'
import { readPage } from '../../paging.ts'
import { SectionPermissions } from '../../schemas/account/permissions.ts'
import { LEVELS, type LevelName, levelNames, SECTIONS } from '../../schemas/account/sections.ts'
import { Ok } from '../../schemas/conventions.ts'
import {
  MemberDetail,
  MemberRef,
  OrganizationMember,
  OrganizationMemberPage,
} from '../../schemas/organization/organizations.ts'
import { ReachedPlacePage, ReachedPlacesQuery } from '../../schemas/organization/places.ts'
import { SearchedPage } from '../../schemas/organization/search.ts'
import { tellOwnerOfKeys } from '../../services/agents/keys-of-member.ts'
import { contains } from '../../services/places/contains.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'
import {
  adminLevelOf,
  changedLevels,
  levelsOf,
  lockMember,
  requireAdminLevel,
  requireOwnLevels,
  toLevels,
} from './delegation.ts'
import { endInvitations } from './invitation-ends.ts'
import { invite } from './invitations.ts'
import { readReachedPlaces } from './reached-places.ts'

const list = orgSessionProcedure('users', 'read')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .input(SearchedPage.prefault({}))
  .output(OrganizationMemberPage)
  .query(({ ctx, input }) => {
    const found = contains(sql`concat_ws(chr(10), ${users.displayName}, ${users.email})`, input.q)
    const own = and(eq(memberships.organizationId, ctx.actor.organizationId), found) as SQL
    const rows = selectMembers(ctx, own)
    return readPage(input, rows, () => ctx.db.$count(selectMembers(ctx, own).as('found')), present)
  })

/** Returns a member with what they may do in each section, and why. */
const get = orgSessionProcedure('users', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(MemberRef)
  .output(MemberDetail)
  .query(async ({ ctx, input }) => {
    const member = await requireMember(ctx, input.userId)
    const { organizationId } = ctx.actor
    const held = await ctx.db
      .select()
      .from(groups)
      .where(
        matchesAny(
          groups.id,
          organizationId,
          member.groups.map(({ id }) => id),
        ),
      )
      .orderBy(byName(groups.name), asc(groups.id))
    return { ...member, sections: sectionLevels(member, held) }
  })

/** Lists the places on which a member or one of their groups has a grant. */
const access = orgSessionProcedure('users', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(ReachedPlacesQuery)
  .output(ReachedPlacePage)
  .query(async ({ ctx, input: { userId, ...page } }) => {
    const row = await findMember(ctx.db, userId, ctx.actor.organizationId)
    if (!row?.membershipId) throw notFound('userId')
    return { ...page, ...(await readReachedPlaces(ctx.db, ctx.actor, row.membershipId, page)) }
  })

/** Sets the member's own levels. Omitted sections keep their levels. */
const setPermissions = orgSessionProcedure('orgAdmin', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(MemberRef.extend({ permissions: SectionPermissions }))
  .output(OrganizationMember)
  .mutation(async ({ ctx, input }) => {
    const levels = toLevels(input.permissions)
    requireOwnLevels(ctx.actor, levels)
    await ctx.db.transaction(async (tx) => {
      const member = await lockMember(tx, ctx, input.userId)
      if (member.isOwner && !ctx.actor.isOwner) throw new ApiError('insufficient_permissions')
      const own = matchesId(memberships.id, ctx.actor.organizationId, member.membershipId)
      const [before] = await tx.select().from(memberships).where(own)
      if (!before) throw notFound()
      if (Object.keys(levels).length > 0) await tx.update(memberships).set(levels).where(own)
      await endInvitations(tx, ctx)
      const { from, to } = changedLevels(before, levels)
      await audit(tx, ctx, {
        action: 'member.set_permissions',
        entityType: 'user',
        entityId: member.userId,
        entityName: member.email,
        details: changedFields({ permissions: from }, { permissions: to }),
      })
    })
    return requireMember(ctx, input.userId)
  })

/**
 * Disables or enables a member. Disabling ends their sessions in the organization and the invitations that they made; their
 * keys are refused until they are enabled.
 */
const setActive = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found', 'last_owner'] } })
  .input(MemberRef.extend({ isActive: z.boolean() }))
  .output(OrganizationMember)
  .mutation(async ({ ctx, input }) => {
    await ctx.db.transaction(async (tx) => {
      const member = await lockMember(tx, ctx, input.userId)
      if (member.isOwner) throw new ApiError('last_owner')
      requireAdminLevel(ctx.actor, adminLevelOf(member))
      await tx
        .update(memberships)
        .set({ isActive: input.isActive })
        .where(matchesId(memberships.id, ctx.actor.organizationId, member.membershipId))
      if (!input.isActive) await endSessions(tx, member, ctx.now())
      await endInvitations(tx, ctx)
      const agentKeys = input.isActive ? 0 : await tellOwnerOfKeys(tx, ctx, member, 'disabled')
      await audit(tx, ctx, {
        action: input.isActive ? 'member.activate' : 'member.deactivate',
        entityType: 'user',
        entityId: member.userId,
        entityName: member.email,
        ...(agentKeys > 0 && { details: { agentKeys } }),
      })
    })
    return requireMember(ctx, input.userId)
  })

/**
 * Removes a member with their grants, groups, silences and open invitations in the organization, and revokes their API
 * keys there. Keys of agents that they enrolled keep working, because services run on these agents; the owner is
 * notified.
 */
const remove = orgSessionProcedure('users', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found', 'last_owner'] } })
  .input(MemberRef)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const member = await lockMember(tx, ctx, input.userId)
      if (member.isOwner) throw new ApiError('last_owner')
      requireAdminLevel(ctx.actor, adminLevelOf(member))
      await tx
        .update(apiKeys)
        .set({ revokedAt: ctx.now() })
        .where(
          and(
            eq(apiKeys.userId, member.userId),
            eq(apiKeys.organizationId, member.organizationId),
            isNull(apiKeys.revokedAt),
          ),
        )
      await endSessions(tx, member, ctx.now())
      await tx.delete(memberships).where(matchesId(memberships.id, ctx.actor.organizationId, member.membershipId))
      await endInvitations(tx, ctx)
      const agentKeys = await tellOwnerOfKeys(tx, ctx, member, 'removed')
      await audit(tx, ctx, {
        action: 'member.remove',
        entityType: 'user',
        entityId: member.userId,
        entityName: member.email,
        ...(agentKeys > 0 && { details: { agentKeys } }),
      })
      return { ok: true as const }
    }),
  )

export const organizationMembersRouter = router({ list, get, access, invite, setPermissions, setActive, remove })

/** Returns the sections in which a member may do something, with where each level comes from. */
function sectionLevels(member: OrganizationMember, held: (typeof groups.$inferSelect)[]): MemberDetail['sections'] {
  return SECTIONS.flatMap((section) => {
    const own = member.permissions[section]
    const sources = [
      ...(member.isOwner ? [{ kind: 'owner' as const, group: null, level: 'write' as const }] : []),
      ...(own === 'none' ? [] : [{ kind: 'own' as const, group: null, level: own }]),
      ...held.flatMap(({ id, name, [section]: given }) =>
        given === 0 ? [] : [{ kind: 'group' as const, group: { id, name }, level: LEVELS[given] as LevelName }],
      ),
    ]
    const highest = Math.max(0, ...sources.map(({ level }) => LEVELS.indexOf(level)))
    return highest === 0 ? [] : [{ section, level: LEVELS[highest] as LevelName, sources }]
  })
}

function selectMembers({ db }: ActorContext, where: SQL) {
  return db
    .select({
      membership: memberships,
      user: users,
      hasPasskey: hasPasskeys,
      groups: sql<{ id: string; name: string }[]>`coalesce((
        select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
        from group_members gm join groups g on (g.organization_id, g.id) = (gm.organization_id, gm.group_id)
        where (gm.organization_id, gm.membership_id) = (${memberships.organizationId}, ${memberships.id})), '[]')`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(where)
    .orderBy(byName(users.displayName), asc(users.id))
}

type Row = Awaited<ReturnType<typeof selectMembers>>[number]

async function requireMember(ctx: ActorContext, userId: string): Promise<OrganizationMember> {
  const own = and(eq(memberships.organizationId, ctx.actor.organizationId), eq(memberships.userId, userId)) as SQL
  const [row] = await selectMembers(ctx, own)
  if (!row) throw notFound()
  return present(row)
}

function present({ membership, user, hasPasskey, groups }: Row): OrganizationMember {
  return {
    userId: user.id,
    displayName: user.displayName,
    email: user.email,
    isActive: membership.isActive && user.isActive,
    isOwner: membership.isOwner,
    hasTotp: user.totpEnrolledAt !== null || hasPasskey,
    permissions: levelNames(levelsOf(membership)),
    groups,
    joinedAt: membership.createdAt.toISOString(),
  }
}
