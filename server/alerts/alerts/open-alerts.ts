import type { Tx } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import { and, eq, type SQL, sql } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { enqueue } from '../../schedule/jobs.ts'
import { keepsAlerts, WEBHOOK_PRESETS } from '../../schemas/organization/webhook-presets.ts'
import { isOfOrganization } from './recipients.ts'

// Alerts that services such as PagerDuty keep open until a recovery closes them. A webhook that no longer gets the
// messages of a service does not get its recovery either, so its open alerts are closed at once.

/** Longer than an attempt: one that has begun must end first, because it opens the alert again. */
const DELAY_MS = 30_000
/** The alerts that are closed, those of the newest incidents first. */
const ALERTS_MAX = 2_000
/** Alerts per job. */
const BATCH = 50

const PRESETS = sql.join(
  WEBHOOK_PRESETS.filter(keepsAlerts).map((preset) => sql`${preset}`),
  sql`, `,
)

/** Why a message about a failure is not attempted again. */
const UNBOUND = 'the webhook no longer gets messages about the service'

/** Whether an enabled binding of the webhook `w` covers the service `s` of the project `p`. */
const isCovered = sql`exists (
  select from webhook_bindings b where (b.organization_id, b.webhook_id) = (w.organization_id, w.id) and b.enabled
    and (b.service_id = s.id or b.project_id = p.id or b.workspace_id = p.workspace_id or ${isOfOrganization(sql`b`)}))`

/** Closes the alerts of a webhook about services that its bindings no longer cover. Call it after the change. */
export function closeUncoveredAlerts(tx: Tx, organizationId: string, webhookId: string): Promise<void> {
  return closeAlerts(tx, organizationId, sql`w.id = ${webhookId} and not ${isCovered}`)
}

/** Closes all alerts of a webhook. Call it before the webhook is deleted. */
export function closeAlertsOfWebhook(tx: Tx, organizationId: string, webhookId: string): Promise<void> {
  return closeAlerts(tx, organizationId, sql`w.id = ${webhookId}`)
}

/** Closes the alerts about services. Call it before they are deleted. `within` selects from the table `services`. */
export function closeAlertsOfServices(tx: Tx, organizationId: string, within: SQL): Promise<void> {
  const own = eq(services.organizationId, organizationId)
  const ids = tx.select({ id: services.id }).from(services).where(and(own, within))
  return closeAlerts(tx, organizationId, sql`s.id in (${ids})`)
}

type Opened = {
  webhookId: string
  preset: string
  sealed: string
  incidentId: string
  serviceId: string
  serviceName: string
}

/**
 * The jobs carry the sealed configuration, because the webhook can be gone by then. Messages that wait for another
 * attempt are ended. Reads open incidents by `incidents_list_idx`.
 */
async function closeAlerts(tx: Tx, organizationId: string, condition: SQL): Promise<void> {
  const opened = await tx.execute<Opened>(sql`
    select w.id as "webhookId", w.preset, encode(w.sealed, 'base64') as sealed, i.id as "incidentId",
      s.id as "serviceId", s.name as "serviceName"
    from incidents i join services s on (s.organization_id, s.id) = (i.organization_id, i.service_id)
      join projects p on (p.organization_id, p.id) = (s.organization_id, s.project_id)
      join webhooks w on w.organization_id = i.organization_id and w.preset in (${PRESETS})
    where i.organization_id = ${organizationId} and (i.closed_at is null) and ${condition}
      and exists (${deliveriesOf(sql`w.id`, sql`i`)})
    order by i.opened_at desc, i.id limit ${ALERTS_MAX}::int`)
  if (opened.length === 0) return
  const runAt = new Date((await databaseNow(tx)).getTime() + DELAY_MS)
  for (const alerts of Map.groupBy(opened, ({ webhookId }) => webhookId).values()) {
    const { webhookId, preset, sealed } = alerts[0] as Opened
    for (let start = 0; start < alerts.length; start += BATCH) {
      const batch = alerts.slice(start, start + BATCH)
      const payload = {
        ...{ organizationId, webhookId, preset, sealed },
        alerts: batch.map(({ incidentId, serviceId, serviceName }) => ({ incidentId, serviceId, serviceName })),
      }
      await enqueue(tx, 'close', payload, { runAt, maxAttempts: 12, sends: { organizationId, to: webhookId } })
    }
  }
  const incidentIds = JSON.stringify(opened.map(({ incidentId, webhookId }) => ({ incidentId, webhookId })))
  await tx.execute(sql`
    update webhook_deliveries d set state = 'failed', next_attempt_at = null, last_error = ${UNBOUND}
    from jsonb_to_recordset(${incidentIds}::jsonb) as o("incidentId" uuid, "webhookId" uuid)
      join alert_events e on e.organization_id = ${organizationId} and e.incident_id = o."incidentId"
    where (d.organization_id, d.event_id) = (e.organization_id, e.id) and d.webhook_id = o."webhookId" and d.state = 'pending'`)
}

/** Selects the deliveries that may have opened an alert. */
function deliveriesOf(webhookId: SQL, incident: SQL): SQL {
  return sql`select from alert_events e join webhook_deliveries d on (d.organization_id, d.event_id) = (e.organization_id, e.id)
    where (e.organization_id, e.incident_id) = (${incident}.organization_id, ${incident}.id) and d.webhook_id = ${webhookId}
      and e.kind in ('service.failed', 'service.reminder', 'service.flapping')`
}
