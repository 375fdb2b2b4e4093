import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { alertEvents, alertMessages } from '#db/schema/alerts.ts'
import { webhookDeliveries } from '#db/schema/webhooks.ts'
import {
  type BoundWebhook,
  findBoundWebhooks,
  findLocation,
  findServiceRecipients,
  findSettingsWriters,
  findSilences,
  type Recipient,
  readTimezone,
  type ServiceLocation,
} from '#server/alerts/recipients.ts'
import { type Suppression, suppressionOf } from '#server/alerts/silencing.ts'
import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import type { Settings } from '#server/process/settings.ts'
import { enqueue, enqueueMail, JOBS } from '#server/schedule/jobs.ts'
import { deliveryJob, type WebhookMessage } from '#server/webhooks/messages.ts'
import { alertMail } from './alert-mail.ts'

/** The resource of an event of an agent: only silences of everything cover it. */
const NO_RESOURCE = { workspaceId: null, projectId: null, serviceId: null }

type Event = typeof alertEvents.$inferSelect

/**
 * Enqueues the mails and webhook deliveries of an event, and stores who gets none and why, in the transaction that marks
 * the event as notified, so that a repeated job does nothing. Events of deleted services are not sent.
 */
export async function notify(db: Db, settings: Settings, payload: unknown): Promise<void> {
  const { eventId } = JOBS.notify.parse(payload)
  await db.transaction(async (tx) => {
    const [event] = await tx
      .update(alertEvents)
      .set({ notifiedAt: sql`now()` })
      .where(and(eq(alertEvents.id, eventId), isNull(alertEvents.notifiedAt)))
      .returning()
    if (!event) return
    const location = event.serviceId === null ? null : await findLocation(tx, event.serviceId)
    if (event.serviceId !== null && location === null) return
    const message: WebhookMessage = {
      type: event.kind,
      timestamp: event.createdAt.toISOString(),
      data: event.payload,
    }
    const bound = location ? await findBoundWebhooks(tx, location) : []
    await enqueueDeliveries(tx, event, bound, message)
    const recipients = location
      ? await findServiceRecipients(tx, location, bound)
      : await findSettingsWriters(tx, event.organizationId)
    for (const { recipient, suppression } of await suppress(tx, event, recipients, location)) {
      const { membershipId, email, heardThrough } = recipient
      const id = uuidv7()
      await tx.insert(alertMessages).values({
        id,
        organizationId: event.organizationId,
        eventId: event.id,
        channel: 'email',
        membershipId,
        heardThrough,
        state: suppression ? 'suppressed' : 'pending',
        reason: suppression?.reason ?? null,
        silenceId: suppression?.silenceId ?? null,
        silencedUntil: suppression?.until ?? null,
      })
      if (suppression) continue
      await enqueueMail(tx, event.organizationId, alertMail(settings, email, message), {
        key: `mail:${event.id}:${membershipId}`,
      })
    }
  })
}

/** Enqueues one delivery per enabled webhook, even if several of its bindings cover the service. */
async function enqueueDeliveries(tx: Tx, event: Event, bound: BoundWebhook[], message: WebhookMessage): Promise<void> {
  const { id: eventId, organizationId, kind } = event
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
    await enqueue(tx, 'deliver', { deliveryId: id }, deliveryJob(delivery))
  }
}

/** Returns the recipients with the silence that keeps the event back from each. Silences apply at the event's time. */
async function suppress(
  tx: Tx,
  event: Event,
  recipients: Recipient[],
  location: ServiceLocation | null,
): Promise<{ recipient: Recipient; suppression: Suppression | null }[]> {
  const silences = await findSilences(tx, recipients)
  const subject = { ...(location ?? NO_RESOURCE), kind: event.kind }
  const timezone = location?.timezone ?? (await readTimezone(tx, event.organizationId))
  const judged: { recipient: Recipient; suppression: Suppression | null }[] = []
  for (const recipient of recipients) {
    let suppression: Suppression | null = null
    for (const silence of silences.get(recipient.membershipId) ?? []) {
      if (shouldYield()) await yieldToEventLoop()
      suppression = suppressionOf([silence], subject, 'email', event.createdAt, timezone)
      if (suppression) break
    }
    judged.push({ recipient, suppression })
  }
  return judged
}
