import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import type { HeardThrough } from '#db/schema/alerts.ts'

// The listeners of a resource are the members who are notified of it, before silences: by a grant on it or above it, their
// own or a group's, that notifies, and by following it or what is above it, for as long as they can read it.

/** The ids of a workspace, project or service, and of what is above it. */
export type ResourcePath = {
  organizationId: string
  workspaceId: string
  projectId: string | null
  serviceId: string | null
}

/** The same ids as values, or selected by the statement itself. */
export type ResourcePathIds = { [K in keyof ResourcePath]: ResourcePath[K] | SQL }

export type Recipient = { membershipId: string; email: string; displayName: string; heardThrough: HeardThrough[] }

export type HearingRow = {
  membership_id: string
  email: string
  display_name: string
  kind: HeardThrough['kind']
  group: string | null
  resource_type: HeardThrough['resourceType']
  resource_name: string | null
}

/** Returns every active member who listens to the resource. */
export async function findListeners(db: Queryable, path: ResourcePath): Promise<Recipient[]> {
  return toRecipients(
    await db.execute<HearingRow>(sql`
      with heard as (${heardOf(path)})
      select heard.*, u.email, u.display_name from heard ${activeMembers(path, sql`heard`)} order by u.email, ${inOrder}`),
  )
}

/**
 * Selects at most `max` listeners of the resource, by name, `first` among them: one row per listener and reason, in any
 * order, with how many listeners there are.
 */
export function selectFirstListeners(path: ResourcePathIds, first: string, max: number): SQL {
  return sql`
    with heard as (${heardOf(path)}), listed as (
      select each.membership_id, u.email, u.display_name, count(*) over ()::int as total
      from (select distinct membership_id from heard) each ${activeMembers(path, sql`each`)}
      order by each.membership_id = ${first} desc, u.display_name, u.email limit ${max})
    select heard.*, listed.email, listed.display_name, listed.total
    from listed join heard on heard.membership_id = listed.membership_id`
}

/** Returns why one member is notified of the resource; empty for a member who is not. */
export async function findHearing(db: Queryable, path: ResourcePath, membershipId: string): Promise<HeardThrough[]> {
  const rows = await db.execute<HearingRow>(sql`
    with heard as (${heardOf(path)})
    select heard.*, u.email, u.display_name from heard ${activeMembers(path, sql`heard`)}
    where heard.membership_id = ${membershipId} order by ${inOrder}`)
  return toRecipients(rows)[0]?.heardThrough ?? []
}

/** Whether a member is notified of the resource, as a condition of a larger statement. */
export function isHeardBy(membershipId: string, path: ResourcePathIds): SQL {
  return sql`exists (select 1 from (${heardOf(path)}) heard where heard.membership_id = ${membershipId})`
}

/** Collects the rows into one recipient per member. */
export function toRecipients(rows: HearingRow[]): Recipient[] {
  const found = new Map<string, Recipient>()
  for (const row of rows) {
    const { membership_id: membershipId, email, display_name: displayName } = row
    const recipient = found.get(membershipId) ?? { membershipId, email, displayName, heardThrough: [] }
    recipient.heardThrough.push({
      kind: row.kind,
      group: row.group,
      resourceType: row.resource_type,
      resourceName: row.resource_name,
    })
    found.set(membershipId, recipient)
  }
  return [...found.values()]
}

/**
 * Selects one row per member and reason. A follower must still be able to read the resource.
 */
function heardOf(path: ResourcePathIds): SQL {
  return sql`
    select coalesce(g.membership_id, gm.membership_id) as membership_id,
      case when g.group_id is null then 'grant' else 'group' end as kind, gr.name as "group", ${resourceOf(sql`g`)}
    from grants g
      left join groups gr on (gr.organization_id, gr.id) = (g.organization_id, g.group_id)
      left join group_members gm on (gm.organization_id, gm.group_id) = (g.organization_id, g.group_id)
      ${joinResources(sql`g`)}
    where g.organization_id = ${path.organizationId} and g.notify and ${covers(sql`g`, path)}
    union all
    select f.membership_id, 'follow', null, ${resourceOf(sql`f`)}
    from follows f join memberships fm on (fm.organization_id, fm.id) = (f.organization_id, f.membership_id) ${joinResources(sql`f`)}
    where f.organization_id = ${path.organizationId} and ${covers(sql`f`, path)}
      and ${mayRead(sql`fm`, path)}`
}

/** Returns the condition that a member may read the resource: that of server/access.ts, for all members at once. */
function mayRead(member: SQL, path: ResourcePathIds): SQL {
  return sql`(${member}.is_owner or ${member}.section_workspaces > 0
    or exists (select 1 from group_members gm join groups gr on (gr.organization_id, gr.id) = (gm.organization_id, gm.group_id)
      where (gm.organization_id, gm.membership_id) = (${member}.organization_id, ${member}.id) and gr.section_workspaces > 0)
    or exists (select 1 from grants g left join group_members gm on (gm.organization_id, gm.group_id) = (g.organization_id, g.group_id)
      where g.organization_id = ${path.organizationId} and ${covers(sql`g`, path)}
        and ${member}.id in (g.membership_id, gm.membership_id)))`
}

export type Reader = { membershipId: string; displayName: string; email: string }

/** Returns the active members who may read the resource, by name; with an id, this one if it may. */
export async function findReaders(db: Queryable, path: ResourcePath, membershipId?: string): Promise<Reader[]> {
  const isGiven = membershipId === undefined ? sql`true` : sql`m.id = ${membershipId}`
  return [
    ...(await db.execute<Reader>(sql`
      select m.id as "membershipId", u.display_name as "displayName", u.email
      from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${path.organizationId} and m.is_active and u.is_active and ${isGiven}
        and ${mayRead(sql`m`, path)}
      order by ${byName(sql`u.display_name`)}, u.email`)),
  ]
}

function activeMembers({ organizationId }: ResourcePathIds, of: SQL): SQL {
  return sql`join memberships m on m.organization_id = ${organizationId} and m.id = ${of}.membership_id and m.is_active
    join users u on u.id = m.user_id and u.is_active`
}

/** Orders the reasons of one member. */
export const inOrder = sql`array_position(array['grant', 'group', 'follow'], heard.kind), ${fromTheTop(sql`heard`)}, heard.group`

/** Orders the rows of one listener from the workspace to the service. */
export function fromTheTop(row: SQL): SQL {
  return sql`array_position(array['organization', 'workspace', 'project', 'service'], ${row}.resource_type)`
}

/** A reason as JSON, as it is stored. */
export function reasonOf(row: SQL): SQL {
  return sql`json_build_object('kind', ${row}.kind, 'group', ${row}.group, 'resourceType', ${row}.resource_type,
    'resourceName', ${row}.resource_name)`
}

/** Whether a row with one of the three ids is about the resource or what is above it. */
export function covers(row: SQL, { workspaceId, projectId, serviceId }: ResourcePathIds): SQL {
  return sql`(${row}.service_id = ${serviceId}::uuid or ${row}.project_id = ${projectId}::uuid
    or ${row}.workspace_id = ${workspaceId}::uuid)`
}

export function resourceOf(row: SQL): SQL {
  return sql`case when ${row}.service_id is not null then 'service' when ${row}.project_id is not null then 'project'
      else 'workspace' end as resource_type, coalesce(s.name, p.name, w.name) as resource_name`
}

export function joinResources(row: SQL): SQL {
  return sql`left join services s on (s.organization_id, s.id) = (${row}.organization_id, ${row}.service_id)
    left join projects p on (p.organization_id, p.id) = (${row}.organization_id, ${row}.project_id)
    left join workspaces w on (w.organization_id, w.id) = (${row}.organization_id, ${row}.workspace_id)`
}
