import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { webhookAttempts, webhookBindings, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { openWebhook, signingSecretsAt } from '#server/alerts/webhooks/config.ts'
import { sealLogged } from '#server/alerts/webhooks/delivery-log.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import type { MemberOptions, Organization } from '#test/support/factories.ts'
import { createIncident, createIncidentEvent } from '#test/support/runs/incidents.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'
import { statementsOf } from '#test/support/statements.ts'

const api = testApi({ settings: { PROBE_ALLOWED_NETWORKS: '127.9.0.0/16' } })
let organization: Organization
let caller: Awaited<ReturnType<typeof api.caller>>

beforeAll(async () => {
  organization = await api.create.organization()
  caller = await api.caller(organization.owner)
})

const URL_ = 'https://hooks.example.com/very-hidden'
const create = (given: object = {}) => caller.organization.webhooks.create({ name: randomUUID(), url: URL_, ...given })

async function callerOf(sections: MemberOptions['sections']) {
  return api.caller(await api.create.member(organization, { sections }))
}

async function jobsOf(deliveryId: string): Promise<number> {
  const [row] = await api.db.execute<{ count: number }>(sql`
    select count(*)::int as count from graphile_worker._private_jobs where payload->>'deliveryId' = ${deliveryId}`)
  return row?.count ?? 0
}

describe('organization.webhooks.create', () => {
  test('returns the secret once, and encrypts the configuration', async () => {
    const headers = { Authorization: 'Bearer very-hidden', 'Content-Type': 'text/plain' }
    const made = await create({ name: ' Ops ', label: 'chat', method: 'PUT', headers, body: 'very-hidden {{summary}}' })
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Ops',
      label: 'chat',
      preset: 'json',
      method: 'PUT',
      createdAt: expect.any(String),
      url: URL_,
      headers,
      body: 'very-hidden {{summary}}',
      ...{ chatId: null, region: null, accountSid: null, urgency: null, roomId: null, from: null, to: null },
      previousSecretUntil: null,
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const [row] = await api.db.select().from(webhooks).where(eq(webhooks.id, made.id))
    expect(JSON.stringify({ ...row, sealed: row?.sealed.toString('latin1') })).not.toContain('very-hidden')
    expect(openWebhook(api.runtime.vault, row as NonNullable<typeof row>).signingSecret).toBe(made.signingSecret)
    const entries = await auditOf(api.db, made.id)
    expect(entries).toMatchObject([{ action: 'webhook.create', details: { host: 'hooks.example.com' } }])
    expect(JSON.stringify(entries)).not.toMatch(/very-hidden|whsec/)
    const key = await api.create.key(organization.owner)
    const { body } = await api.call(key, 'GET', '/webhooks', { query: { pageSize: 100 } })
    expect(JSON.stringify(body)).not.toMatch(/very-hidden|whsec/)
    expect(JSON.stringify(body)).toContain(made.id)
  })

  test('binds it to what is given, in the same transaction', async () => {
    const workspace = await api.create.workspace(organization, { name: 'Bound' })
    const project = await api.create.project(workspace, { name: 'Within' })
    const bindings = [
      { resourceType: 'organization', resourceId: organization.id },
      { resourceType: 'project', resourceId: project.id },
    ]
    const { id } = await create({ bindings })
    const listed = await caller.webhooks.bindings.ofWebhook({ webhookId: id })
    expect(listed.items).toMatchObject([
      { webhookId: id, enabled: true, ...bindings[0], resourceName: organization.name },
      { webhookId: id, enabled: true, ...bindings[1], resourceName: 'Within' },
    ])
    for (const binding of listed.items) expect(await actionsOn(api.db, binding.id)).toEqual(['webhook.bind'])
    const inherited = await caller.webhooks.bindings.inherited({ resourceType: 'project', resourceId: project.id })
    expect(inherited.items.filter(({ webhookId }) => webhookId === id)).toMatchObject([bindings[0]])
    const service = await api.create.service(project)
    const ofService = await caller.webhooks.bindings.inherited({ resourceType: 'service', resourceId: service.id })
    expect(ofService.items.filter(({ webhookId }) => webhookId === id)).toMatchObject(bindings)

    const name = randomUUID()
    const before = await api.db.$count(webhooks)
    const twice = create({ name, bindings: [bindings[0], bindings[0]] })
    expect(await failureOf(twice)).toMatchObject({ code: 'binding_exists' })
    const absent = create({ name, bindings: [{ resourceType: 'service', resourceId: randomUUID() }] })
    expect(await failureOf(absent)).toMatchObject({ code: 'not_found', details: { field: 'bindings' } })
    const unreaching = await callerOf({ webhooks: 'write' })
    const beyond = (resource: (typeof bindings)[number]) =>
      unreaching.organization.webhooks.create({ name, url: URL_, bindings: [resource as never] })
    expect(await failureOf(beyond(bindings[0] as never))).toMatchObject({ code: 'insufficient_permissions' })
    expect(await failureOf(beyond(bindings[1] as never))).toMatchObject({ code: 'not_found' })
    expect(await api.db.$count(webhooks)).toBe(before)
    // What a member cannot see has no id and no name.
    const seen = await unreaching.webhooks.bindings.ofWebhook({ webhookId: id })
    expect(seen.items[1]).toMatchObject({ resourceType: 'project', resourceId: null, resourceName: null })
  })

  test('already_exists for a taken name', async () => {
    await create({ name: 'Twice' })
    expect(await failureOf(create({ name: 'Twice' }))).toMatchObject({ code: 'already_exists' })
  })

  test('stops at the limit of the organization, also when many are made at once', async () => {
    const full = await api.create.organization()
    const by = await api.caller(full.owner)
    const make = () => by.organization.webhooks.create({ name: randomUUID(), url: URL_ })
    const max = api.runtime.settings.WEBHOOKS_PER_ORGANIZATION_MAX
    const rows = Array.from({ length: max - 1 }, () => {
      const id = uuidv7()
      return { id, organizationId: full.id, name: id, method: 'POST' as const, sealed: Buffer.alloc(1) }
    })
    await api.db.insert(webhooks).values(rows)
    const made = await Promise.allSettled([make(), make(), make()])
    expect(made.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(await failureOf(make())).toEqual({ code: 'webhook_limit_reached', details: { max } })
    expect(await api.db.$count(webhooks, eq(webhooks.organizationId, full.id))).toBe(max)
    await api.db.delete(webhooks).where(eq(webhooks.id, rows[0]?.id ?? ''))
    await make()
    await create()
  })

  test('refuses URLs that nothing may be sent to', async () => {
    const blocked = [
      'http://127.0.0.1/',
      'http://[::1]:8080/',
      'http://169.254.169.254/latest',
      'https://10.0.0.1/',
      'http://0x7f.1/',
      'https://localhost/',
      'https://db.internal/',
      'https://intranet/',
    ]
    for (const url of blocked) {
      expect(await failureOf(create({ url })), url).toEqual({
        code: 'blocked_probe_target',
        details: { field: 'url', reason: expect.stringMatching(/^has (an IP address that is not public|a host name)/) },
      })
    }
    const refused = {
      nonsense: 'is not a URL',
      'ftp://example.com/': 'is neither http nor https',
      'https://user:word@example.com/': 'contains a user name or a password',
      'javascript:alert(1)': 'is neither http nor https',
    }
    for (const [url, reason] of Object.entries(refused)) {
      const failure = await failureOf(create({ url }))
      expect(failure, url).toMatchObject({ code: 'field_invalid', details: { field: 'url', reason } })
    }
    for (const url of ['', 7, `https://example.com/${'x'.repeat(2_048)}`]) {
      expect(await failureOf(create({ url }))).toMatchObject({
        code: 'invalid_request_body',
        details: { field: 'url' },
      })
    }
    for (const url of [
      'http://127.9.2.3/',
      'https://[2606:4700:4700::1111]/',
      'https://[2606:4700:4700::1111]:8443/',
    ]) {
      expect((await create({ url })).url).toBe(url)
    }
  })

  test('refuses headers that it sets itself or that no header can be', async () => {
    const wrong = [
      { 'Content-Length': '1' },
      { 'webhook-id': 'x' },
      { Host: 'x' },
      { 'a b': 'x' },
      { a: 'x\r\ny: z' },
      { a: '✓' },
      { a: 'x'.repeat(2_049) },
      { a: 1 },
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`h${index}`, 'x'])),
    ]
    for (const headers of wrong) {
      const { code, details } = await failureOf(create({ headers }))
      expect({ code, field: String(details?.field) }).toMatchObject({
        code: 'invalid_request_body',
        field: expect.stringMatching(/^headers/),
      })
    }
    expect(Object.keys((await create({ headers: { 'X-Token': 'ü~' } })).headers)).toEqual(['X-Token'])
  })

  test('refuses a template that no message can fill in', async () => {
    const body = '{"text": "{{summary}}", "ms": {{result.totalResponseMs}}, "all": {{result.assertions}}}'
    expect((await create({ body })).body).toBe(body)
    for (const wrong of [
      '{"text": {{summary}}}',
      '{"text": "{{nobody}}"}',
      '{{__proto__}}',
      'text',
      '{"a": "{{service.x}}"}',
    ]) {
      const failure = await failureOf(create({ body: wrong }))
      expect(failure, wrong).toMatchObject({ code: 'field_invalid', details: { field: 'body' } })
    }
    expect((await create({ body: 'text {{summary}}', headers: { 'content-type': 'text/plain' } })).body).toContain(
      'text',
    )
  })

  test('needs write on webhooks', async () => {
    for (const sections of [{ webhooks: 'read' }, { settings: 'write' }] as const) {
      const failure = await failureOf((await callerOf(sections)).organization.webhooks.create({ name: 'x', url: URL_ }))
      expect(failure.code).toBe('insufficient_permissions')
    }
    const writer = await callerOf({ webhooks: 'write' })
    expect((await writer.organization.webhooks.create({ name: randomUUID(), url: URL_ })).url).toBe(URL_)
  })
})

describe('organization.webhooks.get', () => {
  test('with its configuration, without secrets, of this organization only', async () => {
    const { signingSecret: _, ...made } = await create({ headers: { a: 'b' } })
    expect(await caller.organization.webhooks.get({ id: made.id })).toEqual(made)
    const reader = await callerOf({ webhooks: 'read' })
    expect((await failureOf(reader.organization.webhooks.get({ id: made.id }))).code).toBe('insufficient_permissions')
    const theirs = await api.caller((await api.create.organization()).owner)
    expect((await failureOf(theirs.organization.webhooks.get({ id: made.id }))).code).toBe('not_found')
  })
})

describe('organization.webhooks.update', () => {
  test('changes the given fields, keeps the others and the secret; null clears a field', async () => {
    const made = await create({ label: 'a', headers: { a: 'b' }, body: '{"text": "{{type}}"}' })
    const { id, signingSecret, ...rest } = made
    const { update } = caller.organization.webhooks
    expect(await update({ id, name: `${made.name}!` })).toEqual({ id, ...rest, name: `${made.name}!` })
    const changed = await update({
      id,
      url: 'https://other.example/',
      method: 'PATCH',
      headers: {},
      body: null,
      label: null,
    })
    expect(changed).toMatchObject({
      url: 'https://other.example/',
      method: 'PATCH',
      headers: {},
      body: null,
      label: null,
    })
    const [row] = await api.db.select().from(webhooks).where(eq(webhooks.id, id))
    expect(openWebhook(api.runtime.vault, row as NonNullable<typeof row>).signingSecret).toBe(signingSecret)
    expect((await auditOf(api.db, id)).slice(1)).toMatchObject([
      { action: 'webhook.update', details: { name: { from: made.name, to: `${made.name}!` } } },
      {
        action: 'webhook.update',
        details: {
          host: { from: 'hooks.example.com', to: 'other.example' },
          method: { from: 'POST', to: 'PATCH' },
          headers: { from: ['a'], to: [] },
          label: { from: 'a', to: null },
          hidden: ['body'],
        },
      },
    ])
  })

  test('records that secret parts changed, but no value of them', async () => {
    const { id } = await create({ headers: { Authorization: 'Bearer very-hidden' } })
    const { update } = caller.organization.webhooks
    await update({ id, url: `${URL_}/very-hidden`, headers: { Authorization: 'Bearer very-hidden-too' } })
    await update({ id, headers: { Authorization: 'Bearer very-hidden-too' } })
    const keyed = { name: randomUUID(), preset: 'pagerduty' as const, routingKey: 'veryhidden'.padEnd(32, '0') }
    const pager = await caller.organization.webhooks.create(keyed)
    await update({ id: pager.id, region: 'eu', routingKey: 'veryhidden'.padEnd(32, '1') })
    const entries = [...(await auditOf(api.db, id)), ...(await auditOf(api.db, pager.id))]
    expect(entries.filter(({ action }) => action === 'webhook.update').map(({ details }) => details)).toEqual([
      { hidden: ['url', 'headers'] },
      { changed: false },
      { region: { from: null, to: 'eu' }, hidden: ['routingKey'] },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/very-?hidden/)
  })

  test('judges what it becomes', async () => {
    const { id } = await create({ body: 'plain', headers: { 'content-type': 'text/plain' } })
    const { update } = caller.organization.webhooks
    expect(await failureOf(update({ id, headers: {} }))).toMatchObject({ details: { field: 'body' } })
    expect(await failureOf(update({ id, url: 'http://127.0.0.1/' }))).toMatchObject({ code: 'blocked_probe_target' })
    const { name } = await create()
    expect(await failureOf(update({ id, name }))).toMatchObject({ code: 'already_exists' })
  })
})

describe('organization.webhooks.rotateSecret', () => {
  async function configOf(id: string) {
    const [row] = await api.db.select().from(webhooks).where(eq(webhooks.id, id))
    return openWebhook(api.runtime.vault, row as NonNullable<typeof row>)
  }

  test('returns a new secret, and both are valid for 24 hours', async () => {
    const { id, signingSecret } = await create()
    const before = Date.now()
    const rotated = await caller.organization.webhooks.rotateSecret({ id })
    expect(rotated.signingSecret).toMatch(/^whsec_/)
    expect(rotated.signingSecret).not.toBe(signingSecret)
    const config = await configOf(id)
    expect(config).toMatchObject({ url: URL_, signingSecret: rotated.signingSecret })
    const end = Date.parse(rotated.previousSecretUntil)
    expect(signingSecretsAt(config, new Date(end - 1))).toEqual([rotated.signingSecret, signingSecret])
    expect(signingSecretsAt(config, new Date(end))).toEqual([rotated.signingSecret])
    const [entry] = (await auditOf(api.db, id)).filter(({ action }) => action === 'webhook.rotate_secret')
    expect(entry).toMatchObject({ details: { previousSecretUntil: rotated.previousSecretUntil } })
    expect(end - 24 * 3_600_000).toBeGreaterThanOrEqual(before)
    expect(end - 24 * 3_600_000).toBeLessThanOrEqual(Date.now())
    const shown = await caller.organization.webhooks.get({ id })
    expect(shown.previousSecretUntil).toBe(rotated.previousSecretUntil)
    expect(JSON.stringify([shown, entry])).not.toContain('whsec_')
  })

  test('a second rotation ends the secret before the last one', async () => {
    const { id, signingSecret } = await create()
    const first = await caller.organization.webhooks.rotateSecret({ id })
    const second = await caller.organization.webhooks.rotateSecret({ id })
    const secrets = signingSecretsAt(await configOf(id), new Date())
    expect(secrets).toEqual([second.signingSecret, first.signingSecret])
    expect(secrets).not.toContain(signingSecret)
    // An update keeps both.
    await caller.organization.webhooks.update({ id, label: 'x' })
    expect(signingSecretsAt(await configOf(id), new Date())).toEqual(secrets)
  })

  test('a preset has no secret to rotate', async () => {
    const name = randomUUID()
    const { id } = await caller.organization.webhooks.create({
      name,
      preset: 'slack',
      url: 'https://hooks.slack.com/services/T0/B0/very-hidden',
    })
    expect(await failureOf(caller.organization.webhooks.rotateSecret({ id }))).toMatchObject({ code: 'field_invalid' })
  })
})

describe('organization.webhooks.remove', () => {
  test('with its bindings and deliveries', async () => {
    const { id } = await create()
    const workspace = await api.create.workspace(organization)
    await api.db
      .insert(webhookBindings)
      .values({ id: uuidv7(), organizationId: organization.id, webhookId: id, workspaceId: workspace.id })
    await caller.organization.webhooks.test({ id })
    expect(await caller.organization.webhooks.remove({ id })).toEqual({ ok: true })
    expect(await api.db.$count(webhookBindings, eq(webhookBindings.webhookId, id))).toBe(0)
    expect(await api.db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, id))).toBe(0)
    expect(await failureOf(caller.organization.webhooks.remove({ id }))).toMatchObject({ code: 'not_found' })
  })
})

describe('organization.webhooks.test and deliveries', () => {
  test('a test is a delivery, in the log and in the queue', async () => {
    const { id } = await create()
    const sent = await caller.organization.webhooks.test({ id })
    expect(sent).toMatchObject({ kind: 'webhook.test', state: 'pending', attempts: 0, lastStatus: null })
    expect(await jobsOf(sent.id)).toBe(1)
    const again = await caller.organization.webhooks.test({ id })
    const reader = await callerOf({ webhooks: 'read' })
    const { list } = reader.organization.webhooks.deliveries
    const { items, total } = await list({ id })
    expect((await statementsOf(() => list({ id }))).join()).not.toMatch(/sent_body|"payload"/)
    expect({ ids: items.map((item) => item.id), total }).toEqual({ ids: [again.id, sent.id], total: 2 })
    expect(await actionsOn(api.db, id)).toEqual(['webhook.create', 'webhook.test', 'webhook.test'])
  })

  test('the bodies are returned to members with write permission', async () => {
    const { id } = await create()
    const sent = await caller.organization.webhooks.test({ id })
    const { get } = caller.organization.webhooks.deliveries
    expect(await get({ id: sent.id })).toEqual({ ...sent, sentBody: null, log: [] })
    const row = { id: sent.id, organizationId: organization.id }
    const sealed = sealLogged(api.runtime.vault, row, 'sentBody', '{"sent": 1}')
    expect(sealed).not.toContain('sent": 1')
    await api.db.update(webhookDeliveries).set({ sentBody: sealed }).where(eq(webhookDeliveries.id, sent.id))
    const log = [200, 500].map((status, index) => {
      const attempt = { id: uuidv7(), organizationId: organization.id }
      const responseBody = sealLogged(api.runtime.vault, attempt, 'responseBody', `answer ${status}`)
      const startedAt = new Date(Date.now() - index * 60_000)
      const error = status === 200 ? null : 'the receiver responded with status 500'
      return { ...attempt, deliveryId: sent.id, startedAt, status, error, latencyMs: 12, responseBody }
    })
    await api.db.insert(webhookAttempts).values(log)
    const shown = log.map(({ organizationId: _, deliveryId: __, startedAt, status, ...rest }) => ({
      ...{ ...rest, status, startedAt: startedAt.toISOString(), responseBody: `answer ${status}` },
    }))
    expect(await get({ id: sent.id })).toEqual({ ...sent, sentBody: '{"sent": 1}', log: shown })
    // A log whose key is gone is no error.
    await api.db.update(webhookAttempts).set({ responseBody: 'AAAA' }).where(eq(webhookAttempts.deliveryId, sent.id))
    expect((await get({ id: sent.id })).log).toMatchObject([{ responseBody: null }, { responseBody: null }])
  })

  test('names the service and the incident to members who can read them', async () => {
    const { id: webhookId } = await create()
    const workspace = await api.create.workspace(organization)
    const service = await api.create.service(await api.create.project(workspace))
    const incident = await createIncident(api.db, service, { summary: 'status 500' })
    const event = await createIncidentEvent(api.db, incident)
    const id = uuidv7()
    await api.db.insert(webhookDeliveries).values({
      ...{ id, organizationId: organization.id, webhookId, eventId: event.id },
      ...{ kind: 'service.failed', payload: {}, state: 'failed' },
    })
    const about = {
      service: { id: service.id, name: service.name },
      incident: { id: incident.id, summary: 'status 500' },
    }
    const { deliveries } = caller.organization.webhooks
    expect((await deliveries.list({ id: webhookId })).items).toMatchObject([{ id, ...about }])
    expect(await deliveries.get({ id })).toMatchObject(about)
    expect(await deliveries.redeliver({ id })).toMatchObject(about)
    const reader = await callerOf({ webhooks: 'read' })
    const { items } = await reader.organization.webhooks.deliveries.list({ id: webhookId })
    expect(items).toMatchObject([{ id, service: null, incident: null }])
  })

  test('redeliver sends the same one again, once in the queue', async () => {
    const { id } = await create()
    const sent = await caller.organization.webhooks.test({ id })
    const failed = { state: 'failed', attempts: 11, nextAttemptAt: null, lastStatus: 500 } as const
    await api.db.update(webhookDeliveries).set(failed).where(eq(webhookDeliveries.id, sent.id))
    const again = await caller.organization.webhooks.deliveries.redeliver({ id: sent.id })
    expect(again).toMatchObject({ id: sent.id, state: 'pending', attempts: 0, lastStatus: 500 })
    await caller.organization.webhooks.deliveries.redeliver({ id: sent.id })
    expect(await jobsOf(sent.id)).toBe(1)
    expect(await actionsOn(api.db, id)).toContain('webhook.redeliver')
  })
})

test('readers change nothing, and see no exchange', async () => {
  const { id } = await create()
  const delivery = (await caller.organization.webhooks.test({ id })).id
  const hooks = (await callerOf({ webhooks: 'read' })).organization.webhooks
  for (const refused of [
    hooks.update({ id, name: 'x' }),
    hooks.rotateSecret({ id }),
    hooks.remove({ id }),
    hooks.test({ id }),
    hooks.deliveries.redeliver({ id: delivery }),
    hooks.deliveries.get({ id: delivery }),
  ]) {
    expect((await failureOf(refused)).code).toBe('insufficient_permissions')
  }
})
