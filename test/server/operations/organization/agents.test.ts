import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { organizations } from '#db/schema/organizations.ts'
import { agentHours, agents, serviceAgents, services } from '#db/schema/resources.ts'
import { runs, schedules, workers } from '#db/schema/runs.ts'
import { HOUR_MS } from '#server/durations.ts'
import { eligibleAgents } from '#server/schedule/placement.ts'
import type { Agent, AgentHistory } from '#server/schemas/agents.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { auditOf } from '#test/support/side-effects.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW })
const tree = testTree(api)
type Sections = NonNullable<NonNullable<Parameters<typeof api.create.member>[1]>['sections']>
type Caller = Awaited<ReturnType<typeof api.caller>>['organization']['agents']
let owner: Caller
let reader: Caller
let stranger: Caller

beforeAll(async () => {
  owner = (await api.caller(tree.organization.owner)).organization.agents
  const member = await api.create.member(tree.organization, { sections: { settings: 'read' } })
  reader = (await api.caller(member)).organization.agents
  stranger = (await api.caller((await api.create.organization()).owner)).organization.agents
})

const ownAgent = (given: Partial<typeof agents.$inferInsert> = {}) =>
  api.create.agent({ organizationId: tree.organization.id, ...given })

async function serviceOn(named: { id: string }[], given: Partial<typeof services.$inferInsert> = {}) {
  const service = await api.create.service(tree.project, given)
  const { id: serviceId, organizationId } = service
  const rows = named.map(({ id: agentId }) => ({ serviceId, organizationId, agentId }))
  if (rows.length > 0) await api.db.insert(serviceAgents).values(rows)
  return service
}

const slugsOf = async (id: string) => (await api.call<string[]>(tree.owner, 'GET', `/services/${id}/agents`)).body

const eligible = async (id: string, organizationId = tree.organization.id) =>
  ((await eligibleAgents(api.db, [{ organizationId, id }])).get(id) ?? []).map(({ slug }) => slug)

const code = async (promise: Promise<unknown>) => (await failureOf(promise)).code

async function processOf(agent: { id: string }, kind: 'worker' | 'agent') {
  const id = uuidv7()
  await api.db.insert(workers).values({ id, agentId: agent.id, poolId: '', host: 'h', pid: 1, kind })
  return id
}

describe('get', () => {
  test('shows a process as stalled when it takes nothing although runs wait', async () => {
    const agent = await ownAgent()
    const id = await processOf(agent, 'agent')
    const read = () => owner.get({ slug: agent.slug })
    expect(await read()).toMatchObject({ processes: [{ id, isStalled: false }] })

    const startedAt = sql`now() - interval '5 minutes'`
    await api.db.update(workers).set({ startedAt }).where(eq(workers.id, id))
    expect(await read()).toMatchObject({ processes: [{ id, isStalled: false }] })
    const { id: serviceId, organizationId } = await serviceOn([agent])
    const run = { id: uuidv7(), serviceId, organizationId, agentId: agent.id, slot: NOW, cause: 'request' as const }
    await api.db.insert(runs).values({ ...run, createdAt: startedAt })
    expect(await read()).toMatchObject({ processes: [{ id, isStalled: true }] })
  })
})

describe('create', () => {
  test('takes the slug of another organization, and refuses that of a shared agent or an own one', async () => {
    const foreign = await api.create.agent({ organizationId: (await api.create.organization()).id })
    const created = await owner.create({ slug: foreign.slug, label: 'Ours' })
    expect(created).toMatchObject({ slug: foreign.slug, kind: 'remote', isShared: false, keysToRevoke: 0 })
    expect(created.id).not.toBe(foreign.id)
    const shared = await api.create.agent()
    for (const slug of [shared.slug, foreign.slug]) {
      const create = owner.create({ slug, label: 'Again' })
      expect(await failureOf(create)).toMatchObject({ code: 'already_exists', details: { field: 'slug' } })
    }
  })

  test('takes write on workspaces; write on settings is not enough', async () => {
    const callerOf = async (sections: Sections) =>
      (await api.caller(await api.create.member(tree.organization, { sections }))).organization.agents
    const manager = await callerOf({ settings: 'write', workspaces: 'read' })
    for (const call of [manager.create({ slug: 'mine', label: 'Mine' }), manager.enrol({ slug: 'mine' })]) {
      expect(await code(call)).toBe('insufficient_permissions')
    }
    const enroller = await callerOf({ workspaces: 'write' })
    const { slug } = await enroller.create({ slug: 'enrolled', label: 'Enrolled' })
    expect(await enroller.enrol({ slug })).toMatchObject({ token: expect.stringMatching(/^sla_/) })
    expect([await enroller.keys({ slug }), (await enroller.get({ slug })).slug]).toEqual([[], slug])
    expect(await code(enroller.update({ slug, label: 'Else' }))).toBe('insufficient_permissions')
    expect(await manager.update({ slug, label: 'Else' })).toMatchObject({ label: 'Else' })
  })
})

describe('update', () => {
  test('changes label and slug; services keep naming the agent', async () => {
    const agent = await ownAgent({ label: 'Before' })
    const service = await serviceOn([agent])
    const slug = `${agent.slug}-new`
    const state = await owner.update({ slug: agent.slug, label: 'After', newSlug: slug })
    expect(state).toMatchObject({ slug, label: 'After' })
    expect(await slugsOf(service.id)).toEqual([slug])
    expect(await auditOf(api.db, agent.id)).toMatchObject([
      {
        action: 'agent.update',
        details: { label: { from: 'Before', to: 'After' }, slug: { from: agent.slug, to: slug } },
      },
    ])
  })

  test('refuses a slug of the organization and of a shared agent, and not one of another organization', async () => {
    const [agent, other, shared] = [await ownAgent(), await ownAgent(), await api.create.agent()]
    const foreign = await api.create.agent({ organizationId: (await api.create.organization()).id })
    for (const { slug } of [other, shared]) {
      expect(await code(owner.update({ slug: agent.slug, newSlug: slug }))).toBe('already_exists')
    }
    expect(await owner.update({ slug: agent.slug, newSlug: foreign.slug })).toMatchObject({ id: agent.id })
  })

  test('404 for shared agents and those of others, 403 for readers', async () => {
    const [own, shared] = [await ownAgent(), await api.create.agent()]
    expect(await code(owner.update({ slug: shared.slug, label: 'Mine' }))).toBe('not_found')
    expect(await code(stranger.update({ slug: own.slug, label: 'Mine' }))).toBe('not_found')
    expect(await code(reader.update({ slug: own.slug, label: 'Mine' }))).toBe('insufficient_permissions')
  })
})

describe('setActive', () => {
  test('switches a shared agent off for this organization alone', async () => {
    const shared = await api.create.agent({ slug: 'everyones' })
    const [named, unnamed] = [await serviceOn([shared]), await serviceOn([])]
    const other = await api.create.tree()
    const theirs = await api.create.service(other.project)
    expect(await owner.setActive({ slug: 'everyones', isActive: false })).toMatchObject({ isActive: false })
    expect(await owner.setActive({ slug: 'everyones', isActive: false })).toMatchObject({ isActive: false })
    expect(await eligible(named.id)).toEqual([])
    expect(await eligible(unnamed.id)).not.toContain('everyones')
    expect(await eligible(theirs.id, other.organization.id)).toContain('everyones')
    const listed = async (key: { token: string }) =>
      (await api.call<Agent[]>(key, 'GET', '/agents')).body.some(({ slug }) => slug === 'everyones')
    expect([await listed(tree.owner), await listed(other.owner)]).toEqual([false, true])
    const set = await api.call(tree.owner, 'PUT', `/services/${unnamed.id}/agents`, { body: { slugs: ['everyones'] } })
    expect(set).toMatchObject({ status: 400, body: { details: { unknown: ['everyones'] } } })

    expect(await owner.setActive({ slug: 'everyones', isActive: true })).toMatchObject({ isActive: true })
    expect(await eligible(named.id)).toEqual(['everyones'])
    expect((await auditOf(api.db, shared.id)).map(({ action }) => action)).toEqual([
      'agent.deactivate',
      'agent.deactivate',
      'agent.activate',
    ])
  })

  test('switches an own agent off for all its services, and queues the runs of its remote processes again', async () => {
    const agent = await ownAgent()
    const service = await serviceOn([agent])
    const [remote, inHouse] = [await processOf(agent, 'agent'), await processOf(agent, 'worker')]
    const lease = { serviceId: service.id, organizationId: service.organizationId, agentId: agent.id }
    const running = { ...lease, cause: 'request' as const, state: 'running' as const, leaseUntil: NOW }
    const ids = [uuidv7(), uuidv7()]
    await api.db.insert(runs).values([
      { ...running, id: ids[0] as string, slot: NOW, workerId: remote },
      { ...running, id: ids[1] as string, slot: new Date(NOW.getTime() + 1), workerId: inHouse },
    ])
    expect(await owner.setActive({ slug: agent.slug, isActive: false })).toMatchObject({ isActive: false })
    expect(await eligible(service.id)).toEqual([])
    const stateOf = async (id?: string) =>
      (
        await api.db
          .select()
          .from(runs)
          .where(eq(runs.id, id as string))
      ).map(({ state, workerId }) => [state, workerId])
    expect(await stateOf(ids[0])).toEqual([['queued', null]])
    expect(await stateOf(ids[1])).toEqual([['running', inHouse]])
  })

  test('404 for agents of others, 403 for readers', async () => {
    const own = await ownAgent()
    expect(await code(stranger.setActive({ slug: own.slug, isActive: false }))).toBe('not_found')
    expect(await code(reader.setActive({ slug: own.slug, isActive: false }))).toBe('insufficient_permissions')
  })
})

describe('services and remove', () => {
  test('names the services, and what they run on afterwards is the choice of the caller', async () => {
    const [gone, other] = [await ownAgent(), await ownAgent()]
    const only = await serviceOn([gone], { name: 'A only' })
    const both = await serviceOn([gone, other], { name: 'B both' })
    expect(await reader.services({ slug: gone.slug })).toMatchObject({ total: 2, onlyThis: 1, items: [] })
    expect(await owner.services({ slug: gone.slug })).toMatchObject({
      items: [
        { id: only.id, name: 'A only', isOnly: true },
        { id: both.id, name: 'B both', isOnly: false },
      ],
    })
    expect(await failureOf(owner.remove({ slug: gone.slug }))).toMatchObject({
      code: 'field_required',
      details: { field: 'replaceWith' },
    })
    for (const replaceWith of [gone.slug, 'nowhere', (await ownAgent({ isActive: false })).slug]) {
      expect(await failureOf(owner.remove({ slug: gone.slug, replaceWith }))).toMatchObject({
        code: 'field_invalid',
        details: { field: 'replaceWith' },
      })
    }
    expect(await owner.remove({ slug: gone.slug, replaceWith: other.slug })).toEqual({
      switchedOff: [],
      switchedOffTotal: 0,
    })
    expect([await slugsOf(only.id), await slugsOf(both.id)]).toEqual([[other.slug], [other.slug]])
    expect(await api.db.$count(agents, eq(agents.id, gone.id))).toBe(0)
    expect(await auditOf(api.db, gone.id)).toMatchObject([
      { action: 'agent.remove', details: { services: 1, replaceWith: other.slug, switchedOff: 0 } },
    ])
    expect(await auditOf(api.db, only.id)).toMatchObject([
      { action: 'service.agents', details: { slugs: [other.slug] } },
    ])
  })

  test('places services on another own agent only for members who may change them', async () => {
    const [gone, other, shared] = [await ownAgent(), await ownAgent(), await api.create.agent()]
    const service = await serviceOn([gone])
    const sections = { settings: 'write' } as const
    const manager = (await api.caller(await api.create.member(tree.organization, { sections }))).organization.agents
    const remove = (replaceWith: string) => manager.remove({ slug: gone.slug, replaceWith })
    expect(await code(remove(other.slug))).toBe('insufficient_permissions')
    await remove(shared.slug)
    expect(await slugsOf(service.id)).toEqual([shared.slug])
  })

  test('switches services off whose scripts may not run elsewhere', async () => {
    const agent = await ownAgent({ allowedNetworks: ['10.0.0.0/8'] })
    const script = 'get("http://10.20.0.5/").expect(status: 200)'
    const service = await serviceOn([agent], { script, version: 2, isActive: true, name: 'Inside' })
    const outside = await serviceOn([agent], { script: script.replace('10.20.0.5', 'example.com'), isActive: true })
    expect(await owner.remove({ slug: agent.slug, replaceWith: null })).toEqual({
      switchedOff: [{ id: service.id, name: 'Inside', reason: 'blocked_probe_target' }],
      switchedOffTotal: 1,
    })
    const [row] = await api.db.select().from(services).where(eq(services.id, service.id))
    expect(row).toMatchObject({ isActive: false })
    expect(await api.db.$count(schedules, eq(schedules.serviceId, service.id))).toBe(0)
    expect(await slugsOf(outside.id)).toEqual([])
    expect((await auditOf(api.db, service.id)).map(({ action }) => action)).toContain('service.disable')
  })

  test('shared agents and those of others are absent', async () => {
    const [own, shared] = [await ownAgent(), await api.create.agent()]
    expect(await code(owner.remove({ slug: shared.slug }))).toBe('not_found')
    expect(await code(stranger.remove({ slug: own.slug }))).toBe('not_found')
    expect(await code(stranger.services({ slug: own.slug }))).toBe('not_found')
    expect(await code(reader.remove({ slug: own.slug }))).toBe('insufficient_permissions')
  })
})

describe('GET /agents/{id}/history', () => {
  const historyOf = (id: string, key: { token: string } = tree.owner) =>
    api.call<AgentHistory>(key, 'GET', `/agents/${id}/history`)

  test('200 the hours of 30 days, and the availability since the first of them', async () => {
    const agent = await ownAgent({ createdAt: new Date('2026-11-20T10:00:00Z') })
    const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))
    const row = { agentId: agent.id, countedUntil: NOW, slotsMax: 10, busyMax: 4, cpuMax: 0.5, latenessMaxMs: 7 }
    await api.db.insert(agentHours).values([
      { ...row, hour: at(10), aliveSeconds: 3_600, runs: 60 },
      { ...row, hour: at(12), aliveSeconds: 900, runs: 3 },
      { ...row, hour: new Date(NOW.getTime() - 31 * 24 * HOUR_MS), aliveSeconds: 3_600, runs: 1 },
    ])
    const { status, body } = await historyOf(agent.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ slug: agent.slug, since: '2026-10-21T12:00:00.000Z', until: NOW.toISOString(), availability: 50 },
      hours: [
        { hour: at(10).toISOString(), aliveSeconds: 3_600, runs: 60, slots: 10, busyMax: 4, loadMax: 0.5 },
        { hour: at(12).toISOString(), aliveSeconds: 900, runs: 3, latenessMaxMs: 7 },
      ],
    })
  })

  test('200 without what a shared agent executed, except for the operator', async () => {
    const agent = await api.create.agent({ createdAt: new Date('2026-11-20T10:00:00Z') })
    const hour = new Date('2026-11-20T11:00:00Z')
    const row = { agentId: agent.id, hour, countedUntil: NOW, slotsMax: 10, busyMax: 4, cpuMax: 0.5, runs: 60 }
    await api.db.insert(agentHours).values({ ...row, aliveSeconds: 3_600 })
    const operator = await api.create.tree()
    const isOperators = eq(organizations.id, operator.organization.id)
    await api.db.update(organizations).set({ isOperator: true }).where(isOperators)
    const shared = { aliveSeconds: 3_600, slots: 10, loadMax: 0.5 }
    expect((await historyOf(agent.id)).body.hours).toMatchObject([{ ...shared, busyMax: null, runs: null }])
    const { body } = await historyOf(agent.id, operator.owner)
    expect(body.hours).toMatchObject([{ ...shared, busyMax: 4, runs: 60 }])
  })

  test('200 for an agent without any hour', async () => {
    expect((await historyOf((await api.create.agent()).id)).body).toMatchObject({ availability: null, hours: [] })
  })
})
