import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import type { Task } from 'graphile-worker'
import type { Db } from '#db/client.ts'
import { isUnavailable } from '#db/errors.ts'
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { type Transport, TransportError, type TransportResponse } from '#server/lace/transport.ts'
import type { Announcer } from '#server/live/announce.ts'
import { log } from '#server/process/log.ts'
import { enqueue, JOBS } from '#server/schedule/jobs.ts'
import { topics } from '#server/schemas/live.ts'
import type { AllowedNetworks } from '#server/scripts/target-addresses.ts'
import type { Vault } from '#server/vault.ts'
import { openWebhook, secretsOf, signingSecretsAt, type WebhookConfig } from '#server/webhooks/config.ts'
import { sealExchange } from '#server/webhooks/delivery-log.ts'
import { deliveryJob, type WebhookMessage, withLinks } from '#server/webhooks/messages.ts'
import { requestOf } from '#server/webhooks/presets/presets.ts'
import type { PresetRequest } from '#server/webhooks/presets/request.ts'
import { MessageTooLongError } from '#server/webhooks/templates.ts'
import { createTransport } from '../http/client.ts'
import { createRedactor } from '../redaction/redact.ts'
import { TooManySecrets } from '../redaction/secret-search.ts'
import { turnOf } from './delivery-turn.ts'

export type DeliverOptions = {
  db: Db
  vault: Vault
  allowedNetworks: AllowedNetworks
  /** The installation's own URL, for links in messages. */
  baseUrl?: string | undefined
  /** Announces the outcomes of attempts to open pages. */
  announcer?: Announcer
  now?: () => Date
}

const TIMEOUT_MS = 15_000
/** How much of a response the delivery log keeps. */
const RESPONSE_MAX_BYTES = 4 * 1024
/** How much of a request's body the delivery log keeps, in characters. */
const SENT_MAX = 16 * 1024
/** The pause before a recovery looks again whether an earlier message of its incident is still being sent. */
const TURN_PAUSE_MS = 2_000
/** Why a message about a failure is not sent: a service that keeps alerts would open one that nothing closes. */
const OVER = 'the incident was over before the message could be sent'
/** How often the outcome of an attempt is stored again while the database is unavailable, and the pause before. */
const RECORD_ATTEMPTS = 30
const RECORD_PAUSE_MS = 1_000

/**
 * Webhook retries: the delay after each failed attempt, in seconds. Twelve attempts within 24 hours; status 410 ends them
 * at once.
 */
export const RETRY_DELAYS_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 25_200] as const

type Delivery = typeof webhookDeliveries.$inferSelect
type Webhook = typeof webhooks.$inferSelect
type AttemptOutcome = {
  status: number | null
  error: string | null
  latencyMs: number
  isFinal: boolean
  sentBody: string | null
  responseBody: string | null
}

/**
 * Returns a task that sends one attempt of a delivery and stores its outcome. If the worker dies in between, another
 * one repeats the attempt: a receiver may get a message twice, with the same `webhook-id`. After a stored 2xx response,
 * nothing is sent again.
 */
export function createDeliverer(options: DeliverOptions): Task {
  const { db, vault, allowedNetworks, baseUrl, announcer, now = () => new Date() } = options
  const transport = createTransport({ allowedNetworks, excerptBytes: RESPONSE_MAX_BYTES })
  return async (payload, { abortSignal }) => {
    const { deliveryId } = JOBS.deliver.parse(payload)
    const [found] = await db
      .select({ delivery: webhookDeliveries, webhook: webhooks })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.state, 'pending')))
    if (!found) return
    const turn = await turnOf(db, found.delivery, found.webhook.preset)
    if (turn === 'over') return end(found.delivery, OVER)
    if (turn === 'wait') return postpone(found.delivery)
    const outcome = await attempt(found.delivery, found.webhook, abortSignal ?? null)
    // Not the receiver's fault: the queue retries the job.
    if (abortSignal?.aborted && outcome.status === null) throw new Error('the worker is stopping')
    await recordPatiently(found.delivery, outcome)
    announcer?.add(new Map([[found.delivery.organizationId, new Set([topics.message])]]))
  }

  /** Ends a delivery without another attempt. */
  async function end(delivery: Delivery, reason: string): Promise<void> {
    await db
      .update(webhookDeliveries)
      .set({ state: 'failed', nextAttemptAt: null, lastError: reason })
      .where(isUnchanged(delivery))
  }

  async function postpone(delivery: Delivery): Promise<void> {
    const nextAttemptAt = new Date(now().getTime() + TURN_PAUSE_MS)
    await db.transaction(async (tx) => {
      const where = isUnchanged(delivery)
      const changed = await tx
        .update(webhookDeliveries)
        .set({ nextAttemptAt })
        .where(where)
        .returning({ id: webhookDeliveries.id })
      if (changed.length === 0) return
      await enqueue(tx, 'deliver', { deliveryId: delivery.id }, { ...deliveryJob(delivery), runAt: nextAttemptAt })
    })
  }

  async function attempt(delivery: Delivery, webhook: Webhook, signal: AbortSignal | null): Promise<AttemptOutcome> {
    let startedAt = performance.now()
    let sentBody: string | null = null
    const latencyMs = () => Math.round(performance.now() - startedAt)
    const failed = (error: string, isFinal: boolean): AttemptOutcome => ({
      status: null,
      error,
      latencyMs: latencyMs(),
      isFinal,
      sentBody,
      responseBody: null,
    })
    try {
      const config = openWebhook(vault, webhook)
      const at = now()
      const message = withLinks(delivery.payload as WebhookMessage, baseUrl)
      const secrets = signingSecretsAt(config, at)
      const request = requestOf({ ...webhook, config }, message, { id: delivery.id, at, secrets })
      // Before the request, so that little happens between the response and its storage.
      const redact = await redactionOf(config, delivery.organizationId)
      sentBody = await redact(request.body, SENT_MAX)
      startedAt = performance.now()
      const response = await send(transport, request, signal)
      const { status } = response
      const isDelivered = status >= 200 && status < 300
      return {
        status,
        error: isDelivered ? null : `the receiver responded with status ${status}`,
        latencyMs: latencyMs(),
        isFinal: isDelivered || status === 410,
        sentBody,
        responseBody: await redact(excerptOf(response), RESPONSE_MAX_BYTES),
      }
    } catch (error) {
      if (error instanceof MessageTooLongError) return failed(error.message, true)
      if (!(error instanceof TransportError)) {
        log.error({ err: error, webhookId: webhook.id }, 'a webhook cannot be sent')
      }
      return failed(reasonOf(error), false)
    }
  }

  /** A 2xx response that is not stored would be sent again. So an unavailable database is waited for. */
  async function recordPatiently(delivery: Delivery, outcome: AttemptOutcome): Promise<void> {
    for (let left = RECORD_ATTEMPTS; ; left--) {
      try {
        return await record(delivery, outcome)
      } catch (error) {
        if (left === 0 || !isUnavailable(error)) throw error
        await sleep(RECORD_PAUSE_MS)
      }
    }
  }

  async function record(delivery: Delivery, outcome: AttemptOutcome): Promise<void> {
    const { status, error, latencyMs, isFinal, ...exchange } = outcome
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
          ...sealExchange(vault, delivery, exchange),
          ...(state === 'delivered' && { deliveredAt: at }),
        })
        .where(isUnchanged(delivery))
        .returning({ id: webhookDeliveries.id })
      if (changed.length === 0 || nextAttemptAt === null) return
      await enqueue(tx, 'deliver', { deliveryId: delivery.id }, { ...deliveryJob(delivery), runAt: nextAttemptAt })
    })
  }
}

/** Matches no row if the delivery was resent during an attempt: then the new attempt counts. */
function isUnchanged({ id, attempts }: Delivery) {
  return and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.attempts, attempts))
}

function send(transport: Transport, request: PresetRequest, signal: AbortSignal | null): Promise<TransportResponse> {
  const { method, url, headers, body } = request
  return transport({
    method,
    url,
    headers,
    body: Buffer.from(body),
    timeoutMs: TIMEOUT_MS,
    rejectInvalidCerts: true,
    signal,
  })
}

/** Returns a function that removes the webhook's secrets from the beginning of a text; null where that is not possible. */
async function redactionOf(config: WebhookConfig, organizationId: string) {
  try {
    const redactor = await createRedactor(secretsOf(config), organizationId)
    return async (text: string | null, max: number) => (text === null ? null : await redactor.prefix(text, max))
  } catch (error) {
    if (!(error instanceof TooManySecrets)) throw error
    return async () => null
  }
}

/** Returns the beginning of a response as text; null when it is compressed. */
function excerptOf({ headers, body }: TransportResponse): string | null {
  const coding = headers['content-encoding']
  if (body === null || (coding !== undefined && coding !== 'identity')) return null
  // The excerpt can end within a character.
  return body.toString('utf8').replace(/\ufffd$/, '')
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
