import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { JobHelpers } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asc, eq, sql } from '#db/drizzle.cjs'
import { type EventKind, incidents } from '#db/schema/alerts.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { rotateSigningSecret, sealWebhook, type WebhookConfig } from '#server/alerts/webhooks/config.ts'
import { openLogged } from '#server/alerts/webhooks/delivery-log.ts'
import { sampleMessage, type WebhookMessage } from '#server/alerts/webhooks/messages.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { testDatabase } from '#test/support/database.ts'
import { unique } from '#test/support/factories.ts'
import { createIncident, createIncidentEvent } from '#test/support/runs/incidents.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'
import { createDeliverer, RESPONSE_MAX_BYTES } from '#worker/tasks/deliveries/deliver.ts'
import { nextAttempt, RETRY_DELAYS_SECONDS } from '#worker/tasks/deliveries/retry-plan.ts'

// What deliveries send to a receiver on loopback, and what the delivery log keeps of it.

const database = testDatabase()
const transport = createTransport({
  allowedNetworks: parseNetworks(['127.0.0.0/8']),
  excerptBytes: RESPONSE_MAX_BYTES,
})
const vault = createVault([{ id: 'test', secret: 's'.repeat(32) }])
const BASE_URL = 'https://probes.example.com'
const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const CONFIG: WebhookConfig = { url: '', headers: {}, body: null, signingSecret: SIGNING_SECRET }

type Received = { url: string; headers: Record<string, unknown>; body: string }
let target: HttpTarget
let received: Received[] = []
let respond = (response: ServerResponse): unknown => response.end('ok')
let now = new Date()

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    const body = (await readAll(request)).toString()
    received.push({ url: request.url ?? '', headers: request.headers, body })
    respond(response)
  })
})
afterEach(() => {
  received = []
  respond = (response) => response.end('ok')
  now = new Date()
})
afterAll(() => target.close())

const address = (path = '') => `http://127.0.0.1:${target.port}${path}`

const deliver = (baseUrl?: string) =>
  createDeliverer({
    db: database.db,
    vault,
    transport,
    baseUrl,
    now: () => now,
  })

async function createWebhook(preset: string, config: Partial<WebhookConfig>) {
  const organization = await database.create.organization()
  const webhook = { id: uuidv7(), organizationId: organization.id }
  const sealed = sealWebhook(vault, webhook, { ...CONFIG, url: address('/hook'), ...config })
  await database.db.insert(webhooks).values({ ...webhook, name: unique('Hook'), preset, sealed })
  return webhook
}

async function createDelivery(preset: string, config: Partial<WebhookConfig>, message: WebhookMessage) {
  return storeDelivery(await createWebhook(preset, config), message)
}

async function storeDelivery(
  webhook: { id: string; organizationId: string },
  message: WebhookMessage,
  given: Partial<typeof webhookDeliveries.$inferInsert> = {},
) {
  const id = uuidv7()
  await database.db.insert(webhookDeliveries).values({
    id,
    organizationId: webhook.organizationId,
    webhookId: webhook.id,
    eventId: uuidv7(),
    kind: message.type,
    payload: message,
    nextAttemptAt: sql`now()`,
    ...given,
  })
  return id
}

async function attempt(id: string, task = deliver()): Promise<void> {
  const [row] = await database.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
  const job = { organizationId: row?.organizationId, deliveryId: id }
  await task(job, { abortSignal: new AbortController().signal } as JobHelpers)
}

async function logOf(id: string) {
  const [found] = await database.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
  const row = found as NonNullable<typeof found>
  const log = await attemptsOf(id)
  const sentBody = openLogged(vault, row, 'sentBody', row.sentBody)
  return { ...row, sentBody, responseBody: log.at(-1)?.responseBody ?? null, stored: row }
}

/** Every attempt in the log of a delivery, the oldest first. */
async function attemptsOf(id: string) {
  const rows = await database.db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, id))
    .orderBy(asc(webhookAttempts.startedAt), asc(webhookAttempts.id))
  return rows.map((row) => ({ ...row, responseBody: openLogged(vault, row, 'responseBody', row.responseBody) }))
}

const FAILED = { ...sampleMessage({ id: 'o', name: 'Acme' }), type: 'service.failed' }
const INCIDENT = (FAILED.data.incident as { id: string }).id

describe('each preset', () => {
  const token = '123456789:AAAA-bbbb_cccc-dddd'
  const routingKey = 'R0'.padEnd(32, 'k')
  const apiKey = 'opsgenie-key-0123456789'

  test.each<[string, () => Partial<WebhookConfig>, path: string, secret: string]>([
    ['slack', () => ({ url: address('/services/T0/B0/SlackToken01') }), '/services/T0/B0/SlackToken01', 'SlackToken01'],
    [
      'teams',
      () => ({ url: address('/workflows/1?sig=TeamsToken01') }),
      '/workflows/1?sig=TeamsToken01',
      'TeamsToken01',
    ],
    ['discord', () => ({ url: address('/webhooks/1/DiscordToken1') }), '/webhooks/1/DiscordToken1', 'DiscordToken1'],
    ['pagerduty', () => ({ url: address(), access: { routingKey } }), '/v2/enqueue', routingKey],
    ['opsgenie', () => ({ url: address(), access: { apiKey } }), '/v2/alerts', apiKey],
    [
      'telegram',
      () => ({ url: address(), access: { botToken: token, chatId: '-1' } }),
      `/bot${token}/sendMessage`,
      token,
    ],
  ])('%s is told over HTTP, and the log keeps no secret', async (preset, config, path, secret) => {
    // A receiver that repeats what it got.
    respond = (response) => response.writeHead(202).end(`{"status": "accepted", "by": "${secret}"}`)
    const id = await createDelivery(preset, config(), FAILED)
    await attempt(id, deliver(BASE_URL))
    expect(received).toHaveLength(1)
    expect(received[0]?.url).toBe(path)
    expect(received[0]?.headers).not.toHaveProperty('webhook-signature')
    expect(received[0]?.headers['user-agent']).toBe('Soundline')
    expect(received[0]?.body.replaceAll('\\\\', '')).toContain(`${BASE_URL}/incidents/${INCIDENT}`)
    const log = await logOf(id)
    expect(log).toMatchObject({
      state: 'delivered',
      lastStatus: 202,
      responseBody: expect.stringContaining('accepted'),
    })
    expect(log.sentBody).toContain('Example service')
    expect(JSON.stringify([log.sentBody, log.responseBody])).not.toContain(secret)
    // Encrypted like the webhook itself.
    const stored = await database.db.select().from(webhookAttempts).where(eq(webhookAttempts.deliveryId, id))
    expect(JSON.stringify([log.stored, stored])).not.toContain('accepted')
  })

  test('is resolved on recovery under the key of its failure', async () => {
    const config = { url: address(), access: { routingKey } }
    await attempt(await createDelivery('pagerduty', config, FAILED))
    await attempt(await createDelivery('pagerduty', config, { ...FAILED, type: 'service.recovered' }))
    const [trigger, resolve] = received.map(({ body }) => JSON.parse(body))
    expect(trigger).toMatchObject({ event_action: 'trigger', dedup_key: `soundline-incident-${INCIDENT}` })
    expect(resolve).toEqual({ routing_key: routingKey, event_action: 'resolve', dedup_key: trigger.dedup_key })
  })
})

describe('the message', () => {
  test('has links to the result and the incident if the installation knows its URL', async () => {
    const body =
      '{"text": "{{summary}}", "title": "{{title}}", "cause": "{{failure.cause}}", "to": "{{links.incident}}"}'
    await attempt(await createDelivery('json', {}, FAILED), deliver(BASE_URL))
    await attempt(await createDelivery('json', { body }, FAILED), deliver(BASE_URL))
    await attempt(await createDelivery('json', { body }, FAILED))
    const [plain, linked, unlinked] = received.map((one) => JSON.parse(one.body))
    expect(plain).toMatchObject({
      type: 'service.failed',
      timestamp: FAILED.timestamp,
      data: {
        failure: { cause: 'status 500, expected 200', step: { method: 'GET', statusCode: 500 }, moreFailed: 0 },
        incident: { id: INCIDENT },
        links: {
          result: expect.stringMatching(/^https:\/\/probes\.example\.com\/services\/[^/]+\/results\//),
          incident: `${BASE_URL}/incidents/${INCIDENT}`,
        },
      },
    })
    expect(linked).toEqual({
      text: 'Example service (Example workspace / Example project) failed: GET https://service.example/: status 500, expected 200',
      title: '[Failed] Example service – status 500, expected 200',
      cause: 'status 500, expected 200',
      to: `${BASE_URL}/incidents/${INCIDENT}`,
    })
    expect(unlinked).toEqual({ ...linked, to: '' })
  })

  test('is signed with both secrets for 24 hours after a rotation', async () => {
    now = new Date('2026-11-21T10:00:00Z')
    const config = rotateSigningSecret(CONFIG, now)
    const signatureBy = (secret: string, one: Received | undefined) => {
      const { 'webhook-id': id, 'webhook-timestamp': at } = one?.headers ?? {}
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${at}.${one?.body}`).digest('base64')}`
    }
    const sendAt = async (at: string) => {
      now = new Date(at)
      await attempt(await createDelivery('json', { ...config, url: address() }, FAILED))
      const one = received.at(-1)
      const both = [config.signingSecret, SIGNING_SECRET].map((secret) => signatureBy(secret, one))
      return { sent: one?.headers['webhook-signature'], both }
    }
    const during = await sendAt('2026-11-22T09:59:59.999Z')
    expect(during.sent).toBe(during.both.join(' '))
    const later = await sendAt('2026-11-22T10:00:00Z')
    expect(later.sent).toBe(later.both[0])
  })

  test('that is too long ends the delivery without an attempt', async () => {
    const agents = Array.from({ length: 2_000 }, (_, index) => ({ agentSlug: `agent-${index}`, status: 'failure' }))
    const body = `{"text": "${'{{agents}}'.repeat(10)}"}`
    const id = await createDelivery('json', { body }, { ...FAILED, data: { ...FAILED.data, agents } })
    await attempt(id)
    expect(received).toEqual([])
    expect(await logOf(id)).toMatchObject({ state: 'failed', lastError: 'the message is longer than 256 KiB' })
  })
})

describe('the messages of one incident', () => {
  const KEYS = { access: { routingKey: 'R0'.padEnd(32, 'k'), apiKey: 'opsgenie-key-0123456789' } }
  const OVER = 'the incident was over before the message could be sent'

  async function openIncident(preset: string) {
    const webhook = await createWebhook(preset, { url: address(), ...KEYS })
    const service = { id: uuidv7(), organizationId: webhook.organizationId }
    const incident = await createIncident(database.db, service)
    const { id, openedAt } = incident
    const data = { ...FAILED.data, incident: { id, openedAt, failingSince: openedAt, summary: '', downMs: 1 } }
    return {
      close: () => database.db.update(incidents).set({ closedAt: new Date() }).where(eq(incidents.id, id)),
      delivery: async (kind: EventKind, given: Partial<typeof webhookDeliveries.$inferInsert> = {}) => {
        const event = await createIncidentEvent(database.db, incident, { kind })
        return storeDelivery(webhook, { ...FAILED, type: kind, data }, { eventId: event.id, ...given })
      },
    }
  }

  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const runsAt = (id: string) =>
    database.db.execute(sql`select run_at from graphile_worker._private_jobs where key = ${`delivery:${id}`}`)
  const answerWith = (status: number) => {
    respond = (response) => response.writeHead(status).end()
  }

  test.each(['service.failed', 'service.reminder'] as const)('%s is not repeated after its recovery', async (kind) => {
    for (const preset of ['pagerduty', 'opsgenie', 'incidentio', 'oncall', 'slack']) {
      const incident = await openIncident(preset)
      const late = await incident.delivery(kind)
      answerWith(429)
      await attempt(late)
      expect(await logOf(late)).toMatchObject({ state: 'pending', attempts: 1, lastStatus: 429 })
      await incident.close()
      answerWith(202)
      const recovery = await incident.delivery('service.recovered')
      await attempt(recovery)
      expect(await logOf(recovery)).toMatchObject({ state: 'delivered' })
      expect(received).toHaveLength(2)
      await attempt(late)
      expect(received).toHaveLength(2)
      expect(await logOf(late)).toMatchObject({ state: 'failed', attempts: 1, lastError: OVER, nextAttemptAt: null })
      received = []
    }
  })

  test('is sent late to services that keep no alerts open', async () => {
    for (const preset of ['slack', 'json']) {
      const incident = await openIncident(preset)
      const late = await incident.delivery('service.failed')
      await incident.close()
      await attempt(late)
      expect(await logOf(late)).toMatchObject({ state: 'delivered' })
    }
    expect(received).toHaveLength(2)
  })

  test('is repeated after the recovery for programs that get the message itself', async () => {
    const incident = await openIncident('json')
    const late = await incident.delivery('service.failed')
    answerWith(429)
    await attempt(late)
    await incident.close()
    answerWith(202)
    await attempt(late)
    expect(await logOf(late)).toMatchObject({ state: 'delivered', attempts: 2 })
  })

  test('a recovery waits until the failure, whose attempt began before, is answered', async () => {
    const incident = await openIncident('pagerduty')
    const failure = await incident.delivery('service.failed')
    const answers: (() => void)[] = []
    respond = (response) => answers.push(() => response.writeHead(202).end())
    const failing = attempt(failure)
    await expect.poll(() => answers).toHaveLength(1)
    await incident.close()
    const recovery = await incident.delivery('service.recovered')
    await attempt(recovery)
    expect(received).toHaveLength(1)
    const { state, attempts, nextAttemptAt } = await logOf(recovery)
    expect({ state, attempts }).toEqual({ state: 'pending', attempts: 0 })
    expect(nextAttemptAt).toEqual(new Date(now.getTime() + 2_000))
    expect(await runsAt(recovery)).toHaveLength(1)
    answers[0]?.()
    await failing
    answerWith(202)
    await attempt(recovery)
    expect(received.map(({ body }) => JSON.parse(body).event_action)).toEqual(['trigger', 'resolve'])
    expect(await logOf(recovery)).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  test('a recovery waits neither for a failure that is long due, nor for another webhook or incident', async () => {
    const incident = await openIncident('pagerduty')
    await incident.delivery('service.failed', { nextAttemptAt: inMinutes(-11) })
    await incident.delivery('service.reminder', { nextAttemptAt: inMinutes(60) })
    const { id: webhookId, organizationId } = await createWebhook('pagerduty', KEYS)
    await incident.delivery('service.failed', { webhookId, organizationId })
    await (await openIncident('pagerduty')).delivery('service.failed')
    await incident.close()
    const recovery = await incident.delivery('service.recovered')
    await attempt(recovery)
    expect(await logOf(recovery)).toMatchObject({ state: 'delivered' })
  })
})

describe('the delivery log', () => {
  test('keeps an attempt without a response, and one that was overtaken by a member who sends it again', async () => {
    const unreachable = await createDelivery('json', { url: 'http://127.0.0.1:2/' }, FAILED)
    await attempt(unreachable)
    expect(await attemptsOf(unreachable)).toMatchObject([
      { status: null, error: 'the receiver cannot be reached', responseBody: null },
    ])
    const id = await createDelivery('json', {}, FAILED)
    respond = async (response) => {
      const again = { nextAttemptAt: new Date(Date.now() + 1_000) }
      await database.db.update(webhookDeliveries).set(again).where(eq(webhookDeliveries.id, id))
      response.end('ok')
    }
    await attempt(id)
    expect(await attemptsOf(id)).toMatchObject([{ status: 200, error: null, responseBody: 'ok' }])
  })

  test('is deleted with the delivery', async () => {
    const id = await createDelivery('json', {}, FAILED)
    await attempt(id)
    expect(await attemptsOf(id)).toHaveLength(1)
    await database.db.delete(webhookDeliveries).where(eq(webhookDeliveries.id, id))
    expect(await attemptsOf(id)).toEqual([])
  })

  test('keeps the first 4 KiB of a response, cut between characters', async () => {
    respond = (response) => response.writeHead(400).end(`x${'ü'.repeat(50_000)}`)
    const id = await createDelivery('json', {}, FAILED)
    await attempt(id)
    const log = await logOf(id)
    expect(log).toMatchObject({ state: 'pending', lastStatus: 400, sentBody: received[0]?.body })
    expect(log.responseBody).toBe(`x${'ü'.repeat(2_047)}`)
  })

  test('keeps binary and compressed responses out of trouble', async () => {
    respond = (response) => response.end(Buffer.from([0, 255, 0, 65]))
    const binary = await createDelivery('json', {}, FAILED)
    await attempt(binary)
    expect(await logOf(binary)).toMatchObject({ state: 'delivered', responseBody: '\u0000\ufffd\u0000A' })
    respond = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all')
    const compressed = await createDelivery('json', {}, FAILED)
    await attempt(compressed)
    expect(await logOf(compressed)).toMatchObject({ state: 'delivered', responseBody: null })
  })

  test('keeps no secret of headers, in any spelling', async () => {
    respond = (response) => response.end(`you sent ${Buffer.from('Bearer hush-hush').toString('base64')} hush-hush`)
    const headers = { Authorization: 'Bearer hush-hush', 'X-Key': 'k3y-of-header' }
    const body = '{"key": "k3y-of-header", "text": "{{summary}}"}'
    const id = await createDelivery('json', { headers, body }, FAILED)
    await attempt(id)
    expect(received[0]?.body).toContain('k3y-of-header')
    const { sentBody, responseBody } = await logOf(id)
    expect(sentBody).toContain('Example service')
    expect(JSON.stringify([sentBody, responseBody])).not.toMatch(/hush-hush|k3y-of-header|aHVzaC1odXNo/)
  })

  test('says what was sent to a receiver that cannot be reached', async () => {
    const id = await createDelivery('json', { url: 'http://127.0.0.1:2/' }, FAILED)
    await attempt(id)
    const log = await logOf(id)
    expect(log).toMatchObject({ lastStatus: null, lastError: 'the receiver cannot be reached', responseBody: null })
    expect(log.sentBody).toContain('service.failed')
  })
})

describe('a response whose headers came in time', () => {
  test('is an answer, even if its body never ends or breaks off', async () => {
    respond = (response) => response.writeHead(200).write('thanks')
    const hanging = await createDelivery('json', {}, FAILED)
    await attempt(hanging)
    expect(await logOf(hanging)).toMatchObject({ state: 'delivered', lastStatus: 200, responseBody: 'thanks' })
    respond = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('than')
      setImmediate(() => response.destroy())
    }
    const broken = await createDelivery('json', {}, FAILED)
    await attempt(broken)
    expect(await logOf(broken)).toMatchObject({ state: 'delivered', lastStatus: 200 })
    // A repeated job sends nothing.
    await attempt(hanging)
    await attempt(broken)
    expect(received).toHaveLength(2)
  })

  test('that could not be stored comes again with the same id', async () => {
    const id = await createDelivery('json', {}, FAILED)
    const db = new Proxy(database.db, {
      get: (target, name) => (name === 'transaction' ? () => assert.fail('killed') : Reflect.get(target, name, target)),
    })
    await expect(attempt(id, createDeliverer({ db, vault, transport }))).rejects.toThrow('killed')
    expect(await logOf(id)).toMatchObject({ state: 'pending', attempts: 0 })
    await attempt(id)
    expect(await logOf(id)).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 200, lastError: null })
    expect((await logOf(id)).deliveredAt).toEqual(now)
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
    expect(received[1]?.body).toBe(received[0]?.body)
  })

  test('is not that of a message that was sent again meanwhile', async () => {
    const id = await createDelivery('json', {}, FAILED)
    const again = { nextAttemptAt: new Date(Date.now() + 1_000) }
    respond = async (response) => {
      await database.db.update(webhookDeliveries).set(again).where(eq(webhookDeliveries.id, id))
      response.end('ok')
    }
    await attempt(id)
    expect(await logOf(id)).toMatchObject({ state: 'pending', attempts: 0, ...again })
  })
})

describe('a receiver that asks for a pause', () => {
  const HOUR_MS = 3_600_000

  test.each<[string, number, string, number]>([
    ['seconds', 429, '90', 90_000],
    ['seconds of a 503', 503, '90', 90_000],
    ['a shorter pause than the plan has', 429, '1', 5_000],
    ['at most an hour', 429, '86400', HOUR_MS],
    ['something unreadable', 429, 'soon', 5_000],
    ['a time that has passed', 503, 'Sat, 21 Nov 2020 10:00:00 GMT', 5_000],
    ['a pause after another status', 500, '90', 5_000],
  ])('gets it within limits: %s', async (_, status, value, delayMs) => {
    respond = (response) => response.writeHead(status, { 'retry-after': value }).end()
    const id = await createDelivery('json', {}, FAILED)
    await attempt(id)
    expect(await logOf(id)).toMatchObject({ state: 'pending', nextAttemptAt: new Date(now.getTime() + delayMs) })
  })

  test('can name a date', async () => {
    now = new Date('2026-11-22T10:00:00.000Z')
    respond = (response) => response.writeHead(503, { 'retry-after': 'Sun, 22 Nov 2026 10:20:00 GMT' }).end()
    const id = await createDelivery('json', {}, FAILED)
    await attempt(id)
    expect((await logOf(id)).nextAttemptAt).toEqual(new Date('2026-11-22T10:20:00.000Z'))
  })

  test('does not get more than a day', () => {
    const createdAt = new Date('2026-11-22T10:00:00.000Z')
    const endsAt = new Date('2026-11-23T10:00:00.000Z')
    let at = createdAt
    let dueAt: Date | null = createdAt
    const times: Date[] = []
    for (let attempts = 1; dueAt; attempts++) {
      at = dueAt
      dueAt = nextAttempt({ attempts, createdAt, dueAt }, at, 24 * HOUR_MS)
      if (dueAt) times.push(dueAt)
    }
    expect(times.at(-1)).toEqual(endsAt)
    expect(times.length).toBeLessThanOrEqual(RETRY_DELAYS_SECONDS.length)
    expect(times[0]).toEqual(new Date(createdAt.getTime() + HOUR_MS))
    // Sent again by a member two days later: the plan begins anew.
    at = new Date('2026-11-24T10:00:00.000Z')
    const next = nextAttempt({ attempts: 1, createdAt, dueAt: at }, at, null)
    expect(next).toEqual(new Date(at.getTime() + 5_000))
  })
})
