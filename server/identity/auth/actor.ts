import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import type { Actor, Level } from '../../context.ts'

// A member's permissions, read once per request. The queries for keys and for sessions both embed these two fragments, so
// one statement checks the credential and loads the member, and both read permissions in the same way.

/** Joins for a query with `users u` and `organizations o`: the membership between the two, if any, and its groups. */
export const memberJoins = sql`
  left join memberships m on m.user_id = u.id and m.organization_id = o.id
  left join lateral (
    select coalesce(array_agg(g.id), '{}') as ids,
      coalesce(bool_or(g.require_totp), false) as require_totp,
      coalesce(max(g.section_users), 0) as users,
      coalesce(max(g.section_settings), 0) as settings,
      coalesce(max(g.section_domains), 0) as domains,
      coalesce(max(g.section_webhooks), 0) as webhooks,
      coalesce(max(g.section_org_admin), 0) as org_admin,
      coalesce(max(g.section_workspaces), 0) as workspaces
    from group_members gm join groups g on (g.organization_id, g.id) = (gm.organization_id, gm.group_id)
    where (gm.organization_id, gm.membership_id) = (m.organization_id, m.id)
  ) held on true`

/** Whether the member must set up a second factor first, for queries with `memberJoins`. */
const needsTotp = sql`((o.require_totp or held.require_totp) and u.totp_enrolled_at is null
  and not exists (select from passkeys p where p.user_id = u.id))`

/** The columns of `MemberRow`, for queries with `memberJoins`. */
export const memberColumns = sql`
  o.id as "organizationId", o.name as "organizationName", o.timezone,
  u.id as "userId", u.email, u.display_name as "displayName",
  m.id as "membershipId", m.is_owner as "isOwner",
  coalesce(m.is_active and u.is_active, false) as "isActive",
  ${needsTotp} as "needsTotp",
  greatest(m.section_users, held.users) as "sectionUsers",
  greatest(m.section_settings, held.settings) as "sectionSettings",
  greatest(m.section_domains, held.domains) as "sectionDomains",
  greatest(m.section_webhooks, held.webhooks) as "sectionWebhooks",
  greatest(m.section_org_admin, held.org_admin) as "sectionOrgAdmin",
  greatest(m.section_workspaces, held.workspaces) as "sectionWorkspaces",
  held.ids as "groupIds"`

export type MemberRow = {
  organizationId: string
  organizationName: string
  timezone: string
  userId: string
  email: string
  displayName: string
  /** Null when the user is not, or no longer, a member of the organization. */
  membershipId: string | null
  isOwner: boolean | null
  /** The membership and the account exist and are enabled. */
  isActive: boolean
  /** The organization or a group requires a second factor, and the user has not enrolled one. */
  needsTotp: boolean
  sectionUsers: Level
  sectionSettings: Level
  sectionDomains: Level
  sectionWebhooks: Level
  sectionOrgAdmin: Level
  sectionWorkspaces: Level
  groupIds: string[]
}

/** Returns the actor of a row, through a key or a session; null without an active membership. */
export function toActor(row: MemberRow, credential: Pick<Actor, 'key' | 'sessionId'>): Actor | null {
  if (row.membershipId === null || !row.isActive) return null
  const level = (held: Level): Level => (row.isOwner ? 2 : held)
  return {
    organizationId: row.organizationId,
    organizationName: row.organizationName,
    timezone: row.timezone,
    userId: row.userId,
    membershipId: row.membershipId,
    email: row.email,
    displayName: row.displayName,
    isOwner: row.isOwner === true,
    sections: {
      users: level(row.sectionUsers),
      settings: level(row.sectionSettings),
      domains: level(row.sectionDomains),
      webhooks: level(row.sectionWebhooks),
      orgAdmin: level(row.sectionOrgAdmin),
      workspaces: level(row.sectionWorkspaces),
    },
    groupIds: row.groupIds,
    ...credential,
  }
}

/** Returns the user's membership row, enabled or not; null when the user is not a member of the organization. */
export async function findMember(db: Queryable, userId: string, organizationId: string): Promise<MemberRow | null> {
  const [row] = await db.execute<MemberRow>(sql`
    select ${memberColumns} from users u join organizations o on o.id = ${organizationId} ${memberJoins}
    where u.id = ${userId} and m.id is not null`)
  return row ?? null
}

/** Whether a user is an active member of an organization who may enrol agents: the owner, or by the section `workspaces`. */
export function mayEnrolAgents(userId: SQL, organizationId: SQL): SQL<boolean> {
  return isEnroller(userId, organizationId, sql`true`)
}

/** As `mayEnrolAgents`, and not while the member must set up a second factor first. */
export function mayEnrolAgentsNow(userId: SQL, organizationId: SQL): SQL<boolean> {
  return isEnroller(userId, organizationId, sql`not ${needsTotp}`)
}

function isEnroller(userId: SQL, organizationId: SQL, condition: SQL): SQL<boolean> {
  return sql`exists (
    select from users u join organizations o on o.id = ${organizationId} ${memberJoins}
    where u.id = ${userId} and m.is_active and u.is_active and ${condition}
      and (m.is_owner or greatest(m.section_workspaces, held.workspaces) >= 2))`
}
