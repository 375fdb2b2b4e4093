import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { matchesAny, matchesId, matchesRow, type RowKey } from '#db/row-match.ts'
import type { HeardThrough } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { silences } from '#db/schema/scoped.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import type { ResourceType } from '../schemas/scopes.ts'
import { findListeners, type HearingRow, type Place, type Recipient, toRecipients } from './listeners.ts'

// Who is notified of an event, and why: for the notify job, the preview, and the bell on the pages.

/** Where a service is, with the organization's time zone. */
export type ServiceLocation = Place & { timezone: string; projectId: string; serviceId: string }

export type BoundWebhook = {
  webhookId: string
  name: string
  preset: string
  isEnabled: boolean
  heardThrough: HeardThrough[]
}

/** Returns null for a deleted service, and for one to which the condition does not apply. */
export async function findLocation(
  db: Queryable,
  service: RowKey<string>,
  condition?: SQL,
): Promise<ServiceLocation | null> {
  const [location] = await db
    .select({
      organizationId: services.organizationId,
      timezone: organizations.timezone,
      workspaceId: projects.workspaceId,
      projectId: projects.id,
      serviceId: services.id,
    })
    .from(services)
    .innerJoin(projects, matchesRow(services.projectId, projects))
    .innerJoin(organizations, eq(organizations.id, services.organizationId))
    .where(and(matchesRow(services.id, service), condition))
  return location ?? null
}

/** Returns where a resource is, null when it is deleted. */
export async function findPlace(
  db: Queryable,
  { organizationId, type, id }: { organizationId: string; type: ResourceType; id: string },
): Promise<Place | null> {
  if (type === 'service') return findLocation(db, { organizationId, id })
  const none = { organizationId, projectId: null, serviceId: null }
  if (type === 'workspace') return { ...none, workspaceId: id }
  const [project] = await db
    .select({ workspaceId: projects.workspaceId })
    .from(projects)
    .where(matchesId(projects.id, organizationId, id))
  return project ? { ...none, workspaceId: project.workspaceId, projectId: id } : null
}

/** Returns the listeners of a service, or the owner of its organization when it has no listener and no enabled webhook. */
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

/** Returns the active owner of the organization, who is notified of a failing service without listeners. */
export function findOwner(db: Queryable, organizationId: string): Promise<Recipient[]> {
  return findMembers(db, organizationId, 'owner', sql`m.is_owner`)
}

/** Returns the active members with write on the section Settings, who are notified of agents. */
export function findSettingsWriters(db: Queryable, organizationId: string): Promise<Recipient[]> {
  const writes = sql`(m.is_owner or m.section_settings = 2 or exists (
    select 1 from group_members gm join groups gr on (gr.organization_id, gr.id) = (gm.organization_id, gm.group_id)
    where (gm.organization_id, gm.membership_id) = (m.organization_id, m.id) and gr.section_settings = 2))`
  return findMembers(db, organizationId, 'section', writes)
}

/** Returns the active members `m` to whom a condition applies, with the reason why they are notified. */
async function findMembers(
  db: Queryable,
  organizationId: string,
  kind: HeardThrough['kind'],
  condition: SQL,
): Promise<Recipient[]> {
  return toRecipients(
    await db.execute<HearingRow>(sql`
      select m.id as membership_id, u.email, u.display_name, ${kind}::text as kind, null as "group",
        null as resource_type, null as resource_name
      from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.is_active and u.is_active and ${condition}
      order by u.email`),
  )
}

/** Returns the webhooks bound to a service or above it, one entry each; enabled when any of its bindings is. */
export async function findBoundWebhooks(db: Queryable, location: ServiceLocation): Promise<BoundWebhook[]> {
  const rows = await db
    .select({
      webhookId: webhooks.id,
      name: webhooks.name,
      preset: webhooks.preset,
      isEnabled: webhookBindings.enabled,
      resourceType: sql<HeardThrough['resourceType']>`case
        when ${webhookBindings.serviceId} is not null then 'service'
        when ${webhookBindings.projectId} is not null then 'project' else 'workspace' end`,
      resourceName: sql<string>`coalesce(
        (select name from services where ${matchesRow(webhookBindings.serviceId, services)}),
        (select name from projects where ${matchesRow(webhookBindings.projectId, projects)}),
        (select name from workspaces where ${matchesRow(webhookBindings.workspaceId, workspaces)}))`,
    })
    .from(webhookBindings)
    .innerJoin(webhooks, matchesRow(webhookBindings.webhookId, webhooks))
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
  for (const { webhookId, name, preset, isEnabled, resourceType, resourceName } of rows) {
    const one = found.get(webhookId) ?? { webhookId, name, preset, isEnabled: false, heardThrough: [] }
    one.isEnabled ||= isEnabled
    one.heardThrough.push({ kind: 'binding', group: null, resourceType, resourceName })
    found.set(webhookId, one)
  }
  return [...found.values()]
}

export type MemberSilence = typeof silences.$inferSelect

/** Returns the silences of each member; with a place, only those that cover it. */
export async function findSilences(
  db: Queryable,
  organizationId: string,
  recipients: Pick<Recipient, 'membershipId'>[],
  place?: Place,
): Promise<Map<string, MemberSilence[]>> {
  if (recipients.length === 0) return new Map()
  const ids = recipients.map(({ membershipId }) => membershipId)
  const rows = await db
    .select()
    .from(silences)
    .where(and(matchesAny(silences.membershipId, organizationId, ids), place && covering(place)))
    .orderBy(silences.id)
  return Map.groupBy(rows, (row) => row.membershipId)
}

function covering({ workspaceId, projectId, serviceId }: Place) {
  return or(
    eq(silences.workspaceId, workspaceId),
    projectId === null ? undefined : eq(silences.projectId, projectId),
    serviceId === null ? undefined : eq(silences.serviceId, serviceId),
    and(isNull(silences.workspaceId), isNull(silences.projectId), isNull(silences.serviceId)),
  )
}
