import { createHmac } from 'node:crypto'
import type { JobHelpers, Task } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { and, eq, sql } from '#db/drizzle.cjs'
import { alertEvents, alertMessages } from '#db/schema/alerts.ts'
import { organizations } from '#db/schema/organizations.ts'
import { silences } from '#db/schema/scoped.ts'
import { systemWarnings } from '#db/schema/system.ts'
import { webhookBindings, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { sealWebhook, type WebhookConfig } from '#server/alerts/webhooks/config.ts'
import { sampleMessage } from '#server/alerts/webhooks/messages.ts'
import { parseSettings } from '#server/process/settings.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { jobsIn, messagesOf, notifyOf } from '#test/support/alerts/alert-world.ts'
import { type MailServer, startMailServer } from '#test/support/alerts/mail-server.ts'
import { testDatabase } from '#test/support/database.ts'
import { type MemberOptions, unique } from '#test/support/factories.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'
import { createDeliverer, RESPONSE_MAX_BYTES } from '#worker/tasks/deliveries/deliver.ts'
import { RETRY_DELAYS_SECONDS } from '#worker/tasks/deliveries/retry-plan.ts'
import { createMailer } from '#worker/tasks/mail.ts'

const database = testDatabase()
const vault = createVault([{ id: 'test', secret: 's'.repeat(32) }])
const settings = parseSettings({ BASE_URL: 'https://probes.example.com', SMTP_URL: 'smtp://127.0.0.1:1' })
const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

type Received = { method: string; url: string; headers: Record<string, unknown>; body: string }
let target: HttpTarget
let received: Received[] = []
let answer = 200
let hang = false
let location: string | null = null

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    const body = (await readAll(request)).toString()
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    if (hang) return
    response.writeHead(answer, location ? { location } : {}).end('thanks')
  })
})
afterEach(() => {
  received = []
  answer = 200
  hang = false
  location = null
})
afterAll(() => target.close())

async function createWorld() {
  const { create } = database
  const organization = await create.organization({ name: 'Acme' })
  const workspace = await create.workspace(organization, { name: 'Shop' })
  const project = await create.project(workspace, { name: 'Checkout' })
  const service = await create.service(project, { name: 'Pay' })
  const ids = { workspaceId: workspace.id, projectId: project.id, serviceId: service.id }
  return { organization, ids }
}
type World = Awaited<ReturnType<typeof createWorld>>

async function createEvent(
  { organization, ids }: World,
  kind: 'service.failed' | 'service.recovered',
  at = new Date(),
  suppressedReason: string | null = null,
) {
  const id = uuidv7()
  await database.db.insert(alertEvents).values({
    id,
    organizationId: organization.id,
    serviceId: ids.serviceId,
    resultId: uuidv7(),
    kind,
    createdAt: at,
    suppressedReason,
    payload: {
      organization: { id: organization.id, name: 'Acme' },
      workspace: { id: ids.workspaceId, name: 'Shop' },
      project: { id: ids.projectId, name: 'Checkout' },
      service: { id: ids.serviceId, name: 'Pay' },
      result: { ...(sampleMessage(organization, at).data.result as object), id: 'r1' },
      failure: kind === 'service.failed' ? { summary: 'it said "no"\n', cause: 'it said "no"\n' } : null,
    },
  })
  return id
}

async function createWebhook(
  { organization }: World,
  bound: object | null,
  given: Partial<WebhookConfig> = {},
  method = 'POST',
  enabled = true,
  preset = 'json',
) {
  const row = { id: uuidv7(), organizationId: organization.id }
  const config = {
    url: `http://127.0.0.1:${target.port}/hook`,
    headers: {},
    body: null,
    signingSecret: SIGNING_SECRET,
    ...given,
  }
  const sealed = sealWebhook(vault, row, config)
  await database.db.insert(webhooks).values({ ...row, name: unique('Hook'), method, preset, sealed })
  if (bound) {
    await database.db
      .insert(webhookBindings)
      .values({ id: uuidv7(), organizationId: row.organizationId, webhookId: row.id, enabled, ...bound })
  }
  return row.id
}

const run = (eventId: string) => notifyOf(database.db, { settings, vault }, [{ id: eventId }])

/** Enqueues the mails that were collected. */
const collect = () => jobsIn(database).sendCollected({ settings, vault })

type Job = { key: string; payload: Record<string, string>; runAt: Date }

/** The payloads of the queued jobs with this name. */
async function jobsOf(name: string): Promise<Job[]> {
  const rows = await database.db.execute<{ key: string; payload: Record<string, string>; run_at: string }>(sql`
    select j.key, j.payload, j.run_at from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${name} order by j.id`)
  return rows.map((row) => ({ key: row.key, payload: row.payload, runAt: new Date(row.run_at) }))
}

/** The mails about an event. */
async function mailsOf(eventId: string): Promise<Job['payload'][]> {
  await collect()
  const messages = await messagesOf(database, { id: eventId, incidentId: null })
  const keys = messages.map(({ mailId }) => `mail:${mailId}`)
  return (await jobsOf('mail')).filter(({ key }) => keys.includes(key)).map(({ payload }) => payload)
}

const mailedFor = async (eventId: string) => (await mailsOf(eventId)).map(({ to }) => to as string)

const deliveriesOf = (eventId: string) =>
  database.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId))

describe('alert mails', () => {
  const grantOn = (world: World, place: keyof World['ids'], level: 1 | 2 = 1) => ({ [place]: world.ids[place], level })
  const member = (world: World, given: MemberOptions) => database.create.member(world.organization, given)

  test('go to active members with a grant on the service or above, own or by group, once each', async () => {
    const world = await createWorld()
    const group = await database.create.group(world.organization, { grants: [grantOn(world, 'workspaceId')] })
    const told = [
      await member(world, { grants: [grantOn(world, 'serviceId')] }),
      await member(world, { grants: [grantOn(world, 'projectId', 2)] }),
      await member(world, { grants: [grantOn(world, 'workspaceId')] }),
      await member(world, { groups: [group] }),
      await member(world, { groups: [group], grants: [grantOn(world, 'serviceId'), grantOn(world, 'projectId')] }),
    ]
    const sibling = await database.create.service({ id: world.ids.projectId, organizationId: world.organization.id })
    await member(world, { grants: [{ serviceId: sibling.id, level: 2 }] })
    await member(world, { sections: { workspaces: 'write' } })
    await member(world, { grants: [grantOn(world, 'serviceId')], isActive: false })
    await member(world, { grants: [grantOn(world, 'serviceId')], isAccountActive: false })
    const eventId = await createEvent(world, 'service.failed')
    await run(eventId)
    expect((await mailedFor(eventId)).toSorted()).toEqual(told.map((one) => one.email).toSorted())
  })

  test('do not go to members whose silences covered the event at its time', async () => {
    const world = await createWorld()
    const at = new Date('2026-06-03T22:30:00Z')
    await database.db
      .update(organizations)
      .set({ timezone: 'Europe/Berlin' })
      .where(eq(organizations.id, world.organization.id))
    const made = async (given: Partial<typeof silences.$inferInsert> | null) => {
      const one = await member(world, { grants: [grantOn(world, 'serviceId')] })
      const row = { id: uuidv7(), organizationId: one.organizationId, membershipId: one.membershipId }
      if (given) await database.db.insert(silences).values({ ...row, channel: 'email', ...given })
      return one.email
    }
    const told = [
      await made(null),
      await made({ config: '{"events":["service.recovered"]}' }),
      await made({ config: '{"until":"2026-06-03T22:00:00Z"}' }),
      await made({ channel: 'quiet-hours', quietHours: 'FREQ=DAILY;BYHOUR=22/60' }),
    ]
    await made({})
    await made({ channel: 'all', projectId: world.ids.projectId })
    await made({ config: '{"events":["service.failed"],"until":"2026-06-03T23:00:00Z"}' })
    // Half past midnight in Berlin.
    await made({ channel: 'quiet-hours', quietHours: 'FREQ=DAILY;BYHOUR=0/60' })
    const eventId = await createEvent(world, 'service.failed', at)
    await run(eventId)
    expect((await mailedFor(eventId)).toSorted()).toEqual(told.toSorted())
  })

  test('name the service, the run and the result', async () => {
    const world = await createWorld()
    await member(world, { grants: [grantOn(world, 'serviceId')] })
    for (const [kind, subject] of [
      ['service.failed', '[Failed] Pay – it said "no"'],
      ['service.recovered', '[Recovered] Pay'],
    ] as const) {
      const eventId = await createEvent(world, kind)
      await run(eventId)
      const [mail] = await mailsOf(eventId)
      expect(mail?.subject).toBe(subject)
      expect(mail?.text).toContain(`https://probes.example.com/services/${world.ids.serviceId}/results/r1`)
      expect(mail?.text).toContain(kind === 'service.failed' ? 'it said "no"' : 'has recovered')
    }
  })
})

describe('webhook deliveries', () => {
  test('go to webhooks with an enabled binding on the service, its project, its workspace or the organization, once each', async () => {
    const world = await createWorld()
    const { workspaceId, projectId, serviceId } = world.ids
    const told = [
      await createWebhook(world, { serviceId }),
      await createWebhook(world, { projectId }),
      await createWebhook(world, { workspaceId }),
      await createWebhook(world, {}),
    ]
    await database.db.insert(webhookBindings).values({
      id: uuidv7(),
      organizationId: world.organization.id,
      webhookId: told[0] as string,
      workspaceId,
    })
    await createWebhook(world, { serviceId }, {}, 'POST', false)
    await createWebhook(world, null)
    await createWebhook(await createWorld(), {})
    const other = await database.create.project({ id: workspaceId, organizationId: world.organization.id })
    await createWebhook(world, { projectId: other.id })
    const eventId = await createEvent(world, 'service.failed')
    await run(eventId)
    const rows = await deliveriesOf(eventId)
    expect(rows.map((row) => row.webhookId).toSorted()).toEqual(told.toSorted())
    const queued = (await jobsOf('deliver')).map((job) => job.payload.deliveryId)
    for (const row of rows) {
      expect(row).toMatchObject({ state: 'pending', attempts: 0, kind: 'service.failed' })
      expect(queued).toContain(row.id)
    }
  })

  test('are enqueued once, even if the job is repeated, and not for a deleted service', async () => {
    const world = await createWorld()
    await createWebhook(world, { serviceId: world.ids.serviceId })
    await database.create.member(world.organization, { grants: [{ serviceId: world.ids.serviceId, level: 1 }] })
    const eventId = await createEvent(world, 'service.failed')
    await Promise.all([run(eventId), run(eventId), run(eventId)])
    await run(eventId)
    expect(await deliveriesOf(eventId)).toHaveLength(1)
    expect(await mailedFor(eventId)).toHaveLength(1)
    const gone = await createWorld()
    const orphan = await createEvent({ ...gone, ids: { ...gone.ids, serviceId: uuidv7() } }, 'service.failed')
    await run(orphan)
    expect(await deliveriesOf(orphan)).toEqual([])
    await run(uuidv7())
  })

  test('of a recovery with alertOnRecovery false only go to services that keep alerts open', async () => {
    const world = await createWorld()
    const { projectId } = world.ids
    const bind = (preset: string, enabled = true) => createWebhook(world, { projectId }, {}, 'POST', enabled, preset)
    const told = [await bind('pagerduty'), await bind('opsgenie')]
    for (const preset of ['json', 'slack', 'telegram']) await bind(preset)
    await bind('pagerduty', false)
    await database.create.member(world.organization, { grants: [{ projectId, level: 1 }] })
    const eventId = await createEvent(world, 'service.recovered', new Date(), 'alertOnRecovery is false')
    await run(eventId)
    await run(eventId)
    const rows = await deliveriesOf(eventId)
    expect(rows.map((row) => row.webhookId).toSorted()).toEqual(told.toSorted())
    expect(await mailedFor(eventId)).toEqual([])
    expect(await database.db.$count(alertMessages, eq(alertMessages.eventId, eventId))).toBe(0)
    const failed = await createEvent(world, 'service.failed', new Date(), 'it is only a test')
    await run(failed)
    expect(await deliveriesOf(failed)).toEqual([])
  })
})

describe('a delivery', () => {
  let clock = new Date()

  const deliverer = (allowed = ['127.0.0.0/8']) =>
    createDeliverer({
      db: database.db,
      vault,
      transport: createTransport({ allowedNetworks: parseNetworks(allowed), excerptBytes: RESPONSE_MAX_BYTES }),
      now: () => clock,
    })

  async function work(task: Task, id: string, signal = new AbortController().signal): Promise<void> {
    const { organizationId } = await rowOf(id)
    await task({ organizationId, deliveryId: id }, { abortSignal: signal } as JobHelpers)
  }

  async function pending(given: Partial<WebhookConfig> = {}, method = 'POST') {
    const world = await createWorld()
    await createWebhook(world, { serviceId: world.ids.serviceId }, given, method)
    const eventId = await createEvent(world, 'service.failed')
    await run(eventId)
    const [row] = await deliveriesOf(eventId)
    return (row as NonNullable<typeof row>).id
  }

  async function rowOf(id: string) {
    const [row] = await database.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
    return row as NonNullable<typeof row>
  }

  const signed = (one: Received | undefined) => {
    const { 'webhook-id': id, 'webhook-timestamp': at } = one?.headers ?? {}
    const mac = createHmac('sha256', Buffer.alloc(32, 7)).update(`${id}.${at}.${one?.body}`)
    return `v1,${mac.digest('base64')}`
  }

  test('carries the event as JSON, signed as Standard Webhooks demands', async () => {
    clock = new Date('2026-11-21T10:11:12.900Z')
    const id = await pending()
    await work(deliverer(), id)
    expect(received).toHaveLength(1)
    const [one] = received
    expect(one).toMatchObject({ method: 'POST', url: '/hook' })
    expect(one?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Date.UTC(2026, 10, 21, 10, 11, 12) / 1_000),
      'webhook-signature': signed(one),
    })
    expect(JSON.parse(one?.body ?? '')).toMatchObject({
      type: 'service.failed',
      timestamp: expect.any(String),
      data: { organization: { name: 'Acme' }, service: { name: 'Pay' }, failure: { summary: 'it said "no"\n' } },
    })
    expect(await rowOf(id)).toMatchObject({
      state: 'delivered',
      attempts: 1,
      lastStatus: 200,
      lastError: null,
      lastLatencyMs: expect.any(Number),
      deliveredAt: clock,
      nextAttemptAt: null,
    })
    // A repeated job sends nothing.
    await work(deliverer(), id)
    expect(received).toHaveLength(1)
  })

  test('has the method, headers and body of the webhook', async () => {
    const headers = { Authorization: 'Bearer t', 'X-A': 'b', 'User-Agent': 'mine' }
    const body = '{"text": "{{summary}}", "ms": {{result.totalResponseMs}}, "service": "{{service.name}}"}'
    await work(deliverer(), await pending({ headers, body }, 'PUT'))
    const [one] = received
    expect(one).toMatchObject({
      method: 'PUT',
      headers: { authorization: 'Bearer t', 'x-a': 'b', 'user-agent': 'mine' },
    })
    expect(JSON.parse(one?.body ?? '')).toEqual({
      text: 'Pay (Shop / Checkout) failed: it said "no"\n',
      ms: 100,
      service: 'Pay',
    })
    expect(one?.headers['webhook-signature']).toBe(signed(one))
    const text = { headers: { 'content-type': 'text/plain' }, body: '{{service.name}}: {{failure.summary}}' }
    await work(deliverer(), await pending(text))
    expect(received[1]).toMatchObject({ body: 'Pay: it said "no"\n', headers: { 'content-type': 'text/plain' } })
  })

  test('is retried with growing delays for a day, with the same id, then fails', async () => {
    answer = 503
    clock = new Date('2026-11-21T00:00:00Z')
    const id = await pending()
    const began = clock.getTime()
    for (const [index, seconds] of RETRY_DELAYS_SECONDS.entries()) {
      await work(deliverer(), id)
      const row = await rowOf(id)
      expect(row).toMatchObject({
        state: 'pending',
        attempts: index + 1,
        lastStatus: 503,
        lastError: 'the receiver responded with status 503',
      })
      expect(row.nextAttemptAt?.getTime()).toBe(clock.getTime() + seconds * 1_000)
      const job = (await jobsOf('deliver')).filter((one) => one.payload.deliveryId === id)
      expect(job).toHaveLength(1)
      expect(job[0]?.runAt).toEqual(row.nextAttemptAt)
      clock = row.nextAttemptAt as Date
    }
    expect(
      RETRY_DELAYS_SECONDS.every(
        (seconds, index) => index === 0 || seconds > (RETRY_DELAYS_SECONDS[index - 1] as number),
      ),
    ).toBe(true)
    const hours = (clock.getTime() - began) / 3_600_000
    expect(hours).toBeGreaterThan(22)
    expect(hours).toBeLessThanOrEqual(24)
    await work(deliverer(), id)
    expect(await rowOf(id)).toMatchObject({ state: 'failed', attempts: 12, nextAttemptAt: null })
    expect(new Set(received.map((one) => one.headers['webhook-id']))).toEqual(new Set([id]))
    for (const one of received) expect(one.headers['webhook-signature']).toBe(signed(one))
  })

  test('succeeds at a later attempt', async () => {
    answer = 500
    const id = await pending()
    await work(deliverer(), id)
    answer = 204
    await work(deliverer(), id)
    expect(await rowOf(id)).toMatchObject({ state: 'delivered', attempts: 2, lastStatus: 204, lastError: null })
  })

  test('follows no redirect, and is not retried after 410', async () => {
    answer = 302
    location = `http://127.0.0.1:${target.port}/elsewhere`
    const moved = await pending()
    await work(deliverer(), moved)
    expect(received.map((one) => one.url)).toEqual(['/hook'])
    expect(await rowOf(moved)).toMatchObject({ state: 'pending', lastStatus: 302 })
    answer = 410
    const gone = await pending()
    await work(deliverer(), gone)
    expect(await rowOf(gone)).toMatchObject({ state: 'failed', attempts: 1, lastStatus: 410 })
  })

  test('reaches no private address, and its log shows no address', async () => {
    const id = await pending()
    await work(deliverer([]), id)
    expect(received).toEqual([])
    expect(await rowOf(id)).toMatchObject({
      state: 'pending',
      attempts: 1,
      lastStatus: null,
      lastError: 'webhooks may not be sent to this address',
    })
    const closed = await pending({ url: 'http://127.0.0.1:2/very-hidden' })
    await work(deliverer(), closed)
    expect(await rowOf(closed)).toMatchObject({ lastStatus: null, lastError: 'the receiver cannot be reached' })
  })

  test('is not counted when the worker stops during the attempt', async () => {
    hang = true
    const id = await pending()
    const controller = new AbortController()
    const working = work(deliverer(), id, controller.signal)
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    controller.abort()
    await expect(working).rejects.toThrow('the worker is stopping')
    expect(await rowOf(id)).toMatchObject({ state: 'pending', attempts: 0, lastError: null })
  })

  test('of a deleted webhook is not sent', async () => {
    const id = await pending()
    const { organizationId, webhookId } = await rowOf(id)
    await database.db.delete(webhooks).where(and(eq(webhooks.id, webhookId)))
    await deliverer()({ organizationId, deliveryId: id }, { abortSignal: undefined } as unknown as JobHelpers)
    expect(received).toEqual([])
  })
})

describe('a mail', () => {
  let server: MailServer
  beforeAll(async () => {
    server = await startMailServer()
  })
  afterAll(() => server.close())

  const MAIL = { to: 'ana@example.com', subject: 'Größe', text: 'Zeile 1\n.\nZeile 3 ü' }
  const mailer = (url = `smtp://127.0.0.1:${server.port}`) =>
    createMailer(database.db, parseSettings({ SMTP_URL: url, MAIL_FROM: 'Probes <probes@example.com>' }))
  const send = async (task: Task, mail = MAIL) => task(mail, {} as JobHelpers)

  test('goes to the mail server', async () => {
    await send(mailer())
    expect(server.mails).toMatchObject([
      { from: 'probes@example.com', to: ['ana@example.com'], headers: { from: 'Probes <probes@example.com>' } },
    ])
    expect(server.mails[0]?.text.trim()).toBe(MAIL.text)
    expect(server.mails[0]?.headers.subject).toMatch(/^=\?UTF-8\?/)
  })

  test('cannot smuggle headers or recipients', async () => {
    await send(mailer(), { ...MAIL, subject: 'a\r\nBcc: eve@example.com\r\n\r\nx' })
    const last = server.mails.at(-1)
    expect(last?.to).toEqual(['ana@example.com'])
    expect(last?.headers).not.toHaveProperty('bcc')
  })

  test('is retried when it fails, but not after a permanent refusal', async () => {
    server.answer(451)
    await expect(send(mailer())).rejects.toThrow()
    server.answer(550)
    await send(mailer())
    server.answer(250)
    await expect(send(mailer('smtp://127.0.0.1:2'))).rejects.toThrow()
    expect(server.mails).toHaveLength(2)
    // A refused recipient is no warning.
    await until('the warning', async () => (await database.db.$count(systemWarnings)) > 0)
    expect(await database.db.select().from(systemWarnings)).toMatchObject([
      { code: 'mail_failed', detail: 'the mail server cannot be reached', count: 1 },
    ])
  })

  test('is only logged without a mail server', async () => {
    await send(createMailer(database.db, parseSettings({})))
    expect(server.mails).toHaveLength(2)
  })
})
