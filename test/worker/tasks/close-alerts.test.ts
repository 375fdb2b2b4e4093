import type { JobHelpers } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { incidents } from '#db/schema/alerts.ts'
import { webhookBindings, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { sealWebhook } from '#server/alerts/webhooks/config.ts'
import { sampleMessage } from '#server/alerts/webhooks/messages.ts'
import type { JobPayload } from '#server/schedule/jobs.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { testDashboard } from '#test/support/browser/dashboard.ts'
import { unique } from '#test/support/factories.ts'
import { createIncident, createIncidentEvent } from '#test/support/runs/incidents.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'
import { createAlertCloser } from '#worker/tasks/deliveries/close-alerts.ts'

// Alerts that a webhook opened are closed when it no longer gets the messages of their services.

const t = testDashboard()
const KEYS = { routingKey: 'R0'.padEnd(32, 'k'), apiKey: 'opsgenie-key-0123456789' }
const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']) })
let target: HttpTarget
let received: { url: string; body: Record<string, unknown> }[] = []
let status = 202

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    received.push({ url: request.url ?? '', body: JSON.parse((await readAll(request)).toString()) })
    response.writeHead(status).end()
  })
})
afterEach(async () => {
  received = []
  status = 202
  await t.db.execute(sql`delete from graphile_worker._private_jobs`)
})
afterAll(() => target.close())

/** A service with an open incident that the webhook was told of. */
async function createAlerted(preset = 'pagerduty', state: 'delivered' | 'pending' = 'delivered') {
  const { organization, workspace, project, service } = await t.create.serviceTree()
  const owner = await t.signIn(organization.owner)
  const webhook = { id: uuidv7(), organizationId: organization.id }
  const config = { headers: {}, body: null, signingSecret: 'whsec_x', access: KEYS }
  const sealed = sealWebhook(t.runtime.vault, webhook, { ...config, url: `http://127.0.0.1:${target.port}` })
  await t.db.insert(webhooks).values({ ...webhook, name: unique('Hook'), preset, sealed })
  const bind = async (scope: { serviceId?: string; workspaceId?: string }) => {
    const binding = { id: uuidv7(), organizationId: organization.id, webhookId: webhook.id, ...scope }
    await t.db.insert(webhookBindings).values(binding)
    return binding.id
  }
  const incident = await createIncident(t.db, service)
  const event = await createIncidentEvent(t.db, incident)
  const delivery = { id: uuidv7(), organizationId: organization.id, webhookId: webhook.id, eventId: event.id }
  const payload = sampleMessage(organization)
  await t.db
    .insert(webhookDeliveries)
    .values({ ...delivery, kind: event.kind, payload, state, nextAttemptAt: new Date() })
  const bindingId = await bind({ serviceId: service.id })
  return { owner, organization, workspace, project, service, webhook, incident, delivery, bindingId, bind }
}

async function jobs(): Promise<JobPayload<'close'>[]> {
  const rows = await t.db.execute<{ payload: JobPayload<'close'>; is_later: boolean }>(sql`
    select j.payload, j.run_at > now() + interval '15 seconds' as is_later from graphile_worker._private_jobs j
      join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'close'`)
  // Attempts that have begun end within 15 seconds.
  expect(rows.every((row) => row.is_later)).toBe(true)
  return rows.map(({ payload }) => payload)
}

const close = (payload: JobPayload<'close'>) =>
  createAlertCloser({ db: t.db, vault: t.runtime.vault, transport })(payload, {
    abortSignal: new AbortController().signal,
  } as JobHelpers)

async function closeAll(): Promise<void> {
  for (const job of await jobs()) await close(job)
}

test.each(['unbound', 'paused', 'deleted', 'gone with its service'])('a webhook that is %s', async (how) => {
  const { owner, service, webhook, incident, bindingId } = await createAlerted()
  const change = {
    unbound: () => owner.post('webhooks.bindings.remove', { id: bindingId }),
    paused: () => owner.post('webhooks.bindings.update', { id: bindingId, enabled: false }),
    deleted: () => owner.post('organization.webhooks.remove', { id: webhook.id }),
    'gone with its service': () => owner.post('services.remove', { id: service.id }),
  }[how]
  expect((await change?.())?.status).toBe(200)
  await closeAll()
  expect(received).toEqual([
    {
      url: '/v2/enqueue',
      body: {
        routing_key: KEYS.routingKey,
        event_action: 'resolve',
        dedup_key: `soundline-incident-${incident.id}`,
      },
    },
  ])
})

test('Opsgenie is told that the service has not recovered', async () => {
  const { owner, service, incident, bindingId } = await createAlerted('opsgenie')
  await owner.post('webhooks.bindings.remove', { id: bindingId })
  await closeAll()
  const note = `${service.name}: closed, because Soundline no longer sends its messages here`
  expect(received).toEqual([
    {
      url: `/v2/alerts/soundline-incident-${incident.id}/close?identifierType=alias`,
      body: { source: 'Soundline', note },
    },
  ])
})

test('a message that waits for another attempt is ended', async () => {
  const { owner, delivery, bindingId } = await createAlerted('pagerduty', 'pending')
  await owner.post('webhooks.bindings.remove', { id: bindingId })
  const [row] = await t.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, delivery.id))
  expect(row).toMatchObject({
    state: 'failed',
    nextAttemptAt: null,
    lastError: 'the webhook no longer gets messages about the service',
  })
  expect(await jobs()).toHaveLength(1)
})

test('nothing is closed of a chat, of a closed incident, or while another binding covers the service', async () => {
  const chat = await createAlerted('slack')
  await chat.owner.post('webhooks.bindings.remove', { id: chat.bindingId })
  const closed = await createAlerted()
  await t.db.update(incidents).set({ closedAt: new Date() }).where(eq(incidents.id, closed.incident.id))
  await closed.owner.post('organization.webhooks.remove', { id: closed.webhook.id })
  const covered = await createAlerted()
  await covered.bind({ workspaceId: covered.workspace.id })
  await covered.owner.post('webhooks.bindings.remove', { id: covered.bindingId })
  const whole = await createAlerted()
  await whole.bind({})
  await whole.owner.post('webhooks.bindings.remove', { id: whole.bindingId })
  expect(await jobs()).toEqual([])
})

test('an alert stays open if the binding was resumed, or one of the organization created, meanwhile', async () => {
  const { owner, bindingId } = await createAlerted()
  await owner.post('webhooks.bindings.update', { id: bindingId, enabled: false })
  await owner.post('webhooks.bindings.update', { id: bindingId, enabled: true })
  const rebound = await createAlerted()
  await rebound.owner.post('webhooks.bindings.remove', { id: rebound.bindingId })
  await rebound.bind({})
  await closeAll()
  expect(received).toEqual([])
})

test('the job is repeated when the receiver is busy, and not when it does not know the alert', async () => {
  const { owner, bindingId } = await createAlerted()
  await owner.post('webhooks.bindings.remove', { id: bindingId })
  const [job] = await jobs()
  status = 429
  await expect(close(job as JobPayload<'close'>)).rejects.toThrow('status 429')
  status = 404
  await close(job as JobPayload<'close'>)
  expect(received).toHaveLength(2)
})
