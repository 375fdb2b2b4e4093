import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { and, isNull, sql } from '#db/drizzle.cjs'
import { matchesAny, matchesId } from '#db/row-match.ts'
import { alertEvents, alertMessages } from '#db/schema/alerts.ts'
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import {
  type BoundWebhook,
  findBoundWebhooks,
  findLocation,
  findServiceRecipients,
  findSettingsWriters,
  readTimezone,
} from '#server/alerts/alerts/recipients.ts'
import { deliveryJob, type WebhookMessage } from '#server/alerts/webhooks/messages.ts'
import { receiverOf } from '#server/alerts/webhooks/receiver.ts'
import { announce } from '#server/live/announce.ts'
import { enqueue, JOBS } from '#server/schedule/jobs.ts'
import { topics } from '#server/schemas/live/topics.ts'
import { keepsAlerts } from '#server/schemas/organization/webhook-presets.ts'
import type { Vault } from '#server/vault.ts'
import type { Mailing } from './alert-mail.ts'
import { storeMails } from './collect-mails.ts'
import { messageOf } from './event-message.ts'

type Event = typeof alertEvents.$inferSelect

/**
 * Enqueues the mails and webhook deliveries of an event, and stores who gets none and why, in the transaction that marks
 * the event as notified, so that a repeated job does nothing. Events of deleted services are not sent.
 */
export async function notify(db: Db, mailing: Mailing, payload: unknown): Promise<void> {
  const { organizationId, eventId } = JOBS.notify.parse(payload)
  await db.transaction(async (tx) => {
    const [event] = await tx
      .update(alertEvents)
      .set({ notifiedAt: sql`now()` })
      .where(and(matchesId(alertEvents.id, organizationId, eventId), isNull(alertEvents.notifiedAt)))
      .returning()
    if (!event) return
    await announce(tx, new Map([[event.organizationId, new Set([topics.message])]]))
    const location = event.serviceId === null ? null : await findLocation(tx, { organizationId, id: event.serviceId })
    if (event.serviceId !== null && location === null) return
    const bound = location ? await findBoundWebhooks(tx, location) : []
    if (event.suppressedReason !== null) return closeAlerts(tx, mailing.vault, event, bound)
    await enqueueDeliveries(tx, mailing.vault, event, bound)
    const recipients = location
      ? await findServiceRecipients(tx, location, bound)
      : await findSettingsWriters(tx, event.organizationId)
    const timezone = location?.timezone ?? (await readTimezone(tx, event.organizationId))
    await storeMails(tx, mailing, event, recipients, { location, timezone })
  })
}

/** A suppressed recovery notifies no one. It is delivered only where an alert would stay open. */
async function closeAlerts(tx: Tx, vault: Vault, event: Event, bound: BoundWebhook[]): Promise<void> {
  if (event.kind !== 'service.recovered') return
  const open = bound.filter(({ preset, isEnabled }) => isEnabled && keepsAlerts(preset))
  await enqueueDeliveries(tx, vault, event, open)
}

/** Enqueues one delivery per enabled webhook, even if several of its bindings cover the service. */
async function enqueueDeliveries(tx: Tx, vault: Vault, event: Event, bound: BoundWebhook[]): Promise<void> {
  if (bound.length === 0) return
  const { id: eventId, organizationId, kind } = event
  const message: WebhookMessage = messageOf(event)
  const ids = bound.map(({ webhookId }) => webhookId)
  const rows = await tx
    .select()
    .from(webhooks)
    .where(matchesAny(webhooks.id, organizationId, ids))
  const receivers = new Map(rows.map((row) => [row.id, receiverOf(vault, row)]))
  for (const { webhookId, isEnabled, heardThrough } of bound) {
    const id = uuidv7()
    if (!isEnabled) {
      const reason = 'the binding is paused'
      await tx.insert(alertMessages).values({
        ...{ id, organizationId, eventId, webhookId, heardThrough, reason },
        channel: 'webhook',
        state: 'suppressed',
      })
      continue
    }
    const delivery = { id, organizationId, webhookId }
    await tx
      .insert(webhookDeliveries)
      .values({ ...delivery, eventId, kind, payload: message, nextAttemptAt: sql`now()` })
    await enqueue(
      tx,
      'deliver',
      { organizationId, deliveryId: id },
      deliveryJob(delivery, receivers.get(webhookId) ?? webhookId),
    )
  }
}
