import type { Queryable, Tx } from '#db/client.ts'
import { and, eq, not, or, type SQL, sql } from '#db/drizzle.cjs'
import { matchesAny, matchesRow } from '#db/row-match.ts'
import { groups, organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { grants } from '#db/schema/scoped.ts'
import { type Reach, reachesProject, reachesService, reachesWorkspace } from '../../access.ts'
import type { Actor, ActorContext, Level } from '../../context.ts'
import { ApiError, notFound } from '../../errors.ts'
import { findMember, type MemberRow } from '../../identity/auth/actor.ts'
import type { SectionPermissions } from '../../schemas/account/permissions.ts'
import { LEVELS, type LevelName, SECTIONS, type Section } from '../../schemas/account/sections.ts'

// Members can grant at most what they have themselves. Only administrators may act on administrators.

export type Levels = Partial<Record<Section, Level>>

/** Converts level names to numbers, for the given sections. */
export function toLevels(permissions: SectionPermissions): Levels {
  return Object.fromEntries(
    Object.entries(permissions).map(([section, name]) => [section, LEVELS.indexOf(name)]),
  ) as Levels
}

/** Returns the levels of all sections in a row of `memberships` or `groups`. */
export function levelsOf(row: Record<Section, number>): Record<Section, Level> {
  return Object.fromEntries(SECTIONS.map((section) => [section, row[section]])) as Record<Section, Level>
}

/** Returns the sections whose levels change, before and after, for an audit entry. */
export function changedLevels(row: Record<Section, number>, levels: Levels) {
  const from: Partial<Record<Section, LevelName>> = {}
  const to: Partial<Record<Section, LevelName>> = {}
  for (const section of SECTIONS) {
    const level = levels[section]
    if (level === undefined || level === row[section]) continue
    from[section] = LEVELS[row[section]]
    to[section] = LEVELS[level]
  }
  return { from, to }
}

/** @throws ApiError `insufficient_permissions` when a level is above the actor's own */
export function requireOwnLevels(actor: Actor, levels: Levels): void {
  if (!hasLevels(actor, levels)) throw new ApiError('insufficient_permissions')
}

function hasLevels(actor: Actor, levels: Levels): boolean {
  return SECTIONS.every((section) => (levels[section] ?? 0) <= actor.sections[section])
}

/** Returns the levels, none of them above the actor's own. */
export function cappedLevels(actor: Actor, levels: Levels): Levels {
  return Object.fromEntries(
    SECTIONS.map((section) => [section, Math.min(levels[section] ?? 0, actor.sections[section])]),
  ) as Levels
}

/**
 * Returns the groups with these ids if the actor may add members to all of them: the actor must have every level and
 * every grant that such a group gives.
 * @throws ApiError `not_found`, `insufficient_permissions`
 */
export async function requireGrantableGroups(tx: Queryable, actor: Actor, ids: string[]) {
  const found = await findGroups(tx, actor, ids)
  if (found.length < new Set(ids).size) throw notFound()
  if (found.some(({ isGrantable }) => !isGrantable)) throw new ApiError('insufficient_permissions')
  return found
}

/** Returns those groups with these ids that still exist and to which the actor may add members. */
export async function grantableGroups(tx: Queryable, actor: Actor, ids: string[]) {
  return (await findGroups(tx, actor, ids)).filter(({ isGrantable }) => isGrantable)
}

async function findGroups(tx: Queryable, actor: Actor, ids: string[]) {
  if (ids.length === 0) return []
  const rows = await tx
    .select()
    .from(groups)
    .where(matchesAny(groups.id, actor.organizationId, ids))
  const beyond = await tx
    .select({ groupId: grants.groupId })
    .from(grants)
    .where(and(matchesAny(grants.groupId, actor.organizationId, ids), not(reachesGrant(actor))))
  return rows.map((row) => {
    const isGrantable = hasLevels(actor, levelsOf(row)) && beyond.every(({ groupId }) => groupId !== row.id)
    return { ...row, isGrantable }
  })
}

/** Returns the condition that the actor has the access that a row of `grants` gives. */
function reachesGrant(actor: Actor): SQL {
  const at = (reach: Reach) => sql`(
    exists (select 1 from ${workspaces} where ${matchesRow(grants.workspaceId, workspaces)} and ${reachesWorkspace(actor, reach)})
    or exists (select 1 from ${projects} where ${matchesRow(grants.projectId, projects)} and ${reachesProject(actor, reach)})
    or exists (select 1 from ${services} where ${matchesRow(grants.serviceId, services)} and ${reachesService(actor, reach)}))`
  return or(and(eq(grants.level, 1), at('read')), and(eq(grants.level, 2), at('write'))) as SQL
}

export type LockedMember = MemberRow & { membershipId: string }

/** Serializes changes to an organization's members until the transaction ends. */
export async function lockMembers(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for('no key update')
}

/**
 * Locks the organization's members and returns one of them, active or not.
 * @throws ApiError `not_found`
 */
export async function lockMember(tx: Tx, ctx: ActorContext, userId: string): Promise<LockedMember> {
  const { organizationId } = ctx.actor
  await lockMembers(tx, organizationId)
  const row = await findMember(tx, userId, organizationId)
  if (!row?.membershipId) throw notFound()
  return { ...row, membershipId: row.membershipId }
}

/**
 * Only administrators may act on administrators.
 * @throws ApiError `insufficient_permissions` when the level of the section `orgAdmin` is above the actor's own
 */
export function requireAdminLevel(actor: Actor, orgAdmin: number): void {
  if (orgAdmin > actor.sections.orgAdmin) throw new ApiError('insufficient_permissions')
}

/**
 * Only administrators may change what a group does to its members while one of them is an administrator.
 * @throws ApiError `insufficient_permissions`
 */
export async function requireAdminLevelOfMembers(tx: Tx, actor: Actor, group: { id: string }): Promise<void> {
  const [highest] = await tx.execute<{ level: number | null }>(sql`
    select max(case when m.is_owner then 2 else greatest(m.section_org_admin, held.org_admin) end) as level
    from group_members own
    join memberships m on (m.organization_id, m.id) = (own.organization_id, own.membership_id)
    left join lateral (
      select max(g.section_org_admin) as org_admin
      from group_members gm join groups g on (g.organization_id, g.id) = (gm.organization_id, gm.group_id)
      where (gm.organization_id, gm.membership_id) = (m.organization_id, m.id)
    ) held on true
    where own.organization_id = ${actor.organizationId} and own.group_id = ${group.id}`)
  requireAdminLevel(actor, highest?.level ?? 0)
}

/** Returns a member's level of the section `orgAdmin`, including their groups. */
export function adminLevelOf(member: MemberRow): number {
  return member.isOwner ? 2 : member.sectionOrgAdmin
}
