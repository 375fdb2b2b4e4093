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
 * Queues the mails and deliveries of an event, all of them in the transaction that marks it: a second run of the job
 * finds it done. Of a service that is gone nobody is told any more.
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
    const place = await findLocation(tx, event)
    if (!place) return
    const message: WebhookMessage = {
      type: event.kind,
      timestamp: event.createdAt.toISOString(),
      data: event.payload,
    }
    await queueDeliveries(tx, event, place, message)
    for (const { membershipId, email } of await findRecipients(tx, event, place)) {
      await enqueueMail(tx, place.organizationId, alertMail(settings, email, message), {
        key: `mail:${event.id}:${membershipId}`,
      })
    }
  })
}

async function findLocation(tx: Tx, event: Event): Promise<ServiceLocation | null> {
  const [place] = await tx
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
  return place ?? null
}

/** One per webhook, however many of its bindings reach the service. */
async function queueDeliveries(tx: Tx, event: Event, place: ServiceLocation, message: WebhookMessage): Promise<void> {
  const bound = await tx
    .selectDistinct({ webhookId: webhookBindings.webhookId })
    .from(webhookBindings)
    .where(
      and(
        eq(webhookBindings.organizationId, place.organizationId),
        eq(webhookBindings.enabled, true),
        or(
          eq(webhookBindings.serviceId, place.serviceId),
          eq(webhookBindings.projectId, place.projectId),
          eq(webhookBindings.workspaceId, place.workspaceId),
        ),
      ),
    )
  for (const { webhookId } of bound) {
    const id = uuidv7()
    const delivery = { id, organizationId: place.organizationId, webhookId }
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

/** Active members with a grant of their own or of a group on the service or above it, but for those who silenced it. */
async function findRecipients(
  tx: Tx,
  event: Event,
  place: ServiceLocation,
): Promise<{ membershipId: string; email: string }[]> {
  const members = await tx
    .select({ membershipId: memberships.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organizationId, place.organizationId),
        eq(memberships.isActive, true),
        eq(users.isActive, true),
        sql`exists (
          select 1 from grants g
          where (g.service_id = ${place.serviceId} or g.project_id = ${place.projectId}
              or g.workspace_id = ${place.workspaceId})
            and (g.membership_id = ${memberships.id} or g.group_id in (
              select gm.group_id from group_members gm where gm.membership_id = ${memberships.id})))`,
      ),
    )
  if (members.length === 0) return []
  const ids = members.map((member) => member.membershipId)
  const held = await tx.select().from(silences).where(inArray(silences.membershipId, ids))
  // When it happened, not when a busy queue came round to it.
  const at = event.createdAt
  const silenced = new Set<string>()
  for (const silence of held) {
    if (shouldYield()) await yieldToEventLoop()
    if (silenced.has(silence.membershipId)) continue
    const isQuiet = isSilenced([silence], { ...place, kind: event.kind }, 'email', at, place.timezone)
    if (isQuiet) silenced.add(silence.membershipId)
  }
  return members.filter(({ membershipId }) => !silenced.has(membershipId))
}
