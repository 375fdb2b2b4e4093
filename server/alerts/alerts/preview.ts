import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import type { HeardThrough } from '#db/schema/alerts.ts'
import { services } from '#db/schema/resources.ts'
import { silences } from '#db/schema/scoped.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type AlertRecipient, RECIPIENTS_MAX, type ServiceAlerting } from '../../schemas/alerts/alerting.ts'
import { toAlertSettings } from './alert-settings.ts'
import { showMember } from './explanations.ts'
import { inOrder, reasonOf, selectFirstListeners } from './listeners.ts'
import { type BoundWebhook, covering, type ServiceLocation, selectBoundWebhooks, selectOwner } from './recipients.ts'
import { type HeldSilence, presentSilence, silencedNow } from './silencing.ts'

type Facts = {
  location: ServiceLocation
  names: Record<'workspace' | 'project' | 'service', string>
  settings: { key: string; value: string | null }[]
  hasListener: boolean
  webhooks: BoundWebhook[]
  webhooksTotal: number
}
type Recipient = {
  membershipId: string
  email: string
  displayName: string
  heardThrough: HeardThrough[]
  /** The silences that cover the service, as JSON: the members' are parsed one after the other. */
  silences: string | null
}
/** The first row has the facts about the service. */
type Row = { facts: Facts | null; total: number } & (Recipient | { membershipId: null })

/** The ids, selected by the statement in its CTE `resource_path`. */
const RESOURCE_PATH = {
  organizationId: sql`(select resource_path.organization_id from resource_path)`,
  workspaceId: sql`(select resource_path.workspace_id from resource_path)`,
  projectId: sql`(select resource_path.project_id from resource_path)`,
  serviceId: sql`(select resource_path.service_id from resource_path)`,
}

/** Selects one row per recipient, the caller first; a single row without a recipient when no one would be notified. */
function selectPreview(membershipId: string, service: RowKey<string>): SQL {
  return sql`
    with resource_path as materialized (${selectResourcePath(service)}),
      listened as materialized (${selectFirstListeners(RESOURCE_PATH, membershipId, RECIPIENTS_MAX)}),
      bound as materialized (${selectBoundWebhooks(RESOURCE_PATH)}),
      listening as materialized (
        select exists (select from listened) or exists (select from bound where "isEnabled") as is_true),
      heard as (
        select membership_id, email, display_name, total, kind, "group", resource_type, resource_name from listened
        union all
        select membership_id, email, display_name, count(*) over ()::int, kind, "group", resource_type, resource_name
        from (${selectOwner(RESOURCE_PATH.organizationId)}) owner where not (select is_true from listening)),
      told as (
        select heard.membership_id as "membershipId", heard.email, heard.display_name as "displayName", heard.total,
          json_agg(${reasonOf(sql`heard`)} order by ${inOrder}) as "heardThrough",
          row_number() over (order by heard.membership_id = ${membershipId} desc, heard.display_name, heard.email) as n
        from heard group by heard.membership_id, heard.email, heard.display_name, heard.total)
    select told."membershipId", told.email, told."displayName", told."heardThrough", coalesce(told.total, 0) as total,
      ${selectSilences(sql`told."membershipId"`)} as silences,
      case when coalesce(told.n, 1) = 1 then (${selectFacts()}) end as facts
    from resource_path left join told on true order by told.n`
}

function selectResourcePath(service: RowKey<string>): SQL {
  return sql`
    select services.organization_id, o.timezone, p.workspace_id, p.id as project_id, services.id as service_id,
      w.name as workspace, p.name as project, services.name as service
    from ${services}
      join projects p on (p.organization_id, p.id) = (services.organization_id, services.project_id)
      join workspaces w on (w.organization_id, w.id) = (p.organization_id, p.workspace_id)
      join organizations o on o.id = services.organization_id
    where ${matchesRow(services.id, service)}`
}

function selectFacts(): SQL {
  return sql`select json_build_object(
    'location', json_build_object('organizationId', resource_path.organization_id, 'timezone', resource_path.timezone,
      'workspaceId', resource_path.workspace_id, 'projectId', resource_path.project_id,
      'serviceId', resource_path.service_id),
    'names', json_build_object('workspace', resource_path.workspace, 'project', resource_path.project,
      'service', resource_path.service),
    'settings', (
      select coalesce(json_agg(json_build_object('key', v.key, 'value', v.value)), '[]') from variables v
      where (v.organization_id, v.service_id) = (resource_path.organization_id, resource_path.service_id)
        and v.system_type is not null),
    'hasListener', (select is_true from listening),
    'webhooks', (
      select coalesce(json_agg(listed order by listed.name), '[]')
      from (select * from bound order by name limit ${RECIPIENTS_MAX}) listed),
    'webhooksTotal', (select count(*) from bound))`
}

function selectSilences(membershipId: SQL): SQL {
  const { id, workspaceId, projectId, serviceId, channel, config, quietHours } = silences
  return sql`(
    select json_agg(json_build_object('id', ${id}, 'workspaceId', ${workspaceId}, 'projectId', ${projectId},
      'serviceId', ${serviceId}, 'channel', ${channel}, 'config', ${config}, 'quietHours', ${quietHours}) order by ${id})::text
    from ${silences}
    where ${silences.organizationId} = resource_path.organization_id and ${silences.membershipId} = ${membershipId}
      and ${covering(RESOURCE_PATH)})`
}

/** Returns who would be notified if the service failed now. @throws ApiError `not_found` when it was deleted meanwhile */
export async function previewAlerting(
  ctx: Pick<ActorContext, 'actor' | 'settings' | 'now'> & { db: Queryable },
  service: RowKey<string>,
): Promise<ServiceAlerting> {
  const rows = await ctx.db.execute<Row>(selectPreview(ctx.actor.membershipId, service))
  const [first] = rows
  if (!first?.facts) throw notFound('id')
  const { location, settings, hasListener, webhooks, webhooksTotal } = first.facts
  const recipients: AlertRecipient[] = []
  for (const row of rows) {
    if (row.membershipId !== null) recipients.push(await present(ctx, row, first.facts))
  }
  return {
    serviceId: location.serviceId,
    settings: toAlertSettings(settings),
    hasListener,
    isMailConfigured: ctx.settings.SMTP_URL !== undefined,
    recipients,
    recipientsTotal: first.total,
    webhooks:
      ctx.actor.sections.webhooks === 0
        ? null
        : webhooks.map(({ isEnabled, preset: _, ...webhook }) => ({ ...webhook, enabled: isEnabled })),
    webhooksTotal,
  }
}

async function present(
  { actor, now }: Pick<ActorContext, 'actor' | 'now'>,
  { membershipId, displayName, email, heardThrough, silences: stored }: Recipient,
  { location, names }: Facts,
): Promise<AlertRecipient> {
  const held: HeldSilence[] = stored === null ? [] : JSON.parse(stored)
  const silenced = await silencedNow(held, { ...location, kind: 'service.failed' }, 'email', now(), location.timezone)
  const own = membershipId === actor.membershipId && held.find(({ id }) => id === silenced?.silenceId)
  return {
    ...showMember(actor, { orgUserId: membershipId, name: displayName, email, heardThrough }),
    isSilenced: silenced !== null,
    silencedReason: silenced?.reason ?? null,
    silencedUntil: silenced?.until?.toISOString() ?? null,
    silence: own ? presentSilence({ ...own, membershipId, resourceName: nameOf(own, names) }) : null,
  }
}

/** The name of the silenced resource. A reader of a service may see the resources above it. */
function nameOf({ workspaceId, projectId, serviceId }: HeldSilence, names: Facts['names']): string | null {
  if (workspaceId) return names.workspace
  if (projectId) return names.project
  return serviceId ? names.service : null
}
