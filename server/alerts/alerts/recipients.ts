import type { Queryable } from '#db/client.ts'
import { and, eq, isNull, or, type SQL, sql } from '#db/drizzle.cjs'
import { matchesAny, matchesId, matchesRow, type RowKey } from '#db/row-match.ts'
import type { HeardThrough } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { projects, services } from '#db/schema/resources.ts'
import { silences } from '#db/schema/scoped.ts'
import type { ResourceType } from '../../schemas/scopes.ts'
import {
  covers,
  findListeners,
  fromTheTop,
  type HearingRow,
  joinResources,
  type Recipient,
  type ResourcePath,
  type ResourcePathIds,
  reasonOf,
  resourceOf,
  toRecipients,
} from './listeners.ts'

// Who is notified of an event, and why: for the notify job, the preview, and the bell on the pages.

/** Where a service is, with the organization's time zone. */
export type ServiceLocation = ResourcePath & { timezone: string; projectId: string; serviceId: string }

export type BoundWebhook = {
  webhookId: string
  name: string
  preset: string
  isEnabled: boolean
  heardThrough: HeardThrough[]
}

/** Returns null for a deleted service. */
export async function findLocation(db: Queryable, service: RowKey<string>): Promise<ServiceLocation | null> {
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
    .where(matchesRow(services.id, service))
  return location ?? null
}

/** Returns the ids of a resource and of what is above it; null when it is deleted. */
export async function findResourcePath(
  db: Queryable,
  { organizationId, type, id }: { organizationId: string; type: ResourceType; id: string },
): Promise<ResourcePath | null> {
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
export async function findOwner(db: Queryable, organizationId: string): Promise<Recipient[]> {
  return toRecipients(await db.execute<HearingRow>(selectOwner(organizationId)))
}

/** Selects what `findOwner` returns, as the rows of listeners. */
export function selectOwner(organizationId: string | SQL): SQL {
  return selectMembers(organizationId, 'owner', sql`m.is_owner`)
}

/** Returns the active members with write on the section Settings, who are notified of agents. */
export async function findSettingsWriters(db: Queryable, organizationId: string): Promise<Recipient[]> {
  const writes = sql`(m.is_owner or m.section_settings = 2 or exists (
    select 1 from group_members gm join groups gr on (gr.organization_id, gr.id) = (gm.organization_id, gm.group_id)
    where (gm.organization_id, gm.membership_id) = (m.organization_id, m.id) and gr.section_settings = 2))`
  return toRecipients(await db.execute<HearingRow>(selectMembers(organizationId, 'section', writes)))
}

/** Selects the active members `m` to whom a condition applies, with the reason why they are notified. */
function selectMembers(organizationId: string | SQL, kind: HeardThrough['kind'], condition: SQL): SQL {
  return sql`
    select m.id as membership_id, u.email, u.display_name, ${kind}::text as kind, null::text as "group",
      null::text as resource_type, null::text as resource_name
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.is_active and u.is_active and ${condition}
    order by u.email`
}

/** Whether a binding is of the whole organization. */
export function isOfOrganization(binding: SQL): SQL {
  return sql`num_nonnulls(${binding}.workspace_id, ${binding}.project_id, ${binding}.service_id) = 0`
}

/** Returns the webhooks bound to a resource or above it, by name. */
export async function findBoundWebhooks(db: Queryable, path: ResourcePath): Promise<BoundWebhook[]> {
  const rows = await db.execute<BoundWebhook>(sql`
    select bound.* from (${selectBoundWebhooks(path)}) bound order by bound.name`)
  return [...rows]
}

/**
 * Selects the webhooks bound to a resource or above it, one row each, as `BoundWebhook`; enabled when any of its bindings
 * is.
 */
export function selectBoundWebhooks(path: ResourcePathIds): SQL {
  return sql`
    select heard.id as "webhookId", heard.name, heard.preset, bool_or(heard.enabled) as "isEnabled",
      json_agg(${reasonOf(sql`heard`)} order by ${fromTheTop(sql`heard`)}) as "heardThrough"
    from (
      select hook.id, hook.name, hook.preset, b.enabled, 'binding' as kind, null as "group", ${resourceOf(sql`b`)}
      from webhook_bindings b
        join webhooks hook on (hook.organization_id, hook.id) = (b.organization_id, b.webhook_id)
        ${joinResources(sql`b`)}
      where b.organization_id = ${path.organizationId} and ${covers(sql`b`, path)}
      union all
      select hook.id, hook.name, hook.preset, b.enabled, 'binding', null, 'organization', o.name
      from webhook_bindings b
        join webhooks hook on (hook.organization_id, hook.id) = (b.organization_id, b.webhook_id)
        join organizations o on o.id = b.organization_id
      where b.organization_id = ${path.organizationId} and ${isOfOrganization(sql`b`)}) heard
    group by heard.id, heard.name, heard.preset`
}

export type MemberSilence = typeof silences.$inferSelect

/** Returns the silences of each member; with a resource, only those that cover it. */
export async function findSilences(
  db: Queryable,
  organizationId: string,
  recipients: Pick<Recipient, 'membershipId'>[],
  path?: ResourcePath,
): Promise<Map<string, MemberSilence[]>> {
  if (recipients.length === 0) return new Map()
  const ids = recipients.map(({ membershipId }) => membershipId)
  const rows = await db
    .select()
    .from(silences)
    .where(and(matchesAny(silences.membershipId, organizationId, ids), path && covering(path)))
    .orderBy(silences.id)
  return Map.groupBy(rows, (row) => row.membershipId)
}

/** Whether a silence is of the resource, of what is above it, or of everything. */
export function covering({ workspaceId, projectId, serviceId }: ResourcePathIds): SQL | undefined {
  return or(
    eq(silences.workspaceId, workspaceId),
    projectId === null ? undefined : eq(silences.projectId, projectId),
    serviceId === null ? undefined : eq(silences.serviceId, serviceId),
    and(isNull(silences.workspaceId), isNull(silences.projectId), isNull(silences.serviceId)),
  )
}
