import type { Task } from 'graphile-worker'
import { uuids } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'
import { isOfOrganization } from '#server/alerts/alerts/recipients.ts'
import { openWebhook } from '#server/alerts/webhooks/config.ts'
import { ALERT_CLOSED } from '#server/alerts/webhooks/messages.ts'
import { requestOf } from '#server/alerts/webhooks/presets/presets.ts'
import type { Transport } from '#server/language/lace/transport.ts'
import { databaseTime } from '#server/observe/system/database-clock.ts'
import { log } from '#server/process/log.ts'
import { JOBS } from '#server/schedule/jobs.ts'
import type { Vault } from '#server/vault.ts'
import { sendRequest } from './send.ts'

/** Statuses after which the request is repeated. Others, such as 404 for an unknown alert, stay what they are. */
const isTemporary = (status: number) => status === 408 || status === 429 || status >= 500

/**
 * Returns a task that closes alerts of a webhook, even one that is deleted (server/alerts/alerts/open-alerts.ts). A repeated
 * job closes them again, which changes nothing. Alerts of services that the webhook covers again stay open.
 */
export function createAlertCloser({ db, vault, transport }: { db: Db; vault: Vault; transport: Transport }): Task {
  return async (payload, { abortSignal }) => {
    const { organizationId, webhookId, preset, sealed, alerts } = JOBS.close.parse(payload)
    const config = openWebhook(vault, { id: webhookId, organizationId, sealed: Buffer.from(sealed, 'base64') })
    const covered = await findCovered(
      db,
      { organizationId, id: webhookId },
      alerts.map(({ serviceId }) => serviceId),
    )
    const at = databaseTime()
    for (const { incidentId, serviceId, serviceName } of alerts) {
      if (covered.has(serviceId)) continue
      const data = { service: { id: serviceId, name: serviceName }, incident: { id: incidentId } }
      const message = { type: ALERT_CLOSED, timestamp: at.toISOString(), data }
      const request = requestOf({ preset, method: 'POST', config }, message, { id: incidentId, at, secrets: [] })
      const { status } = await sendRequest(transport, request, abortSignal ?? null)
      if (isTemporary(status)) throw new Error(`The receiver responded with status ${status}`)
      if (status >= 300) log.warn({ webhookId, incidentId, status }, 'an alert could not be closed')
    }
  }
}

/** Returns the services that enabled bindings of the webhook cover. */
async function findCovered(db: Db, { organizationId, id }: RowKey<string>, serviceIds: string[]): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select distinct s.id from services s
      join projects p on (p.organization_id, p.id) = (s.organization_id, s.project_id)
      join webhook_bindings b on b.organization_id = s.organization_id and b.webhook_id = ${id} and b.enabled
        and (b.service_id = s.id or b.project_id = p.id or b.workspace_id = p.workspace_id or ${isOfOrganization(sql`b`)})
    where s.organization_id = ${organizationId} and s.id = any(${uuids(serviceIds)})`)
  return new Set(rows.map(({ id }) => id))
}
