import { and, eq } from 'drizzle-orm'
import type { Task } from 'graphile-worker'
import type { Db } from '#db/client.ts'
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { type Transport, TransportError } from '#server/lace/transport.ts'
import { log } from '#server/process/log.ts'
import { enqueue, JOBS } from '#server/schedule/jobs.ts'
import type { AllowedNetworks } from '#server/scripts/target-addresses.ts'
import type { Vault } from '#server/vault.ts'
import { openWebhook } from '#server/webhooks/config.ts'
import { deliveryJob, type WebhookMessage } from '#server/webhooks/messages.ts'
import { signatureHeaders } from '#server/webhooks/signature.ts'
import { contentTypeOf, renderTemplate } from '#server/webhooks/templates.ts'
import { createTransport } from '../http/client.ts'

export type DeliverOptions = {
  db: Db
  vault: Vault
  allowedNetworks: AllowedNetworks
  now?: () => Date
}

const TIMEOUT_MS = 15_000
/** Only the status of the response is used. */
const RESPONSE_MAX_BYTES = 64 * 1024

/**
 * Webhook retries: the delay after each failed attempt, in seconds. Twelve attempts within 24 hours; status 410 ends them
 * at once.
 */
export const RETRY_DELAYS_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 25_200] as const

type Delivery = typeof webhookDeliveries.$inferSelect
type AttemptOutcome = { status: number | null; error: string | null; latencyMs: number; isFinal: boolean }

/**
 * Returns a task that sends one attempt of a delivery and stores its outcome. If the worker dies in between, another
 * one repeats the attempt: a receiver may get a message twice, with the same `webhook-id`.
 */
export function createDeliverer({ db, vault, allowedNetworks, now = () => new Date() }: DeliverOptions): Task {
  const transport = createTransport({ allowedNetworks, maxBodyBytes: RESPONSE_MAX_BYTES })
  return async (payload, { abortSignal }) => {
    const { deliveryId } = JOBS.deliver.parse(payload)
    const [found] = await db
      .select({ delivery: webhookDeliveries, webhook: webhooks })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.state, 'pending')))
    if (!found) return
    const outcome = await attempt(found.delivery, found.webhook)
    // Not the receiver's fault: the queue retries the job.
    if (abortSignal?.aborted && outcome.status === null) throw new Error('the worker is stopping')
    await record(found.delivery, outcome)

    async function attempt(delivery: Delivery, webhook: typeof webhooks.$inferSelect): Promise<AttemptOutcome> {
      const startedAt = performance.now()
      const latencyMs = () => Math.round(performance.now() - startedAt)
      try {
        const { status } = await send(transport, vault, delivery, webhook, now(), abortSignal ?? null)
        const isDelivered = status >= 200 && status < 300
        const error = isDelivered ? null : `the receiver responded with status ${status}`
        return { status, error, latencyMs: latencyMs(), isFinal: isDelivered || status === 410 }
      } catch (error) {
        if (!(error instanceof TransportError)) {
          log.error({ err: error, webhookId: webhook.id }, 'a webhook cannot be sent')
        }
        return { status: null, error: reasonOf(error), latencyMs: latencyMs(), isFinal: false }
      }
    }
  }

  async function record(delivery: Delivery, { status, error, latencyMs, isFinal }: AttemptOutcome): Promise<void> {
    const attempts = delivery.attempts + 1
    const delay = isFinal ? undefined : RETRY_DELAYS_SECONDS[attempts - 1]
    const at = now()
    const nextAttemptAt = delay === undefined ? null : new Date(at.getTime() + delay * 1_000)
    const state = error === null ? 'delivered' : nextAttemptAt ? 'pending' : 'failed'
    await db.transaction(async (tx) => {
      const changed = await tx
        .update(webhookDeliveries)
        .set({
          attempts,
          state,
          nextAttemptAt,
          lastStatus: status,
          lastError: error,
          lastLatencyMs: latencyMs,
          ...(state === 'delivered' && { deliveredAt: at }),
        })
        // No row matches if the delivery was resent during the attempt: then that attempt counts.
        .where(and(eq(webhookDeliveries.id, delivery.id), eq(webhookDeliveries.attempts, delivery.attempts)))
        .returning({ id: webhookDeliveries.id })
      if (changed.length === 0 || nextAttemptAt === null) return
      await enqueue(tx, 'deliver', { deliveryId: delivery.id }, { ...deliveryJob(delivery), runAt: nextAttemptAt })
    })
  }
}

function send(
  transport: Transport,
  vault: Vault,
  delivery: Delivery,
  webhook: typeof webhooks.$inferSelect,
  at: Date,
  signal: AbortSignal | null,
) {
  const config = openWebhook(vault, webhook)
  const contentType = contentTypeOf(config.headers)
  const message = delivery.payload as WebhookMessage
  const body = config.body === null ? JSON.stringify(message) : renderTemplate(config.body, contentType, message)
  const own = Object.entries(config.headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  const hasAgent = own.some(([name]) => name.toLowerCase() === 'user-agent')
  return transport({
    method: webhook.method as 'POST' | 'PUT' | 'PATCH',
    url: config.url,
    headers: [
      ['Content-Type', contentType],
      ...(hasAgent ? [] : ([['User-Agent', 'Soundline']] as [string, string][])),
      ...own,
      ...signatureHeaders([config.signingSecret], delivery.id, at, body),
    ],
    body: Buffer.from(body),
    timeoutMs: TIMEOUT_MS,
    rejectInvalidCerts: true,
    signal,
  })
}

/** Returns a reason for the delivery log. It omits the webhook's URL, which not every reader of the log may see. */
function reasonOf(error: unknown): string {
  if (!(error instanceof TransportError)) return 'the webhook cannot be sent'
  switch (error.failure) {
    case 'timeout':
      return `no response within ${TIMEOUT_MS / 1_000} seconds`
    case 'blocked':
      return 'webhooks may not be sent to this address'
    case 'tls':
      return 'the TLS connection failed'
    case 'connection':
      return 'the receiver cannot be reached'
    default:
      return 'the response of the receiver was invalid'
  }
}
