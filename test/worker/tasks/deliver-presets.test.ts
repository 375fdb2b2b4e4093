import type { JobHelpers } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { webhookAttempts, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { sealWebhook, type WebhookConfig } from '#server/alerts/webhooks/config.ts'
import { openLogged } from '#server/alerts/webhooks/delivery-log.ts'
import type { WebhookMessage } from '#server/alerts/webhooks/messages.ts'
import type { PresetRequest } from '#server/alerts/webhooks/presets/request.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { EVERY_KIND, FAILED } from '#test/support/alerts/messages.ts'
import { ALERT_SERVICES, type AlertService } from '#test/support/alerts/services.ts'
import { testDatabase } from '#test/support/database.ts'
import { unique } from '#test/support/factories.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'
import { createDeliverer, RESPONSE_MAX_BYTES } from '#worker/tasks/deliveries/deliver.ts'

// Deliveries to services on loopback that are as strict as their published formats.

const database = testDatabase()
const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']), excerptBytes: RESPONSE_MAX_BYTES })
const vault = createVault([{ id: 'test', secret: 's'.repeat(32) }])
const NAMES = Object.keys(ALERT_SERVICES) as (keyof typeof ALERT_SERVICES)[]

let target: HttpTarget
let service: AlertService
let received: { url: string; authorization: string; body: string }[] = []

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    const body = (await readAll(request)).toString()
    const { url = '', method, rawHeaders } = request
    received.push({ url, authorization: request.headers.authorization ?? '', body })
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    )
    const answer = service.answer({ method: method as PresetRequest['method'], url, headers, body })
    // It repeats what it got, as a proxy that echoes does.
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ answer: answer.body, got: received.at(-1) }))
  })
})
afterEach(() => {
  received = []
})
afterAll(() => target.close())

const address = () => `http://127.0.0.1:${target.port}`

async function createDelivery(preset: string, config: Partial<WebhookConfig>, message: WebhookMessage) {
  const { id: organizationId } = await database.create.organization()
  const webhook = { id: uuidv7(), organizationId }
  const whole: WebhookConfig = { url: '', headers: {}, body: null, signingSecret: '', ...config }
  const sealed = sealWebhook(vault, webhook, whole)
  await database.db.insert(webhooks).values({ ...webhook, name: unique('Hook'), preset, sealed })
  const id = uuidv7()
  await database.db.insert(webhookDeliveries).values({
    ...{ id, organizationId, webhookId: webhook.id, eventId: uuidv7(), kind: message.type, payload: message },
    nextAttemptAt: sql`now()`,
  })
  return { organizationId, deliveryId: id }
}

const deliver = (job: object) =>
  createDeliverer({ db: database.db, vault, transport, baseUrl: 'https://probes.example.com' })(job, {
    abortSignal: new AbortController().signal,
  } as JobHelpers)

async function logOf({ deliveryId }: { deliveryId: string }) {
  const [row] = await database.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, deliveryId))
  const attempts = await database.db.select().from(webhookAttempts).where(eq(webhookAttempts.deliveryId, deliveryId))
  if (!row) throw new Error('no delivery')
  const texts = [
    openLogged(vault, row, 'sentBody', row.sentBody),
    ...attempts.map((one) => openLogged(vault, one, 'responseBody', one.responseBody)),
  ]
  return { ...row, logged: JSON.stringify(texts), attempts: attempts.length }
}

test.each(NAMES)('%s is told of everything over HTTP, and the log keeps no secret', async (name) => {
  service = ALERT_SERVICES[name]
  const messages = Object.values(EVERY_KIND)
  for (const message of messages) {
    const job = await createDelivery(name, service.config(address()), message)
    await deliver(job)
    const log = await logOf(job)
    expect(log, `${message.type}: ${log.logged}`).toMatchObject({ state: 'delivered', attempts: 1, lastError: null })
    expect(log.logged).not.toContain(service.secret)
  }
  expect(received).toHaveLength(messages.length)
})

test.each(NAMES)('what %s answers to a wrong token is explained', async (name) => {
  service = ALERT_SERVICES[name]
  const job = await createDelivery(name, service.wrong(address()), FAILED)
  await deliver(job)
  expect(await logOf(job)).toMatchObject({ state: 'pending', attempts: 1, lastError: service.refusal })
})

test('Matrix gets the same transaction until it has the message, and another when a member sends it again', async () => {
  service = { ...ALERT_SERVICES.matrix, answer: () => ({ status: 503, body: 'starting' }) }
  const job = await createDelivery('matrix', ALERT_SERVICES.matrix.config(address()), FAILED)
  await deliver(job)
  service = ALERT_SERVICES.matrix
  await deliver(job)
  expect(await logOf(job)).toMatchObject({ state: 'delivered', attempts: 2 })
  const again = { state: 'pending', attempts: 0, nextAttemptAt: new Date() } as const
  await database.db.update(webhookDeliveries).set(again).where(eq(webhookDeliveries.id, job.deliveryId))
  await deliver(job)
  const [first, second, third] = received.map(({ url }) => url.split('/').at(-1))
  expect(first).toBe(job.deliveryId)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})
