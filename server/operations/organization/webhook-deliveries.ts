import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Queryable } from '#db/client.ts'
import { and, desc, eq, getTableColumns } from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { services } from '#db/schema/resources.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { reachesService } from '../../access.ts'
import { openLogged } from '../../alerts/webhooks/delivery-log.ts'
import { deliveryJob, sampleMessage } from '../../alerts/webhooks/messages.ts'
import { receiverOf } from '../../alerts/webhooks/receiver.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { readPage } from '../../paging.ts'
import { enqueue } from '../../schedule/jobs.ts'
import { Id } from '../../schemas/conventions.ts'
import {
  ATTEMPTS_SHOWN,
  type WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
} from '../../schemas/organization/webhooks.ts'
import { orgSessionProcedure } from '../../trpc.ts'

/** The columns of a delivery in lists. Its payload and bodies can be large. */
const { payload: _payload, sentBody: _sentBody, ...LISTED } = getTableColumns(webhookDeliveries)
type Row = Omit<typeof webhookDeliveries.$inferSelect, 'payload' | 'sentBody'>
type About = Pick<WebhookDelivery, 'service' | 'incident'>

/** Lists the deliveries of a webhook, newest first. */
export const listDeliveries = orgSessionProcedure('webhooks', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(WebhookDeliveryQuery)
  .output(WebhookDeliveryPage)
  .query(async ({ ctx, input }) => {
    const webhook = await requireWebhook(ctx.db, ctx, input.id)
    const own = matchesId(webhookDeliveries.webhookId, ctx.actor.organizationId, webhook.id)
    return readPage(
      input,
      selectDeliveries(ctx).where(own).orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id)),
      () => ctx.db.$count(webhookDeliveries, own),
      ({ row, ...about }) => present(row, about),
    )
  })

/** Returns a delivery with what was sent last and what the receiver responded to each attempt, without secrets. */
export const getDelivery = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(z.object({ id: Id }))
  .output(WebhookDeliveryDetail)
  .query(async ({ ctx, input }) => {
    const [found] = await selectDeliveries(ctx).where(ownDelivery(ctx, input.id))
    if (!found) throw notFound()
    const { row, ...about } = found
    const [sent] = await ctx.db
      .select({ body: webhookDeliveries.sentBody })
      .from(webhookDeliveries)
      .where(ownDelivery(ctx, row.id))
    return {
      ...present(row, about),
      sentBody: openLogged(ctx.vault, row, 'sentBody', sent?.body ?? null),
      log: await readLog(ctx, row.id),
    }
  })

/** Sends a sample message. The list of deliveries shows the outcome. */
export const sendTest = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(z.object({ id: Id }))
  .output(WebhookDelivery)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const webhook = await requireWebhook(tx, ctx, input.id)
      const { organizationId, organizationName } = ctx.actor
      const id = uuidv7()
      const now = ctx.now()
      const payload = sampleMessage({ id: organizationId, name: organizationName }, now)
      const [row] = await tx
        .insert(webhookDeliveries)
        .values({
          id,
          organizationId,
          webhookId: webhook.id,
          eventId: id,
          kind: payload.type,
          payload,
          nextAttemptAt: now,
          createdAt: now,
        })
        .returning()
      await enqueue(
        tx,
        'deliver',
        { organizationId: ctx.actor.organizationId, deliveryId: id },
        deliveryJob(row as Row, receiverOf(ctx.vault, webhook)),
      )
      await audit(tx, ctx, auditEntry('test', webhook, id))
      return present(row as Row, ABOUT_NOTHING)
    }),
  )

/** Sends a delivery again with the same id and payload, also one that was delivered. Its attempts count from 0 again. */
export const redeliver = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(z.object({ id: Id }))
  .output(WebhookDelivery)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const [row] = await tx
        .update(webhookDeliveries)
        .set({ state: 'pending', attempts: 0, nextAttemptAt: ctx.now() })
        .where(ownDelivery(ctx, input.id))
        .returning()
      if (!row) throw notFound()
      const webhook = await requireWebhook(tx, ctx, row.webhookId)
      const job = { organizationId: row.organizationId, deliveryId: row.id }
      await enqueue(tx, 'deliver', job, deliveryJob(row, receiverOf(ctx.vault, webhook)))
      await audit(tx, ctx, auditEntry('redeliver', webhook, row.id))
      const [about] = await selectDeliveries(ctx, tx).where(ownDelivery(ctx, input.id))
      return present(row, about ?? ABOUT_NOTHING)
    }),
  )

async function requireWebhook(db: Queryable, ctx: ActorContext, id: string): Promise<typeof webhooks.$inferSelect> {
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.organizationId, ctx.actor.organizationId), eq(webhooks.id, id)))
  if (!row) throw notFound()
  return row
}

function ownDelivery(ctx: ActorContext, id: string) {
  return and(eq(webhookDeliveries.organizationId, ctx.actor.organizationId), eq(webhookDeliveries.id, id))
}

const ABOUT_NOTHING: About = { service: null, incident: null }

/** Selects deliveries with the service and incident of their event, where the reader reaches the service. */
function selectDeliveries({ actor, db }: ActorContext, within: Queryable = db) {
  return within
    .select({
      row: LISTED,
      service: { id: services.id, name: services.name },
      incident: { id: incidents.id, summary: incidents.summary },
    })
    .from(webhookDeliveries)
    .leftJoin(alertEvents, matchesRow(webhookDeliveries.eventId, alertEvents))
    .leftJoin(services, and(matchesRow(alertEvents.serviceId, services), reachesService(actor, 'read')))
    .leftJoin(incidents, and(matchesRow(alertEvents.incidentId, incidents), eq(incidents.serviceId, services.id)))
}

async function readLog({ db, vault, actor }: ActorContext, deliveryId: string): Promise<WebhookAttempt[]> {
  const rows = await db
    .select()
    .from(webhookAttempts)
    .where(matchesId(webhookAttempts.deliveryId, actor.organizationId, deliveryId))
    .orderBy(desc(webhookAttempts.startedAt), desc(webhookAttempts.id))
    .limit(ATTEMPTS_SHOWN)
  return rows.map((row) => ({
    id: row.id,
    startedAt: row.startedAt.toISOString(),
    status: row.status,
    error: row.error,
    latencyMs: row.latencyMs,
    responseBody: openLogged(vault, row, 'responseBody', row.responseBody),
  }))
}

function present(row: Row, { service, incident }: About): WebhookDelivery {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    attempts: row.attempts,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    lastLatencyMs: row.lastLatencyMs,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    service,
    incident,
  }
}

function auditEntry(verb: string, webhook: { id: string; name: string }, deliveryId: string) {
  return {
    action: `webhook.${verb}`,
    entityType: 'webhook',
    entityId: webhook.id,
    entityName: webhook.name,
    details: { deliveryId },
  }
}
