import type { Task } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { and, eq, sql } from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { openWebhook, secretsOf, signingSecretsAt, type WebhookConfig } from '#server/alerts/webhooks/config.ts'
import { sealLogged } from '#server/alerts/webhooks/delivery-log.ts'
import { deliveryJob, type WebhookMessage, withLinks } from '#server/alerts/webhooks/messages.ts'
import { requestOf } from '#server/alerts/webhooks/presets/presets.ts'
import { refusalOf } from '#server/alerts/webhooks/presets/refusals.ts'
import { receiverOf } from '#server/alerts/webhooks/receiver.ts'
import { MessageTooLongError } from '#server/alerts/webhooks/templates.ts'
import { type Transport, TransportError, type TransportResponse } from '#server/language/lace/transport.ts'
import type { Announcer } from '#server/live/announce.ts'
import { observeDelivery } from '#server/observe/metrics/sends.ts'
import { databaseTime } from '#server/observe/system/database-clock.ts'
import { log } from '#server/process/log.ts'
import { createRedactor } from '#server/runs/redaction/redact.ts'
import { TooManySecrets } from '#server/runs/redaction/secret-search.ts'
import { enqueue, JOBS } from '#server/schedule/jobs.ts'
import { topics } from '#server/schemas/live/topics.ts'
import type { Vault } from '#server/vault.ts'
import { nextAttempt, retryAfterMs } from './retry-plan.ts'
import { sendRequest, TIMEOUT_MS } from './send.ts'
import { turnOf } from './turn.ts'

export type DeliverOptions = {
  db: Db
  vault: Vault
  /** Reads `RESPONSE_MAX_BYTES` of each response. */
  transport: Transport
  /** The installation's own URL, for links in messages. */
  baseUrl?: string | undefined
  /** Announces the outcomes of attempts to open pages. */
  announcer?: Announcer
  now?: () => Date
}

/** How much of a response the delivery log keeps. */
export const RESPONSE_MAX_BYTES = 4 * 1024
/** How much of a request's body the delivery log keeps, in characters. */
const SENT_MAX = 16 * 1024
/** The pause before a recovery looks again whether an earlier message of its incident is still being sent. */
const TURN_PAUSE_MS = 2_000
/** Why a message about a failure is not sent: a service that keeps alerts would open one that nothing closes. */
const OVER = 'the incident was over before the message could be sent'

type Delivery = typeof webhookDeliveries.$inferSelect
type Webhook = typeof webhooks.$inferSelect
type Attempt = {
  startedAt: Date
  sentBody: string | null
  responseBody: string | null
  status: number | null
  /** Why the attempt failed; null when the receiver accepted the message. */
  error: string | null
  latencyMs: number
  isFinal: boolean
  retryAfterMs: number | null
}

/**
 * Returns a task that sends one attempt of a delivery and stores its outcome. If the worker or the database fails before
 * the outcome is stored, the queue repeats the attempt: a receiver may get a message twice, with the same `webhook-id`.
 */
export function createDeliverer(options: DeliverOptions): Task {
  const { db, vault, transport, baseUrl, announcer, now = databaseTime } = options
  return async (payload, { abortSignal }) => {
    const { organizationId, deliveryId } = JOBS.deliver.parse(payload)
    const [found] = await db
      .select({ delivery: webhookDeliveries, webhook: webhooks })
      .from(webhookDeliveries)
      .innerJoin(webhooks, matchesRow(webhookDeliveries.webhookId, webhooks))
      .where(and(matchesId(webhookDeliveries.id, organizationId, deliveryId), eq(webhookDeliveries.state, 'pending')))
    if (!found) return
    const turn = await turnOf(db, found.delivery, found.webhook.preset)
    if (turn === 'over') return end(found.delivery, OVER)
    if (turn === 'wait') return postpone(found.delivery, found.webhook)
    const attempted = await attempt(found.delivery, found.webhook, abortSignal ?? null)
    const { status, error, latencyMs } = attempted
    // Not the receiver's fault: the queue retries the job.
    if (abortSignal?.aborted && status === null) throw new Error('the worker is stopping')
    const outcome = error === null ? 'delivered' : status === null ? 'failed' : 'refused'
    observeDelivery(found.webhook.preset, outcome, latencyMs / 1_000)
    await record(found.delivery, found.webhook, attempted)
    announce(found.delivery)
  }

  function announce({ organizationId }: Delivery): void {
    announcer?.add(new Map([[organizationId, new Set([topics.message])]]))
  }

  /** Ends a delivery without another attempt. */
  async function end(delivery: Delivery, reason: string): Promise<void> {
    await db
      .update(webhookDeliveries)
      .set({ state: 'failed', nextAttemptAt: null, lastError: reason })
      .where(isAttempted(delivery))
  }

  async function postpone(delivery: Delivery, webhook: Webhook): Promise<void> {
    const nextAttemptAt = new Date(now().getTime() + TURN_PAUSE_MS)
    await db.transaction(async (tx) => {
      const where = isAttempted(delivery)
      const changed = await tx
        .update(webhookDeliveries)
        .set({ nextAttemptAt })
        .where(where)
        .returning({ id: webhookDeliveries.id })
      if (changed.length === 0) return
      await enqueueAttempt(tx, delivery, webhook, nextAttemptAt)
    })
  }

  async function enqueueAttempt(tx: Tx, delivery: Delivery, webhook: Webhook, runAt: Date): Promise<void> {
    const { organizationId, id: deliveryId } = delivery
    const to = receiverOf(vault, webhook)
    await enqueue(tx, 'deliver', { organizationId, deliveryId }, { ...deliveryJob(delivery, to), runAt })
  }

  async function attempt(delivery: Delivery, webhook: Webhook, signal: AbortSignal | null): Promise<Attempt> {
    const at = now()
    let sentFrom = performance.now()
    let sentBody: string | null = null
    const ended = (error: string | null, given: Partial<Attempt> = {}): Attempt => ({
      ...{ startedAt: at, status: null, error, latencyMs: Math.round(performance.now() - sentFrom), isFinal: false },
      ...{ retryAfterMs: null, sentBody, responseBody: null },
      ...given,
    })
    try {
      const config = openWebhook(vault, webhook)
      const message = withLinks(delivery.payload as WebhookMessage, baseUrl)
      const secrets = signingSecretsAt(config, at)
      const request = requestOf({ ...webhook, config }, message, {
        id: delivery.id,
        transactionId: transactionOf(delivery),
        at,
        secrets,
      })
      const redact = await redactionOf(config, delivery.organizationId)
      sentBody = await redact(request.body, SENT_MAX)
      sentFrom = performance.now()
      const response = await sendRequest(transport, request, signal)
      const { status } = response
      const responseBody = await redact(excerptOf(response), RESPONSE_MAX_BYTES)
      const isAccepted = status >= 200 && status < 300
      return ended(isAccepted ? null : refusalOf(webhook.preset, status, responseBody), {
        ...{ status, responseBody, isFinal: status === 410, retryAfterMs: retryAfterMs(response, now()) },
      })
    } catch (error) {
      if (error instanceof MessageTooLongError) return ended(error.message, { isFinal: true })
      if (!(error instanceof TransportError)) {
        log.error({ err: error, webhookId: webhook.id }, 'a webhook cannot be sent')
      }
      return ended(reasonOf(error))
    }
  }

  async function record(delivery: Delivery, webhook: Webhook, attempted: Attempt): Promise<void> {
    const { startedAt, sentBody, responseBody, status, error, latencyMs, isFinal, retryAfterMs } = attempted
    const { createdAt, nextAttemptAt: dueAt } = delivery
    const attempts = delivery.attempts + 1
    const isOver = isFinal || error === null
    const nextAttemptAt = isOver ? null : nextAttempt({ attempts, createdAt, dueAt }, now(), retryAfterMs)
    await db.transaction(async (tx) => {
      const { organizationId, id: deliveryId } = delivery
      const own = matchesId(webhookDeliveries.id, organizationId, deliveryId)
      const [kept] = await tx.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(own).for('update')
      if (!kept) return
      const row = { id: uuidv7(), organizationId }
      await tx.insert(webhookAttempts).values({
        ...{ ...row, deliveryId, startedAt, status, error, latencyMs },
        responseBody: sealLogged(vault, row, 'responseBody', responseBody),
      })
      const changed = await tx
        .update(webhookDeliveries)
        .set({
          attempts,
          state: error === null ? 'delivered' : nextAttemptAt ? 'pending' : 'failed',
          ...(error === null && { deliveredAt: now() }),
          nextAttemptAt,
          lastStatus: status,
          lastError: error,
          lastLatencyMs: latencyMs,
          sentBody: sealLogged(vault, delivery, 'sentBody', sentBody),
        })
        .where(isAttempted(delivery))
        .returning({ id: webhookDeliveries.id })
      if (changed.length === 0 || nextAttemptAt === null) return
      await enqueueAttempt(tx, delivery, webhook, nextAttemptAt)
    })
  }
}

/** Differs once the message was delivered: a service that compares it would ignore what a member sends again. */
function transactionOf({ id, deliveredAt }: Delivery): string {
  return deliveredAt === null ? id : `${id}.${deliveredAt.getTime()}`
}

/** Matches no row if the delivery was resent or ended during the attempt: then its row counts. */
function isAttempted({ organizationId, id, attempts, nextAttemptAt }: Delivery) {
  return and(
    matchesId(webhookDeliveries.id, organizationId, id),
    eq(webhookDeliveries.state, 'pending'),
    eq(webhookDeliveries.attempts, attempts),
    sql`${webhookDeliveries.nextAttemptAt} is not distinct from ${nextAttemptAt?.toISOString() ?? null}::timestamptz`,
  )
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
