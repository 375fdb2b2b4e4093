import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { agents, type services } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { loadRun } from '#server/runs/probes/load.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'

const SERVER_NETWORK = '10.99.0.0/16'
const api = testApi({ settings: { PROBE_ALLOWED_NETWORKS: SERVER_NETWORK } })
const tree = testTree(api)

type Process = { kind: 'worker' | 'agent'; allowedNetworks?: string[] }

/** An agent with live processes. `remembered` are the networks that it reported before. */
async function agentWith(processes: Process[], remembered: string[] | null = null): Promise<string> {
  const agent = await api.create.agent({ organizationId: tree.organization.id, allowedNetworks: remembered })
  for (const process of processes) {
    await api.db.insert(workers).values({ id: uuidv7(), agentId: agent.id, poolId: '', host: 'h', pid: 0, ...process })
  }
  return agent.slug
}

const remote = (...allowedNetworks: string[]): Process => ({ kind: 'agent', allowedNetworks })
const IN_HOUSE: Process = { kind: 'worker' }

const scriptFor = (host: string, calls = 1) => `get("http://${host}/").expect(status: 200)\n`.repeat(calls)

async function serviceOn(slugs: string[], given: Partial<typeof services.$inferInsert> = {}) {
  const service = await api.create.service(tree.project, given)
  const answer = await setAgents(service.id, slugs)
  expect(answer.status).toBe(200)
  return service
}

function setAgents(id: string, slugs: string[]) {
  return api.call(tree.owner, 'PUT', `/services/${id}/agents`, { body: { slugs } })
}

function save(id: string, script: string, version = 1) {
  return api.call<Service>(tree.owner, 'PATCH', `/services/${id}/script`, { body: { script, version } })
}

describe('private targets of a service', () => {
  const AGENTS: Record<string, () => Promise<string>> = {
    'in-house': () => agentWith([IN_HOUSE]),
    ten: () => agentWith([remote('10.0.0.0/8')]),
    'ten twenty': () => agentWith([remote('10.20.0.0/16', 'fd00::/8')]),
    closed: () => agentWith([remote()]),
    'of two processes': () => agentWith([remote('10.0.0.0/8'), remote('192.168.0.0/16', '10.20.0.0/24')]),
    'of both kinds': () => agentWith([remote('10.0.0.0/8'), IN_HOUSE]),
    loopback: () => agentWith([remote('127.0.0.0/8')]),
    away: () => agentWith([], ['10.0.0.0/8']),
    'never enrolled': () => agentWith([]),
  }
  test.each([
    // The agents that the service names, its target, and whether that may be saved.
    [[], '10.20.0.5', false],
    [[], '10.99.0.5', true],
    [['in-house'], '10.20.0.5', false],
    [['in-house'], '10.99.0.5', true],
    [['ten'], '10.20.0.5', true],
    [['ten'], '192.168.0.1', false],
    [['ten'], '169.254.169.254', false],
    [['ten'], '[fd00::1]', false],
    [['ten'], 'db.internal', true],
    [['ten'], 'db', true],
    [['ten'], 'localhost', false],
    [['ten'], 'example.com', true],
    [['ten', 'ten twenty'], '10.20.0.5', true],
    [['ten', 'ten twenty'], '10.21.0.5', false],
    [['ten twenty'], '[fd00::1]', true],
    [['ten', 'in-house'], '10.20.0.5', false],
    [['ten', 'in-house'], '10.99.0.5', true],
    [['ten', 'closed'], '10.20.0.5', false],
    [['closed'], 'example.com', true],
    [['closed'], 'db.internal', false],
    // The networks of the installation are not those of the agent.
    [['closed'], '10.99.0.5', false],
    [['of two processes'], '10.20.0.5', true],
    [['of two processes'], '10.20.1.5', false],
    [['of two processes'], '192.168.0.1', false],
    [['of both kinds'], '10.20.0.5', false],
    [['loopback'], '127.0.0.1', true],
    [['loopback'], 'localhost', true],
    [['loopback'], 'db.internal', false],
    [['away'], '10.20.0.5', true],
    [['away'], '192.168.0.1', false],
    [['never enrolled'], '10.20.0.5', false],
  ])('agents %j, target %s: %s', async (names, host, isAllowed) => {
    const slugs = await Promise.all(names.map((name) => AGENTS[name]?.() ?? ''))
    const service = await serviceOn(slugs)
    const saved = await save(service.id, scriptFor(host))
    if (!isAllowed) expect(saved).toMatchObject({ status: 400, body: { error: 'blocked_probe_target' } })
    else expect(saved).toMatchObject({ status: 200, body: { isActive: true } })
    // Switching on judges in the same way.
    const off = await serviceOn(slugs, { script: scriptFor(host), version: 2 })
    const switched = await api.call(tree.owner, 'PATCH', `/services/${off.id}/toggle`, { body: { isActive: true } })
    expect(switched.status).toBe(isAllowed ? 200 : 400)
    const bulk = await api.create.project(tree.workspace)
    await serviceOn(slugs, { script: scriptFor(host), version: 2, projectId: bulk.id })
    const path = `/projects/${bulk.id}/services-toggle`
    const { body } = await api.call(tree.owner, 'PATCH', path, { body: { isActive: true } })
    expect(body).toMatchObject(isAllowed ? { changed: 1 } : { skipped: [{ reason: 'blocked_probe_target' }] })
  })

  test('a change of the agents judges the script again while the service is on', async () => {
    const [ten, inHouse] = [await agentWith([remote('10.0.0.0/8')]), await agentWith([IN_HOUSE])]
    const service = await serviceOn([ten])
    await save(service.id, scriptFor('10.20.0.5'))
    for (const slugs of [[], [inHouse], [ten, inHouse]]) {
      expect(await setAgents(service.id, slugs)).toMatchObject({ status: 400, body: { error: 'blocked_probe_target' } })
    }
    const read = await api.call(tree.owner, 'GET', `/services/${service.id}/agents`)
    expect(read.body).toEqual([ten])
    await api.call(tree.owner, 'PATCH', `/services/${service.id}/toggle`, { body: { isActive: false } })
    expect((await setAgents(service.id, [])).status).toBe(200)
  })

  test('count as verified only where every agent may reach them, also when the run starts', async () => {
    const slug = await agentWith([], ['10.0.0.0/8'])
    const service = await serviceOn([slug])
    // More calls than an unverified target may have.
    const saved = await save(service.id, scriptFor('10.20.0.5', 5))
    expect(saved).toMatchObject({ status: 200, body: { unverifiedTargets: [] } })
    const [agent] = await api.db.select().from(agents).where(eq(agents.slug, slug))
    const load = () => {
      const run = { organizationId: tree.organization.id, serviceId: service.id, agentId: agent?.id ?? '' }
      return loadRun(api.db, api.runtime.vault, run, api.runtime.settings)
    }
    expect(await load()).toMatchObject({ refusal: null })
    await api.db.update(agents).set({ allowedNetworks: [] }).where(eq(agents.slug, slug))
    expect(await load()).toMatchObject({ refusal: expect.stringContaining('blocked_probe_target') })
    const { body } = await api.call<Service>(tree.owner, 'GET', `/services/${service.id}`)
    expect(body.unverifiedTargets).toEqual(['10.20.0.5'])
  })
})
