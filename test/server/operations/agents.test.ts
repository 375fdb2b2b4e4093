import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { alertEvents, alertMessages, type EventKind, lostAgents } from '#db/schema/alerts.ts'
import { agents, serviceAgents, services } from '#db/schema/resources.ts'
import { serviceAgentStates } from '#db/schema/results.ts'
import { workers } from '#db/schema/runs.ts'
import { HOUR_MS } from '#server/durations.ts'
import type { LostAgent } from '#server/schemas/agents.ts'
import type { AgentState } from '#server/schemas/organization/agents.ts'
import { testDashboard, testOrganization, type Visitor } from '#test/support/browser/dashboard.ts'
import type { ProjectRow } from '#test/support/factories.ts'

const t = testDashboard()
const acme = testOrganization(t)
type Agent = Awaited<ReturnType<typeof t.create.agent>>
let project: ProjectRow

beforeEach(async () => {
  await t.db.delete(workers)
  await t.db.delete(agents)
  project = await t.create.project(await t.create.workspace(acme))
})

/** An agent whose last heartbeat was so long ago. */
async function seenAgo(seconds: number, given: Partial<typeof agents.$inferInsert> = {}): Promise<Agent> {
  const agent = await t.create.agent(given)
  const heartbeatAt = sql`now() - make_interval(secs => ${seconds})`
  await t.db.insert(workers).values({ id: uuidv7(), agentId: agent.id, poolId: 'p', host: 'h', pid: 1, heartbeatAt })
  return agent
}

/** An active service that names these agents. */
async function serviceOn(...named: Agent[]): Promise<typeof services.$inferSelect> {
  const service = await t.create.service(project, { script: '', isActive: true })
  const { id: serviceId, organizationId } = service
  const rows = named.map(({ id: agentId }) => ({ serviceId, organizationId, agentId }))
  if (rows.length > 0) await t.db.insert(serviceAgents).values(rows)
  return service
}

async function lost(input: unknown = {}, visitor: Visitor = acme.visitor): Promise<string[]> {
  const { data } = await visitor.get<LostAgent[]>('agents.lost', input)
  return data.map(({ slug }) => slug)
}

describe('agents.lost', () => {
  test('names the lost agents that the services of a resource need', async () => {
    const [oslo, porto] = [await seenAgo(200, { slug: 'oslo', label: 'Oslo' }), await seenAgo(100, { slug: 'porto' })]
    const [service, other] = [await serviceOn(oslo, porto), await serviceOn(porto)]
    const elsewhere = await t.create.project(await t.create.workspace(acme))
    const { data } = await acme.visitor.get<LostAgent[]>('agents.lost', { serviceId: service.id })
    expect(data).toEqual([{ slug: 'oslo', label: 'Oslo', lastSeenAt: expect.stringMatching(/Z$/) }])
    expect(await lost({ serviceId: other.id })).toEqual([])
    expect(await lost({ projectId: project.id })).toEqual(['oslo'])
    expect(await lost({ projectId: elsewhere.id })).toEqual([])
    expect(await lost({ workspaceId: project.workspaceId })).toEqual(['oslo'])
    expect(await lost({ workspaceId: elsewhere.workspaceId })).toEqual([])
    expect(await lost()).toEqual(['oslo'])
  })

  test('names an agent that services could do without, while they show what it saw in the last day', async () => {
    const [silent] = [await seenAgo(200, { slug: 'silent' }), await seenAgo(0)]
    const service = await serviceOn()
    const see = async (hoursAgo: number) => {
      const { id: serviceId, organizationId } = service
      const startedAt = new Date(Date.now() - hoursAgo * HOUR_MS)
      await t.db.delete(serviceAgentStates)
      await t.db.insert(serviceAgentStates).values({
        ...{ serviceId, organizationId, agentId: silent.id, startedAt, resultId: uuidv7(), agentSlug: 'silent' },
        ...{ status: 'success', statusSince: startedAt, serviceRuns: 1 },
      })
    }
    expect(await lost({ serviceId: service.id })).toEqual([])
    await see(23)
    expect(await lost({ serviceId: service.id })).toEqual(['silent'])
    await see(25)
    expect(await lost({ serviceId: service.id })).toEqual([])
  })

  test('names nothing for services that are off, or that the member cannot see', async () => {
    const agent = await seenAgo(200, { slug: 'oslo' })
    const service = await serviceOn(agent)
    const blind = await t.signIn(await t.create.member(acme))
    expect(await lost({}, blind)).toEqual([])
    expect(await lost({ serviceId: service.id }, blind)).toEqual([])
    const reader = await t.create.member(acme, { grants: [{ serviceId: service.id, level: 1 }] })
    expect(await lost({}, await t.signIn(reader))).toEqual(['oslo'])
    const stranger = await t.create.organization()
    expect(await lost({ serviceId: service.id }, await t.signIn(stranger.owner))).toEqual([])
    await t.db.update(services).set({ isActive: false })
    expect(await lost()).toEqual([])
  })

  test('takes at most one resource', async () => {
    const answer = await acme.visitor.get('agents.lost', { projectId: project.id, workspaceId: project.workspaceId })
    expect(answer).toMatchObject({ status: 400 })
    expect(await acme.visitor.get('agents.lost', { serviceId: 'x' })).toMatchObject({ status: 400 })
  })
})

describe('organization.agents.events', () => {
  const createEvent = async (kind: EventKind, given: Partial<typeof alertEvents.$inferInsert> = {}) => {
    const id = uuidv7()
    const payload = { agent: { id, slug: 'oslo', label: 'Oslo' }, services: { total: 2, names: [] } }
    await t.db.insert(alertEvents).values({ id, organizationId: acme.id, agentId: id, kind, payload, ...given })
    return id
  }

  test('lists the events of agents, newest first, with their messages; none of services and other organizations', async () => {
    const lost = await createEvent('agent.lost', { createdAt: new Date(Date.now() - HOUR_MS) })
    const back = await createEvent('agent.back')
    await createEvent('service.failed', { serviceId: uuidv7(), agentId: null })
    await createEvent('agent.lost', { organizationId: uuidv7() })
    await t.db.insert(alertMessages).values({
      ...{ id: uuidv7(), organizationId: acme.id, eventId: lost, channel: 'email', heardThrough: [] },
      ...{ membershipId: acme.owner.membershipId, state: 'suppressed', reason: 'a silence' },
    })
    const page = await acme.visitor.get('organization.agents.events', { pageSize: 1 })
    expect(page.data).toMatchObject({ total: 2, items: [{ id: back, kind: 'agent.back', messages: [] }] })
    const second = await acme.visitor.get('organization.agents.events', { page: 2, pageSize: 1 })
    expect(second.data).toMatchObject({
      total: 2,
      items: [
        {
          ...{ id: lost, kind: 'agent.lost', summary: expect.stringContaining('Oslo'), messagesTotal: 1 },
          messages: [{ channel: 'email', state: 'suppressed', reason: 'a silence' }],
        },
      ],
    })
  })

  test('insufficient_permissions without read on Settings, except for members who may enrol agents', async () => {
    const enroller = await t.signIn(await t.create.member(acme, { sections: { workspaces: 'write' } }))
    expect((await enroller.get('organization.agents.events', {})).code).toBeUndefined()
    const blind = await t.signIn(await t.create.member(acme, { sections: { workspaces: 'read' } }))
    expect(await blind.get('organization.agents.events', {})).toMatchObject({ code: 'insufficient_permissions' })
  })
})

test('the page of agents shows when a stopped agent was last seen, and that it is lost', async () => {
  const agent = await t.create.agent({ slug: 'gone', lastSeenAt: new Date('2026-11-01T00:00:00Z') })
  const stateOf = async () => {
    const { data } = await acme.visitor.get<AgentState[]>('organization.agents.list')
    return data.find(({ slug }) => slug === 'gone')
  }
  expect(await stateOf()).toMatchObject({ isLost: false, processes: [], lastSeenAt: '2026-11-01T00:00:00.000Z' })
  await t.db.insert(lostAgents).values({ organizationId: acme.id, agentId: agent.id, lostAt: new Date() })
  expect(await stateOf()).toMatchObject({ isLost: true })
})
