import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { agents, type services } from '#db/schema/resources.ts'
import type { Agent } from '#server/schemas/agents.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()
const tree = testTree(api)
let service: typeof services.$inferSelect

beforeAll(async () => {
  service = await api.create.service(tree.project)
  const other = await api.create.organization()
  await api.create.agent({ slug: 'paris', label: 'Paris' })
  await api.create.agent({ slug: 'berlin-2', label: 'Berlin two' })
  await api.create.agent({ slug: 'berlin', label: 'Berlin', organizationId: tree.organization.id })
  await api.create.agent({ slug: 'retired', isActive: false })
  await api.create.agent({ slug: 'private', organizationId: other.id })
})

describe('GET /agents', () => {
  test('200 the active ones that the caller can name, by slug, with nothing else about them', async () => {
    const { status, body } = await api.call<Agent[]>(tree.owner, 'GET', '/agents')
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { slug: 'berlin', label: 'Berlin' },
        { slug: 'berlin-2', label: 'Berlin two' },
        { slug: 'paris', label: 'Paris' },
      ],
    })
  })

  test('200 for a member without any permission; not paged, and not filtered', async () => {
    const key = await api.create.key(await api.create.member(tree.organization), { access: 'read' })
    const { body } = await api.call<Agent[]>(key, 'GET', '/agents', { query: { page: 2 } })
    expect(body).toHaveLength(3)
    for (const field of ['filters', 'sorters']) {
      expect(await api.call(key, 'GET', '/agents', { query: { [field]: 'x' } })).toMatchObject({
        status: 400,
        body: { error: 'field_invalid', details: { field } },
      })
    }
  })
})

function set(slugs: unknown, id = service.id, key = tree.owner) {
  return api.call<string[]>(key, 'PUT', `/services/${id}/agents`, { body: { slugs } })
}

function get(id = service.id, key = tree.owner) {
  return api.call<string[]>(key, 'GET', `/services/${id}/agents`)
}

describe('GET /services/{id}/agents', () => {
  test('200 an empty list for any agent', async () => {
    const { status, body } = await get((await api.create.service(tree.project)).id)
    expect({ status, body }).toEqual({ status: 200, body: [] })
  })

  test('200 names an agent that was switched off since: the service still may run there alone', async () => {
    const agent = await api.create.agent({ organizationId: tree.organization.id })
    const own = await api.create.service(tree.project)
    await set([agent.slug], own.id)
    await api.db.update(agents).set({ isActive: false }).where(eq(agents.id, agent.id))
    expect((await get(own.id)).body).toEqual([agent.slug])
    // The response of the read is a valid request body.
    expect(await set([agent.slug], own.id)).toMatchObject({ status: 200, body: [agent.slug] })
  })

  test('400 invalid_uuid, and 404 out of reach', async () => {
    expect((await get('x')).body).toMatchObject({ error: 'invalid_uuid', details: { field: 'id' } })
    const blind = await api.create.key(await api.create.member(tree.organization))
    expect((await get(service.id, blind)).status).toBe(404)
    expect((await get(randomUUID())).status).toBe(404)
  })
})

describe('PUT /services/{id}/agents', () => {
  test('200 replaces the list, each once, by slug; an empty one means any', async () => {
    expect(await set(['paris', 'berlin', 'paris'])).toMatchObject({ status: 200, body: ['berlin', 'paris'] })
    expect((await get()).body).toEqual(['berlin', 'paris'])
    expect((await set(['berlin-2'])).body).toEqual(['berlin-2'])
    expect((await set(['berlin-2'])).body).toEqual(['berlin-2'])
    expect((await set([])).body).toEqual([])
    expect((await get()).body).toEqual([])
    expect((await auditOf(api.db, service.id)).map((entry) => entry.details)).toEqual([
      { slugs: ['berlin', 'paris'] },
      { slugs: ['berlin-2'] },
      { slugs: ['berlin-2'], changed: false },
      { slugs: [] },
    ])
  })

  test('400 field_invalid lists the slugs that are unknown, inactive or not visible, and nothing changes', async () => {
    await set(['paris'])
    const { status, body } = await set(['paris', 'private', 'retired', 'nowhere', '', 'PARIS'])
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        error: 'field_invalid',
        details: {
          field: 'slugs',
          reason: expect.any(String),
          unknown: ['', 'PARIS', 'nowhere', 'private', 'retired'],
        },
      },
    })
    expect((await get()).body).toEqual(['paris'])
  })

  test('400 invalid_request_body for anything but an array of strings', async () => {
    for (const [slugs, field] of [
      [undefined, 'slugs'],
      ['paris', 'slugs'],
      [[1], 'slugs.0'],
      [null, 'slugs'],
    ] as const) {
      expect((await set(slugs)).body).toMatchObject({ error: 'invalid_request_body', details: { field } })
    }
  })

  test('200 or refused, never a failure, for a very long list', async () => {
    const many = (length: number) => Array.from({ length }, (_, i) => `a-${i}`)
    expect((await set(many(5_000))).body).toMatchObject({ error: 'field_invalid', details: { field: 'slugs' } })
    expect((await set(Array(5_000).fill('paris'))).body).toEqual(['paris'])
    // More ids than a body may contain.
    expect(await set(many(50_000))).toMatchObject({ status: 400, body: { error: 'invalid_request_body' } })
  })

  test('404 with read access only, and for an unknown id', async () => {
    const member = await api.create.member(tree.organization, { grants: [{ projectId: tree.project.id, level: 1 }] })
    const key = await api.create.key(member)
    expect((await get(service.id, key)).status).toBe(200)
    expect((await set([], service.id, key)).status).toBe(404)
    expect((await set([], randomUUID())).status).toBe(404)
  })
})
