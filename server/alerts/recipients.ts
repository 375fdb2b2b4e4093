import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import type { HeardThrough } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services } from '#db/schema/resources.ts'
import { silences } from '#db/schema/scoped.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'

// Who hears of an event, and through what: for the notify job, the preview, and the bell on the pages.

/** Where a service is, with the organization's time zone. */
export type ServiceLocation = {
  organizationId: string
  timezone: string
  workspaceId: string
  projectId: string
  serviceId: string
}

export type Recipient = { membershipId: string; email: string; displayName: string; heardThrough: HeardThrough[] }

export type BoundWebhook = { webhookId: string; name: string; isEnabled: boolean; heardThrough: HeardThrough[] }

/** Returns null for a deleted service. */
export async function findLocation(db: Queryable, serviceId: string): Promise<ServiceLocation | null> {
  const [location] = await db
    .select({
      organizationId: services.organizationId,
      timezone: organizations.timezone,
      workspaceId: projects.workspaceId,
      projectId: projects.id,
      serviceId: services.id,
    })
    .from(services)
    .innerJoin(projects, eq(projects.id, services.projectId))
    .innerJoin(organizations, eq(organizations.id, services.organizationId))
    .where(eq(services.id, serviceId))
  return location ?? null
}

type HearingRow = {
  membership_id: string
  email: string
  display_name: string
  kind: HeardThrough['kind']
  group: string | null
  resource_type: 'workspace' | 'project' | 'service' | null
  resource_name: string | null
}

/**
 * Returns the active members who hear of a service, before silences: by a grant on it or above it, their own or a group's,
 * and those who follow it or what is above it while they still see the whole tree. The permission on a section alone,
 * even the owner's, gives no mails.
 */
export async function findListeners(db: Queryable, location: ServiceLocation): Promise<Recipient[]> {
  const { organizationId } = location
  return collect(
    await db.execute<HearingRow>(sql`
      with heard as (
        select coalesce(g.membership_id, gm.membership_id) as membership_id,
          case when g.group_id is null then 'grant' else 'group' end as kind, gr.name as "group",
          ${resourceOf(sql`g`)}
        from grants g
          left join group_members gm on gm.group_id = g.group_id
          left join groups gr on gr.id = g.group_id
          ${joinResources(sql`g`)}
        where g.organization_id = ${organizationId} and ${covers(sql`g`, location)}
        union all
        select f.membership_id, 'follow', null, ${resourceOf(sql`f`)}
        from follows f ${joinResources(sql`f`)}
        where f.organization_id = ${organizationId} and ${covers(sql`f`, location)}
          and exists (select 1 from memberships own left join group_members gm on gm.membership_id = own.id
            left join groups gr on gr.id = gm.group_id where own.id = f.membership_id
              and (own.is_owner or own.section_workspaces > 0 or gr.section_workspaces > 0
                or exists (select 1 from grants g where ${covers(sql`g`, location)}
                  and (g.membership_id = own.id or g.group_id = gm.group_id)))))
      select heard.*, u.email, u.display_name
      from heard join memberships m on m.id = heard.membership_id join users u on u.id = m.user_id
      where m.is_active and u.is_active order by u.email, heard.kind`),
  )
}

/** Returns the listeners of a service, or the owner of its organization when neither a member nor a webhook hears of it. */
export async function findServiceRecipients(
  db: Queryable,
  location: ServiceLocation,
  bound: BoundWebhook[],
): Promise<Recipient[]> {
  const listeners = await findListeners(db, location)
  const isHeard = listeners.length > 0 || bound.some((webhook) => webhook.isEnabled)
  return isHeard ? listeners : findOwner(db, location.organizationId)
}

/** Returns the IANA time zone of an organization. */
export async function readTimezone(db: Queryable, organizationId: string): Promise<string> {
  const [row] = await db
    .select({ timezone: organizations.timezone })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row?.timezone ?? 'UTC'
}

/** Returns the active owner of the organization, who hears of a failing service of which nobody else hears. */
export async function findOwner(db: Queryable, organizationId: string): Promise<Recipient[]> {
  return collect(
    await db.execute<HearingRow>(sql`
      select m.id as membership_id, u.email, u.display_name, 'owner' as kind, null as "group", null as resource_type,
        null as resource_name
      from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.is_owner and m.is_active and u.is_active`),
  )
}

/** Returns the active members with write on the section Settings, who hear of agents. */
export async function findSettingsWriters(db: Queryable, organizationId: string): Promise<Recipient[]> {
  return collect(
    await db.execute<HearingRow>(sql`
      select m.id as membership_id, u.email, u.display_name, 'section' as kind, null as "group", null as resource_type,
        null as resource_name
      from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.is_active and u.is_active
        and (m.is_owner or m.section_settings = 2 or exists (
          select 1 from group_members gm join groups gr on gr.id = gm.group_id
          where gm.membership_id = m.id and gr.section_settings = 2))
      order by u.email`),
  )
}

/** Returns the webhooks bound to a service or above it, one entry each; enabled when any of its bindings is. */
export async function findBoundWebhooks(db: Queryable, location: ServiceLocation): Promise<BoundWebhook[]> {
  const rows = await db
    .select({
      webhookId: webhooks.id,
      name: webhooks.name,
      isEnabled: webhookBindings.enabled,
      resourceType: sql<HeardThrough['resourceType']>`case
        when ${webhookBindings.serviceId} is not null then 'service'
        when ${webhookBindings.projectId} is not null then 'project' else 'workspace' end`,
      resourceName: sql<string>`coalesce(
        (select name from services where id = ${webhookBindings.serviceId}),
        (select name from projects where id = ${webhookBindings.projectId}),
        (select name from workspaces where id = ${webhookBindings.workspaceId}))`,
    })
    .from(webhookBindings)
    .innerJoin(webhooks, eq(webhooks.id, webhookBindings.webhookId))
    .where(
      and(
        eq(webhookBindings.organizationId, location.organizationId),
        or(
          eq(webhookBindings.serviceId, location.serviceId),
          eq(webhookBindings.projectId, location.projectId),
          eq(webhookBindings.workspaceId, location.workspaceId),
        ),
      ),
    )
    .orderBy(webhooks.name)
  const found = new Map<string, BoundWebhook>()
  for (const { webhookId, name, isEnabled, resourceType, resourceName } of rows) {
    const one = found.get(webhookId) ?? { webhookId, name, isEnabled: false, heardThrough: [] }
    one.isEnabled ||= isEnabled
    one.heardThrough.push({ kind: 'binding', group: null, resourceType, resourceName })
    found.set(webhookId, one)
  }
  return [...found.values()]
}

export type MemberSilence = typeof silences.$inferSelect

/** Returns the silences of each member. */
export async function findSilences(db: Queryable, recipients: Recipient[]): Promise<Map<string, MemberSilence[]>> {
  if (recipients.length === 0) return new Map()
  const ids = recipients.map(({ membershipId }) => membershipId)
  const rows = await db.select().from(silences).where(inArray(silences.membershipId, ids)).orderBy(silences.id)
  return Map.groupBy(rows, (row) => row.membershipId)
}

function covers(row: SQL, { workspaceId, projectId, serviceId }: ServiceLocation): SQL {
  return sql`(${row}.service_id = ${serviceId} or ${row}.project_id = ${projectId} or ${row}.workspace_id = ${workspaceId})`
}

function resourceOf(row: SQL): SQL {
  return sql`case when ${row}.service_id is not null then 'service' when ${row}.project_id is not null then 'project'
      else 'workspace' end as resource_type, coalesce(s.name, p.name, w.name) as resource_name`
}

function joinResources(row: SQL): SQL {
  return sql`left join services s on s.id = ${row}.service_id left join projects p on p.id = ${row}.project_id
    left join workspaces w on w.id = ${row}.workspace_id`
}

/** Collects the rows into one recipient per member. */
function collect(rows: HearingRow[]): Recipient[] {
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
