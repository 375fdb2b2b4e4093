import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { memberships, organizations, users } from '#db/schema/organizations.ts'
import { projects, services } from '#db/schema/resources.ts'
import { alertEvents } from '#db/schema/results.ts'
import { silences } from '#db/schema/scoped.ts'
import { webhookBindings, webhookDeliveries } from '#db/schema/webhooks.ts'
import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import type { Settings } from '#server/process/settings.ts'
import { enqueue, enqueueMail, JOBS } from '#server/schedule/jobs.ts'
import { deliveryJob, type WebhookMessage } from '#server/webhooks/messages.ts'
import { alertMail } from './alert-mail.ts'
import { isSilenced } from './silences.ts'

type Event = typeof alertEvents.$inferSelect
type ServiceLocation = {
  organizationId: string
  timezone: string
  workspaceId: string
  projectId: string
  serviceId: string
}

/**
 * Enqueues the mails and webhook deliveries of an event, in the transaction that marks the event as notified, so that a
 * repeated job does nothing. Events of deleted services are not sent.
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
    const location = await findLocation(tx, event)
    if (!location) return
    const message: WebhookMessage = {
      type: event.kind,
      timestamp: event.createdAt.toISOString(),
      data: event.payload,
    }
    await enqueueDeliveries(tx, event, location, message)
    for (const { membershipId, email } of await findRecipients(tx, event, location)) {
      await enqueueMail(tx, location.organizationId, alertMail(settings, email, message), {
        key: `mail:${event.id}:${membershipId}`,
      })
    }
  })
}

async function findLocation(tx: Tx, event: Event): Promise<ServiceLocation | null> {
  const [location] = await tx
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
    .where(eq(services.id, event.serviceId))
  return location ?? null
}

/** Enqueues one delivery per webhook, even if several of its bindings cover the service. */
async function enqueueDeliveries(
  tx: Tx,
  event: Event,
  location: ServiceLocation,
  message: WebhookMessage,
): Promise<void> {
  const bound = await tx
    .selectDistinct({ webhookId: webhookBindings.webhookId })
    .from(webhookBindings)
    .where(
      and(
        eq(webhookBindings.organizationId, location.organizationId),
        eq(webhookBindings.enabled, true),
        or(
          eq(webhookBindings.serviceId, location.serviceId),
          eq(webhookBindings.projectId, location.projectId),
          eq(webhookBindings.workspaceId, location.workspaceId),
        ),
      ),
    )
  for (const { webhookId } of bound) {
    const id = uuidv7()
    const delivery = { id, organizationId: location.organizationId, webhookId }
    await tx.insert(webhookDeliveries).values({
      ...delivery,
      eventId: event.id,
      kind: event.kind,
      payload: message,
      nextAttemptAt: sql`now()`,
    })
    await enqueue(tx, 'deliver', { deliveryId: id }, deliveryJob(delivery))
  }
}

/**
 * Returns active members with a grant, own or by group, on the service or above it, who have not silenced the event. The
 * permission on a section alone, even the owner's, gives no mails.
 */
async function findRecipients(
  tx: Tx,
  event: Event,
  location: ServiceLocation,
): Promise<{ membershipId: string; email: string }[]> {
  const members = await tx
    .select({ membershipId: memberships.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organizationId, location.organizationId),
        eq(memberships.isActive, true),
        eq(users.isActive, true),
        sql`exists (
          select 1 from grants g
          where (g.service_id = ${location.serviceId} or g.project_id = ${location.projectId}
              or g.workspace_id = ${location.workspaceId})
            and (g.membership_id = ${memberships.id} or g.group_id in (
              select gm.group_id from group_members gm where gm.membership_id = ${memberships.id})))`,
      ),
    )
  if (members.length === 0) return []
  const ids = members.map((member) => member.membershipId)
  const memberSilences = await tx.select().from(silences).where(inArray(silences.membershipId, ids))
  // Silences apply at the time of the event, not of this job.
  const eventTime = event.createdAt
  const silenced = new Set<string>()
  for (const silence of memberSilences) {
    if (shouldYield()) await yieldToEventLoop()
    if (silenced.has(silence.membershipId)) continue
    const isSilent = isSilenced([silence], { ...location, kind: event.kind }, 'email', eventTime, location.timezone)
    if (isSilent) silenced.add(silence.membershipId)
  }
  return members.filter(({ membershipId }) => !silenced.has(membershipId))
}
