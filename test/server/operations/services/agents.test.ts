import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, inArray } from '#db/drizzle.cjs'
import { agents, type services } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import type { Agent, AgentHealth } from '#server/schemas/agents.ts'
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
  await api.create.agent({ slug: 'berlin-2', label: 'Berlin two', isRemote: true })
  await api.create.agent({ slug: 'berlin', label: 'Berlin', organizationId: tree.organization.id })
  await api.create.agent({ slug: 'retired', isActive: false })
  await api.create.agent({ slug: 'private', organizationId: other.id })
})

describe('GET /agents', () => {
  test('200 the active ones that the caller can name, by slug, with nothing about location or health', async () => {
    const { status, body } = await api.call<Agent[]>(tree.owner, 'GET', '/agents')
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { id, slug: 'berlin', label: 'Berlin', kind: 'in-house', isShared: false, isOpen: false },
        { id, slug: 'berlin-2', label: 'Berlin two', kind: 'remote', isShared: true, isOpen: true },
        { id, slug: 'paris', label: 'Paris', kind: 'in-house', isShared: true, isOpen: true },
      ],
    })
  })

  test('200 the same for a member without any permission; not paged, and not filtered', async () => {
    const key = await api.create.key(await api.create.member(tree.organization), { access: 'read' })
    const { body } = await api.call<Agent[]>(key, 'GET', '/agents', { query: { page: 2 } })
    expect(body).toEqual((await api.call<Agent[]>(tree.owner, 'GET', '/agents')).body)
    for (const field of ['filters', 'sorters']) {
      expect(await api.call(key, 'GET', '/agents', { query: { [field]: 'x' } })).toMatchObject({
        status: 400,
        body: { error: 'field_invalid', details: { field } },
      })
    }
  })
})

describe('GET /agents/{id}/health', () => {
  const healthOf = (id: string, key = tree.owner) => api.call<AgentHealth>(key, 'GET', `/agents/${id}/health`)

  test('200 of an agent that was never seen, and of one that is switched off', async () => {
    const silent = await api.create.agent({ organizationId: tree.organization.id })
    const off = await api.create.agent({ organizationId: tree.organization.id, isActive: false })
    const nothing = {
      ...{ isAlive: false, processes: 0, version: null, versions: [], address: null, capacity: null },
      ...{ load: null, latenessMs: null, clockOffsetMs: null, lastSeenAt: null },
      ...{ allowedNetworks: null, failsAlone: null },
    }
    expect((await healthOf(silent.id)).body).toEqual({ id: silent.id, slug: silent.slug, isActive: true, ...nothing })
    expect((await healthOf(off.id)).body).toEqual({ id: off.id, slug: off.slug, isActive: false, ...nothing })
    await api.db.delete(agents).where(inArray(agents.id, [silent.id, off.id]))
  })

  test('200 what the live processes report together; addresses only of own agents', async () => {
    const remote = { isRemote: true, allowedNetworks: ['10.0.0.0/8'] }
    const own = await api.create.agent({ slug: 'oslo', organizationId: tree.organization.id, ...remote })
    const shared = await api.create.agent({ slug: 'oslo-2' })
    const report = { poolId: '', host: 'h', pid: 0, kind: 'agent' as const, version: '0.4.50', address: '203.0.113.7' }
    for (const { id: agentId } of [own, shared]) {
      const old = { startedAt: new Date('2026-11-01T00:00:00Z'), version: '0.4.49', clockOffsetMs: -40, latenessMs: 9 }
      await api.db.insert(workers).values([
        { ...report, id: uuidv7(), agentId, slots: 10, busy: 3, cpu: 0.5, latenessMs: 2, clockOffsetMs: 15 },
        { ...report, id: uuidv7(), agentId, slots: 5, busy: 5, cpu: 0.25, ...old },
        { ...report, id: uuidv7(), agentId, slots: 99, busy: 99, heartbeatAt: new Date('2026-11-01T00:00:00Z') },
      ])
    }
    const { allowedNetworks } = remote
    const expected = {
      ...{ isActive: true, isAlive: true, processes: 2, version: '0.4.50', versions: ['0.4.49', '0.4.50'] },
      ...{ capacity: { slots: 15, busy: 8 }, load: 0.5, latenessMs: 9, clockOffsetMs: -40 },
      lastSeenAt: expect.stringMatching(/Z$/),
    }
    expect((await healthOf(own.id)).body).toMatchObject({
      ...{ ...expected, slug: 'oslo', address: '203.0.113.7', allowedNetworks },
    })
    expect((await healthOf(shared.id)).body).toMatchObject({ ...expected, slug: 'oslo-2', address: null })
    await api.db.delete(agents).where(inArray(agents.id, [own.id, shared.id]))
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

  test('400 field_invalid for an agent that was switched off, although the service names it', async () => {
    const agent = await api.create.agent({ organizationId: tree.organization.id })
    const own = await api.create.service(tree.project)
    await set([agent.slug, 'paris'], own.id)
    await api.db.update(agents).set({ isActive: false }).where(eq(agents.id, agent.id))
    for (const slugs of [[agent.slug], [agent.slug, 'paris']]) {
      expect(await set(slugs, own.id)).toMatchObject({ status: 400, body: { details: { unknown: [agent.slug] } } })
    }
    expect((await get(own.id)).body).toEqual([agent.slug, 'paris'].sort())
    expect((await set(['paris'], own.id)).body).toEqual(['paris'])
  })

  test('200 or refused, never a failure, for a very long list', async () => {
    const many = (length: number) => Array.from({ length }, (_, i) => `a-${i}`)
    expect((await set(many(5_000))).body).toMatchObject({ error: 'field_invalid', details: { field: 'slugs' } })
    expect((await set(Array(5_000).fill('paris'))).body).toEqual(['paris'])
    // More ids than a body may contain.
    expect(await set(many(50_000))).toMatchObject({ status: 400, body: { error: 'invalid_request_body' } })
  })
})
