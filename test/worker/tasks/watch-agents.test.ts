import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { asc, eq, inArray, sql } from '#db/drizzle.cjs'
import { alertEvents, lostAgents } from '#db/schema/alerts.ts'
import { agents, serviceAgents, services } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { jobByKey } from '#test/support/side-effects.ts'
import { deleteWorkers, removeWorker } from '#worker/heartbeat.ts'
import { watchAgents } from '#worker/tasks/watch-agents.ts'

const database = probedDatabase()
type Agent = Awaited<ReturnType<typeof database.create.agent>>

beforeEach(async () => {
  await database.db.delete(lostAgents)
  await database.db.delete(workers)
  await database.db.delete(agents)
  await database.db.update(services).set({ isActive: false })
})

const watch = (isTrusted = true) => watchAgents(database.db, () => isTrusted)

/** The agent's worker sent its last heartbeat so long ago. */
async function beat(agent: Agent, secondsAgo: number): Promise<string> {
  await database.db.delete(workers).where(eq(workers.agentId, agent.id))
  const heartbeatAt = sql`now() - make_interval(secs => ${secondsAgo})`
  const row = { id: uuidv7(), agentId: agent.id, poolId: uuidv7(), host: 'here', pid: 1, heartbeatAt }
  await database.db.insert(workers).values(row)
  return row.id
}

async function name(service: ProbedService, ...named: Agent[]): Promise<void> {
  const { id: serviceId, organizationId } = service
  await database.db
    .insert(serviceAgents)
    .values(named.map(({ id: agentId }) => ({ serviceId, organizationId, agentId })))
}

/** The kinds of the organization's events of agents, with the agent's slug. */
async function eventsOf({ organizationId }: { organizationId: string }): Promise<string[]> {
  const rows = await database.db
    .select()
    .from(alertEvents)
    .where(eq(alertEvents.organizationId, organizationId))
    .orderBy(asc(alertEvents.createdAt), asc(alertEvents.id))
  return rows.map(({ kind, payload }) => `${kind} ${(payload.agent as { slug: string }).slug}`)
}

describe('agent.lost', () => {
  test('is stored once when an agent that a service names is silent for three minutes, and agent.back on its return', async () => {
    const [agent, other] = [await database.create.agent({ slug: 'oslo', label: 'Oslo' }), await database.create.agent()]
    const service = await database.createProbedService('', { name: 'Checkout' })
    await name(service, agent, other)
    await beat(other, 0)
    await beat(agent, 179)
    await watch()
    expect(await eventsOf(service)).toEqual([])
    await beat(agent, 181)
    await watch()
    await watch()
    expect(await eventsOf(service)).toEqual(['agent.lost oslo'])
    const [event] = await database.db
      .select()
      .from(alertEvents)
      .where(eq(alertEvents.organizationId, service.organizationId))
    expect(event).toMatchObject({
      agentId: agent.id,
      serviceId: null,
      payload: {
        organization: { id: service.organizationId, name: expect.any(String) },
        agent: { id: agent.id, slug: 'oslo', label: 'Oslo' },
        lastSeenAt: expect.stringMatching(/Z$/),
        services: { total: 1, names: ['Checkout'] },
      },
    })
    const ageMs = Date.now() - Date.parse(event?.payload.lastSeenAt as string)
    expect(ageMs).toBeGreaterThanOrEqual(181_000)
    expect(ageMs).toBeLessThan(300_000)
    expect(await jobByKey(database.db, `notify:${event?.id}`)).toMatchObject({ task: 'notify' })

    await beat(agent, 1)
    await watch()
    await watch()
    expect(await eventsOf(service)).toEqual(['agent.lost oslo', 'agent.back oslo'])
    // Lost again.
    await beat(agent, 400)
    await watch()
    expect(await eventsOf(service)).toEqual(['agent.lost oslo', 'agent.back oslo', 'agent.lost oslo'])
  })

  test('and agent.back are stored once by many workers, one per organization', async () => {
    const agent = await database.create.agent({ slug: 'shared' })
    const used = [await database.createProbedService(''), await database.createProbedService('')]
    for (const service of used) await name(service, agent)
    const unrelated = await database.createProbedService('', { isActive: false })
    await name(unrelated, agent)
    for (let round = 0; round < 5; round++) {
      await beat(agent, 600)
      await Promise.all(Array.from({ length: 6 }, () => watch()))
      await beat(agent, 0)
      await Promise.all(Array.from({ length: 6 }, () => watch()))
    }
    const both = Array(5).fill(['agent.lost shared', 'agent.back shared']).flat()
    for (const service of used) expect(await eventsOf(service)).toEqual(both)
    expect(await eventsOf(unrelated)).toEqual([])
  })

  test('counts all active services that need the agent, and names the first five', async () => {
    const agent = await database.create.agent()
    const first = await database.createProbedService('', { name: 'c' })
    for (const given of ['a', 'b', 'd', 'e', 'f', 'g']) {
      const { projectId, organizationId } = first
      const one = await database.create.service(
        { id: projectId, organizationId },
        { name: given, script: '', isActive: given !== 'b' },
      )
      await name(one as ProbedService, agent)
    }
    await name(first, agent)
    await beat(agent, 600)
    await watch()
    const [event] = await database.db
      .select()
      .from(alertEvents)
      .where(eq(alertEvents.organizationId, first.organizationId))
    expect(event?.payload.services).toEqual({ total: 6, names: ['a', 'c', 'd', 'e', 'f'] })
  })

  describe('without named agents', () => {
    test('is not stored for an agent of the organization: it runs only services that name it', async () => {
      const service = await database.createProbedService('')
      const own = await database.create.agent({ slug: 'own', organizationId: service.organizationId })
      await beat(own, 600)
      await watch()
      expect(await eventsOf(service)).toEqual([])
      await name(service, own)
      await watch()
      expect(await eventsOf(service)).toEqual(['agent.lost own'])
    })

    test('is stored for a shared agent while only an agent of the organization is alive', async () => {
      const service = await database.createProbedService('')
      await beat(await database.create.agent({ organizationId: service.organizationId }), 0)
      await beat(await database.create.agent({ slug: 'alone' }), 600)
      await watch()
      expect(await eventsOf(service)).toEqual(['agent.lost alone'])
    })

    test('is not stored for a shared agent that only services use which name it', async () => {
      const service = await database.createProbedService('')
      const closed = await database.create.agent({ slug: 'closed', isOpen: false })
      const open = await database.create.agent({ slug: 'open' })
      await beat(closed, 600)
      await beat(open, 0)
      await watch()
      expect(await eventsOf(service)).toEqual([])
      // The closed one would not run the service: the open one is missed.
      await beat(closed, 0)
      await beat(open, 600)
      await watch()
      expect(await eventsOf(service)).toEqual(['agent.lost open'])
    })

    test('is stored for a shared agent only when no other is alive that could run the service', async () => {
      const service = await database.createProbedService('')
      const [one, two] = [await database.create.agent({ slug: 'one' }), await database.create.agent({ slug: 'two' })]
      const stranger = await database.createProbedService('', { isActive: false })
      await beat(await database.create.agent({ organizationId: stranger.organizationId }), 0)
      await beat(one, 600)
      await beat(two, 0)
      await watch()
      expect(await eventsOf(service)).toEqual([])
      await beat(two, 600)
      await watch()
      expect((await eventsOf(service)).toSorted()).toEqual(['agent.lost one', 'agent.lost two'])
      await beat(two, 0)
      await watch()
      expect((await eventsOf(service)).toSorted()).toEqual(['agent.back two', 'agent.lost one', 'agent.lost two'])
    })
  })

  test('is not stored for agents that are inactive, never started or not used', async () => {
    const service = await database.createProbedService('')
    const inactive = await database.create.agent({ slug: 'inactive', isActive: false })
    const never = await database.create.agent({ slug: 'never' })
    const unused = await database.create.agent({ slug: 'unused' })
    const used = await database.create.agent({ slug: 'used' })
    await name(service, inactive, never, used)
    await beat(used, 0)
    await beat(inactive, 600)
    await beat(unused, 600)
    await watch()
    expect(await eventsOf(service)).toEqual([])
  })

  test('is not followed by agent.back for an agent that was deactivated', async () => {
    const service = await database.createProbedService('')
    const agent = await database.create.agent({ slug: 'oslo' })
    await name(service, agent)
    await beat(agent, 600)
    await watch()
    await database.db.update(agents).set({ isActive: false }).where(eq(agents.id, agent.id))
    await watch()
    await beat(agent, 0)
    await database.db.update(agents).set({ isActive: true }).where(eq(agents.id, agent.id))
    await watch()
    expect(await eventsOf(service)).toEqual(['agent.lost oslo'])
  })

  test('is not stored by a worker that cannot tell a dead agent from a database that was away', async () => {
    const service = await database.createProbedService('')
    const agent = await database.create.agent()
    await name(service, agent)
    await beat(agent, 600)
    await watch(false)
    expect(await eventsOf(service)).toEqual([])
    await watch(true)
    expect(await eventsOf(service)).toHaveLength(1)
  })

  test('uses the last heartbeat of workers whose rows are deleted, stopped or dead', async () => {
    const service = await database.createProbedService('')
    const [stopped, dead] = [await database.create.agent(), await database.create.agent()]
    await name(service, stopped, dead)
    await removeWorker(database.db, await beat(stopped, 100), [])
    const id = await beat(dead, 200)
    await deleteWorkers(database.db, sql`w.id = ${id}`)
    expect(await database.db.$count(workers)).toBe(0)
    await watch()
    expect(await eventsOf(service)).toEqual([`agent.lost ${dead.slug}`])
    const both = inArray(agents.id, [stopped.id, dead.id])
    for (const { lastSeenAt } of await database.db.select().from(agents).where(both)) {
      expect(lastSeenAt).toBeInstanceOf(Date)
    }
    // An older heartbeat does not replace a newer one.
    await removeWorker(database.db, await beat(stopped, 500), [])
    await watch()
    expect(await eventsOf(service)).toHaveLength(1)
  })
})
