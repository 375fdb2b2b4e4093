import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { agents, serviceAgents, type services } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import type { Agent } from '#server/schemas/agents.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { auditOf } from '#test/support/side-effects.ts'

// Which services name an agent when it is created, and later by a member's choice.

const api = testApi()
const tree = testTree(api)
type Caller = Awaited<ReturnType<typeof api.caller>>['organization']['agents']
let owner: Caller

beforeAll(async () => {
  owner = (await api.caller(tree.organization.owner)).organization.agents
})

const names = async ({ id }: { id: string }) =>
  (await api.call<string[]>(tree.owner, 'GET', `/services/${id}/agents`)).body

let created = 0
const fresh = () => ({ slug: `fresh-${++created}`, label: 'Fresh' })

const serviceIn = (
  project: { id: string; organizationId: string },
  given: Partial<typeof services.$inferInsert> = {},
) => api.create.service(project, given)

async function sharedAgent(given: { isOpen?: boolean; isAlive: boolean }) {
  const agent = await api.create.agent({ isOpen: given.isOpen ?? true })
  if (given.isAlive) {
    await api.db.insert(workers).values({ id: uuidv7(), agentId: agent.id, poolId: '', host: 'h', pid: 1 })
  }
  return agent
}

/** Until this, no shared agent is open: services that name none ran nowhere. */
const withoutOpenAgents = () => api.db.update(agents).set({ isOpen: false })

describe('a new agent', () => {
  test('is named by no service unless the member chooses some', async () => {
    const service = await serviceIn(tree.project)
    const given = fresh()
    expect(await owner.create(given)).toMatchObject({
      slug: given.slug,
      isShared: false,
      isOpen: false,
      services: { added: 0, leftOut: [], leftOutTotal: 0 },
    })
    expect(await names(service)).toEqual([])
    expect(await owner.services({ slug: given.slug })).toMatchObject({ total: 0 })
  })

  test('is named by the services that a project has, besides those that run them', async () => {
    await withoutOpenAgents()
    const project = await api.create.project(tree.workspace)
    const [live, dead, closed] = [
      await sharedAgent({ isAlive: true }),
      await sharedAgent({ isAlive: false }),
      await sharedAgent({ isAlive: true, isOpen: false }),
    ]
    const [unnamed, named, outside] = [
      await serviceIn(project),
      await serviceIn(project),
      await serviceIn(tree.project),
    ]
    const { organizationId, id: serviceId } = named
    await api.db.insert(serviceAgents).values({ organizationId, serviceId, agentId: closed.id })
    const given = fresh()
    expect(await owner.create({ ...given, projectId: project.id })).toMatchObject({ services: { added: 2 } })
    expect(await names(unnamed)).toEqual([live.slug, given.slug].sort())
    expect(await names(unnamed)).not.toContain(dead.slug)
    expect(await names(named)).toEqual([closed.slug, given.slug].sort())
    expect(await names(outside)).toEqual([])
    expect(await auditOf(api.db, named.id)).toMatchObject([
      { action: 'service.agents', details: { slugs: [closed.slug, given.slug].sort() } },
    ])
    // A later service selects its agents itself.
    expect(await names(await serviceIn(project))).toEqual([])
    await withoutOpenAgents()
  })

  test('is named by the services of a list', async () => {
    const [one, other] = [await serviceIn(tree.project), await serviceIn(tree.project)]
    const given = fresh()
    expect(await owner.create({ ...given, serviceIds: [one.id, one.id] })).toMatchObject({ services: { added: 1 } })
    expect([await names(one), await names(other)]).toEqual([[given.slug], []])
  })

  test('is not created when a service or the project is not there', async () => {
    const foreign = await api.create.serviceTree()
    const choices: [field: string, chosen: { projectId?: string; serviceIds?: string[] }][] = [
      ['serviceIds', { serviceIds: [(await serviceIn(tree.project)).id, foreign.service.id] }],
      ['projectId', { projectId: foreign.project.id }],
    ]
    for (const [field, chosen] of choices) {
      const given = fresh()
      expect(await failureOf(owner.create({ ...given, ...chosen }))).toMatchObject({
        code: 'not_found',
        details: { field },
      })
      expect(await api.db.$count(agents, eq(agents.slug, given.slug))).toBe(0)
    }
  })
})

describe('services that are added later', () => {
  test('name the agent, and keep out while their script may not run there', async () => {
    const inside = await api.create.agent({ organizationId: tree.organization.id, isRemote: true })
    const remote = { kind: 'agent' as const, allowedNetworks: ['10.0.0.0/8'] }
    await api.db.insert(workers).values({ id: uuidv7(), agentId: inside.id, poolId: '', host: 'h', pid: 0, ...remote })
    const on = { isActive: true, version: 2 }
    const [privately, publicly] = [
      await serviceIn(tree.project, { name: 'Inside', script: 'get("http://10.20.0.5/")', ...on }),
      await serviceIn(tree.project, { script: 'get("https://example.com/")', ...on }),
    ]
    const { organizationId, id: serviceId } = privately
    await api.db.insert(serviceAgents).values({ organizationId, serviceId, agentId: inside.id })
    const { slug } = await owner.create(fresh())
    const chosen = { slug, serviceIds: [privately.id, publicly.id] }
    expect(await owner.addServices(chosen)).toEqual({
      added: 1,
      leftOut: [{ id: privately.id, name: 'Inside', reason: 'blocked_probe_target' }],
      leftOutTotal: 1,
    })
    expect([await names(privately), await names(publicly)]).toEqual([[inside.slug], [slug]])

    // The agent has connected, and reports its networks.
    const allowedNetworks = ['10.20.0.0/16']
    await api.db.update(agents).set({ allowedNetworks }).where(eq(agents.slug, slug))
    expect(await owner.addServices(chosen)).toEqual({ added: 1, leftOut: [], leftOutTotal: 0 })
    expect(await names(privately)).toEqual([inside.slug, slug].sort())
    expect(await owner.get({ slug })).toMatchObject({ allowedNetworks })
  })

  test('may name a shared agent that is not open; not one that is switched off', async () => {
    const closed = await sharedAgent({ isAlive: true, isOpen: false })
    const service = await serviceIn(tree.project)
    const add = () => owner.addServices({ slug: closed.slug, serviceIds: [service.id] })
    expect(await add()).toMatchObject({ added: 1 })
    expect(await add()).toMatchObject({ added: 0 })
    expect(await names(service)).toEqual([closed.slug])
    const { body } = await api.call<Agent[]>(tree.owner, 'GET', '/agents')
    expect(body).toContainEqual(expect.objectContaining({ slug: closed.slug, isShared: true, isOpen: false }))
    await owner.setActive({ slug: closed.slug, isActive: false })
    expect(await failureOf(add())).toMatchObject({ code: 'field_invalid', details: { field: 'slug' } })
  })

  test('need write on workspaces', async () => {
    const { slug } = await owner.create(fresh())
    const member = await api.create.member(tree.organization, { sections: { settings: 'write', workspaces: 'read' } })
    const manager = (await api.caller(member)).organization.agents
    const service = await serviceIn(tree.project)
    expect(await failureOf(manager.addServices({ slug, serviceIds: [service.id] }))).toMatchObject({
      code: 'insufficient_permissions',
    })
  })
})
