import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import type { Page } from '#server/paging.ts'
import type { WebhookBinding } from '#server/schemas/webhooks.ts'
import { testApi } from '#test/support/api/api.ts'
import { expectAbsent, refusal } from '#test/support/api/denied.ts'
import { type Key, type MemberOptions, type ServiceTree, unique } from '#test/support/factories.ts'
import { actionsOn } from '#test/support/side-effects.ts'

const api = testApi()

type Sections = MemberOptions['sections']
type WebhookTree = ServiceTree & { webhookId: string }

async function createWebhookTree(): Promise<WebhookTree> {
  const tree = await api.create.serviceTree()
  return { ...tree, webhookId: await createWebhook(tree.organization) }
}

async function createWebhook(organization: { id: string }, given: Partial<typeof webhooks.$inferInsert> = {}) {
  const id = uuidv7()
  const config = { url: 'https://hidden.example/hook', headers: {}, body: null, signingSecret: 'whsec_hidden' }
  const sealed = api.runtime.vault.seal(JSON.stringify(config), 'webhook', organization.id, id)
  await api.db.insert(webhooks).values({ id, organizationId: organization.id, name: unique('Hook'), sealed, ...given })
  return id
}

let tree: WebhookTree
beforeAll(async () => {
  tree = await createWebhookTree()
})

describe('GET /webhooks', () => {
  test('200 oldest first by creation, then id, without anything of their configuration', async () => {
    const own = await createWebhookTree()
    await api.db.delete(webhooks).where(eq(webhooks.organizationId, own.organization.id))
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
    const made = []
    for (const minute of [2, 1, 2]) {
      const createdAt = at(minute)
      made.push({ id: await createWebhook(own.organization, { createdAt, label: 'Ops', method: 'PUT' }), minute })
    }
    const expected = made.toSorted((a, b) => a.minute - b.minute || (a.id < b.id ? -1 : 1)).map((one) => one.id)
    const { status, body } = await api.call<Page<Record<string, unknown>>>(own.owner, 'GET', '/webhooks')
    expect(status).toBe(200)
    expect(body.items.map((item) => item.id)).toEqual(expected)
    expect(Object.keys(body.items[0] ?? {}).sort()).toEqual([
      'bindingCount',
      'createdAt',
      'id',
      'label',
      'method',
      'name',
    ])
    expect(body.items[0]).toMatchObject({ label: 'Ops', method: 'PUT', createdAt: at(1).toISOString() })
    expect(JSON.stringify(body)).not.toContain('hidden')
    const query = { page: 2, pageSize: 2 }
    const second = await api.call<Page<{ id: string }>>(own.owner, 'GET', '/webhooks', { query })
    expect(second.body).toMatchObject({ items: [{ id: expected[2] }], total: 3, page: 2, pageSize: 2 })
  })
})

describe.each(['workspace', 'project', 'service'] as const)('bindings of a %s', (resourceType) => {
  const on = ({ ids }: WebhookTree) => ({ resourceType, resourceId: ids[resourceType] })
  const bind = (key: Key, at: WebhookTree, body: unknown) =>
    api.call<WebhookBinding>(key, 'POST', '/webhooks/bindings', { query: on(at), body })

  describe('POST /webhooks/bindings', () => {
    test('200 enabled unless said otherwise', async () => {
      const own = await createWebhookTree()
      const { status, body } = await bind(own.owner, own, { webhookId: own.webhookId })
      expect(status).toBe(200)
      const [hook] = await api.db.select().from(webhooks).where(eq(webhooks.id, own.webhookId))
      expect(body).toEqual({
        id: expect.any(String),
        webhookId: own.webhookId,
        webhookName: hook?.name,
        enabled: true,
        createdAt: expect.any(String),
      })
      const [row] = await api.db.select().from(webhookBindings).where(eq(webhookBindings.id, body.id))
      expect(row).toMatchObject({ [`${resourceType}Id`]: own.ids[resourceType] })
      expect(await actionsOn(api.db, body.id)).toEqual(['webhook.bind'])
      const paused = await bind(own.owner, own, { webhookId: await createWebhook(own.organization), enabled: false })
      expect(paused.body).toMatchObject({ enabled: false })
    })

    test('409 binding_exists for this resource, not for another; one of many parallel requests succeeds', async () => {
      const own = await createWebhookTree()
      const body = { webhookId: own.webhookId }
      const answers = await Promise.all(Array.from({ length: 6 }, () => bind(own.owner, own, body)))
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(5).fill(409)])
      const refused = answers.find((answer) => answer.status === 409)
      const bound = answers.find((answer) => answer.status === 200)
      const details = { field: 'webhookId', id: bound?.body.id }
      expect(refused?.body).toEqual({ error: 'binding_exists', details })
      const elsewhere = resourceType === 'service' ? 'project' : 'service'
      const query = { resourceType: elsewhere, resourceId: own.ids[elsewhere] }
      expect((await api.call(own.owner, 'POST', '/webhooks/bindings', { query, body })).status).toBe(200)
    })
  })

  describe('GET /webhooks/bindings', () => {
    test('200 oldest first, of this resource alone', async () => {
      const own = await createWebhookTree()
      const made: string[] = []
      for (let index = 0; index < 3; index++) {
        const body = { webhookId: await createWebhook(own.organization) }
        made.push((await bind(own.owner, own, body)).body.id)
      }
      const other = resourceType === 'workspace' ? 'project' : 'workspace'
      const query = { resourceType: other, resourceId: own.ids[other] }
      await api.call(own.owner, 'POST', '/webhooks/bindings', { query, body: { webhookId: own.webhookId } })
      const createdAt = new Date('2026-01-01T00:00:00.000Z')
      await api.db
        .update(webhookBindings)
        .set({ createdAt })
        .where(eq(webhookBindings.id, made[1] as string))
      const expected = [made[1], made[0], made[2]]
      const list = (page: object) =>
        api.call<Page<WebhookBinding>>(own.owner, 'GET', '/webhooks/bindings', { query: { ...on(own), ...page } })
      const { status, body } = await list({})
      expect(status).toBe(200)
      expect(body.items.map((item) => item.id)).toEqual(expected)
      expect(body).toMatchObject({ total: 3, page: 1, pageSize: 50 })
      const second = (await list({ page: 2, pageSize: 2 })).body
      expect(second).toMatchObject({ items: [{ id: made[2] }], total: 3, page: 2, pageSize: 2 })
    })
  })

  describe('PATCH and DELETE /webhooks/bindings/{id}', () => {
    test('200 pauses, resumes and removes the binding only', async () => {
      const own = await createWebhookTree()
      const { id } = (await bind(own.owner, own, { webhookId: own.webhookId })).body
      const path = `/webhooks/bindings/${id}`
      for (const enabled of [false, true]) {
        const { status, body } = await api.call<WebhookBinding>(own.owner, 'PATCH', path, { body: { enabled } })
        expect({ status, ...body }).toMatchObject({ status: 200, id, enabled, webhookId: own.webhookId })
      }
      expect((await api.call(own.owner, 'DELETE', path)).body).toEqual({ ok: true })
      expect(await actionsOn(api.db, id)).toEqual(['webhook.bind', 'webhook.pause', 'webhook.resume', 'webhook.unbind'])
      expect(await api.db.$count(webhooks, eq(webhooks.id, own.webhookId))).toBe(1)
      const body = { enabled: true }
      expectAbsent([await api.call(own.owner, 'DELETE', path), await api.call(own.owner, 'PATCH', path, { body })])
    })
  })
})

describe('bindings of the organization', () => {
  const on = ({ organization }: WebhookTree) => ({ resourceType: 'organization', resourceId: organization.id })
  const bind = (key: Key, at: WebhookTree, body: unknown = { webhookId: at.webhookId }) =>
    api.call<WebhookBinding>(key, 'POST', '/webhooks/bindings', { query: on(at), body })

  test('are created once, listed, counted, paused and removed', async () => {
    const own = await createWebhookTree()
    const { status, body } = await bind(own.owner, own)
    expect(status).toBe(200)
    expect(body).toMatchObject({ webhookId: own.webhookId, enabled: true })
    const [row] = await api.db.select().from(webhookBindings).where(eq(webhookBindings.id, body.id))
    expect(row).toMatchObject({ workspaceId: null, projectId: null, serviceId: null })
    const again = await bind(own.owner, own)
    expect(again).toMatchObject({ status: 409, body: { error: 'binding_exists', details: { id: body.id } } })
    const list = () => api.call<Page<WebhookBinding>>(own.owner, 'GET', '/webhooks/bindings', { query: on(own) })
    expect((await list()).body).toMatchObject({ items: [{ id: body.id }], total: 1 })
    const hooks = await api.call<Page<{ bindingCount: number }>>(own.owner, 'GET', '/webhooks')
    expect(hooks.body.items).toMatchObject([{ bindingCount: 1 }])
    const path = `/webhooks/bindings/${body.id}`
    expect((await api.call(own.owner, 'PATCH', path, { body: { enabled: false } })).status).toBe(200)
    expect((await api.call(own.owner, 'DELETE', path)).status).toBe(200)
    expect((await list()).body.total).toBe(0)
    expect(await actionsOn(api.db, body.id)).toEqual(['webhook.bind', 'webhook.pause', 'webhook.unbind'])
  })

  test('need write on Webhooks, and read on every workspace: a webhook tells no more than its creator may read', async () => {
    const own = await createWebhookTree()
    const keyOf = async (sections: NonNullable<Sections>) =>
      api.create.key(await api.create.member(own.organization, { sections }))
    const grants = [{ workspaceId: own.ids.workspace, level: 2 as const }]
    const granted = await api.create.member(own.organization, { sections: { webhooks: 'write' }, grants })
    for (const key of [
      await keyOf({ webhooks: 'write' }),
      await keyOf({ webhooks: 'read', workspaces: 'write' }),
      await api.create.key(granted),
    ]) {
      expect(refusal(await bind(key, own))).toMatchObject({ status: 403, error: 'insufficient_permissions' })
    }
    expect((await bind(await keyOf({ webhooks: 'write', workspaces: 'read' }), own)).status).toBe(200)
    const reader = await keyOf({ webhooks: 'read' })
    expect((await api.call(reader, 'GET', '/webhooks/bindings', { query: on(own) })).status).toBe(200)
    const none = await keyOf({ workspaces: 'write' })
    expect((await api.call(none, 'GET', '/webhooks/bindings', { query: on(own) })).status).toBe(403)
  })

  test('404 for another organization, in every operation', async () => {
    const [own, other] = [await createWebhookTree(), await createWebhookTree()]
    const { body } = await bind(other.owner, other)
    const foreign = { ...own, organization: other.organization }
    expectAbsent([
      await bind(own.owner, foreign),
      await api.call(own.owner, 'GET', '/webhooks/bindings', { query: on(foreign) }),
      await api.call(own.owner, 'DELETE', `/webhooks/bindings/${body.id}`),
    ])
  })
})

describe('malformed input of bindings', () => {
  test('400 field_required or field_invalid for the query, whichever the method', async () => {
    const { workspace } = tree.ids
    const queries = [
      [{ resourceId: workspace }, 'field_required', 'resourceType'],
      [{ resourceType: 'workspace' }, 'field_required', 'resourceId'],
      [{ resourceType: 'group', resourceId: workspace }, 'field_invalid', 'resourceType'],
      [{ resourceType: '', resourceId: workspace }, 'field_invalid', 'resourceType'],
      [{ resourceType: 'workspace', resourceId: 'x' }, 'invalid_uuid', 'resourceId'],
    ] as const
    for (const [query, error, field] of queries) {
      const body = { webhookId: tree.webhookId, resourceType: 'workspace', resourceId: workspace }
      const answers = [
        await api.call(tree.owner, 'GET', '/webhooks/bindings', { query }),
        // The body's values are ignored.
        await api.call(tree.owner, 'POST', '/webhooks/bindings', { query, body }),
      ]
      for (const answer of answers) expect(refusal(answer)).toMatchObject({ status: 400, error, details: { field } })
    }
  })
})
