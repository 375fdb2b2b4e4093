import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eq, inArray, sql } from '#db/drizzle.cjs'
import { agentExclusions, agents, serviceAgents } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { runs, workers } from '#db/schema/runs.ts'
import type { createProbedService, ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const database = probedDatabase()
const { start: startWorker } = testWorkers(database.url)
const SLUGS = ['oslo', 'porto', 'quito']
let target: HttpTarget
let ids: Map<string, string>

beforeAll(async () => {
  target = await startHttpTarget((request, response) => response.writeHead(request.url === '/down' ? 500 : 200).end())
  await Promise.all(SLUGS.map((AGENT_SLUG) => startWorker({ AGENT_SLUG, WORKER_CONCURRENCY: '3' })))
  const rows = await database.db.select().from(agents).where(inArray(agents.slug, SLUGS))
  ids = new Map(rows.map((row) => [row.slug, row.id]))
})
afterAll(() => target.close())

type Given = Parameters<typeof createProbedService>[2]

const newService = (given: Given, path = '', confirmFailures = 1) =>
  database.createProbedService(
    `get("http://127.0.0.1:${target.port}${path}").expect(status: 200)`,
    given,
    confirmFailures,
  )

async function nameAgents(service: ProbedService, ...slugs: string[]): Promise<void> {
  const { id: serviceId, organizationId } = service
  await database.db
    .insert(serviceAgents)
    .values(slugs.map((slug) => ({ serviceId, organizationId, agentId: ids.get(slug) as string })))
}

/** Makes the service due several times, one after another, and returns the agents of its results in order. */
async function dueTimes(service: ProbedService, times: number, perTime = 1): Promise<string[]> {
  for (let i = 1; i <= times; i++) {
    await database.makeDue(service)
    await until('the results', async () => {
      const open = (await database.runsOf(service)).some((run) => run.state !== 'done')
      return !open && (await database.resultsOf(service)).length >= i * perTime
    })
  }
  return (await database.resultsOf(service)).map((result) => result.agentSlug)
}

test('a worker with a new slug creates its agent, which all organizations share', async () => {
  const rows = await database.db.select().from(agents).where(inArray(agents.slug, SLUGS))
  expect(rows).toMatchObject(SLUGS.map(() => ({ isActive: true, organizationId: null })))
})

test('a worker takes the shared agent of its slug, and none of an organization', async () => {
  const { organizationId } = await newService({})
  const own = await database.create.agent({ slug: 'riga', organizationId, isRemote: true })
  await startWorker({ AGENT_SLUG: 'riga' })
  const rows = await database.db.select().from(agents).where(eq(agents.slug, 'riga'))
  expect(rows.map((row) => row.organizationId).toSorted()).toEqual([organizationId, null])
  expect(await database.db.$count(workers, eq(workers.agentId, own.id))).toBe(0)
  const [shared] = rows.filter((row) => row.organizationId === null)
  await database.db
    .update(agents)
    .set({ isActive: false })
    .where(eq(agents.id, shared?.id ?? ''))
})

test('a queued run of an agent of the organization moves when its service does not name the agent any more', async () => {
  const service = await newService({})
  const own = await database.create.agent({ organizationId: service.organizationId })
  const { runId } = await database.requestRunOf(service)
  await database.db
    .update(runs)
    .set({ agentId: own.id, state: 'queued', createdAt: sql`now() - interval '10 seconds'` })
    .where(eq(runs.id, runId))
  await database.db
    .insert(workers)
    .values({ id: uuidv7(), agentId: own.id, poolId: '', host: 'h', pid: 1, kind: 'agent' })
  await until('the result', async () => (await database.resultsOf(service)).length > 0)
  expect(SLUGS).toContain((await database.resultsOf(service))[0]?.agentSlug)
})

test('`consecutive` rotates through the agents', async () => {
  const service = await newService({ probeMode: 'consecutive' })
  const order = await dueTimes(service, 4)
  expect(new Set(order.slice(0, 3))).toEqual(new Set(SLUGS))
  expect(order).toEqual([...order.slice(0, 3), order[0]])
})

test('`simultaneous` runs on all agents, also on request', async () => {
  const service = await newService({ probeMode: 'simultaneous' })
  expect(new Set(await dueTimes(service, 1, 3))).toEqual(new Set(SLUGS))
  expect(new Set((await database.runsOf(service)).map((run) => run.slot.getTime())).size).toBe(1)
  await database.requestRunOf(service)
  await until('three more results', async () => (await database.resultsOf(service)).length === 6)
})

test('inactive agents and agents of another organization are not used', async () => {
  const stranger = await newService({})
  const foreign = await database.create.agent({ organizationId: stranger.organizationId })
  const service = await newService({ probeMode: 'simultaneous' })
  await nameAgents(service, 'oslo', 'porto')
  await database.db
    .insert(serviceAgents)
    .values({ serviceId: service.id, organizationId: service.organizationId, agentId: foreign.id })
  await database.db.update(agents).set({ isActive: false }).where(eq(agents.slug, 'porto'))
  await dueTimes(service, 1, 2)
  await database.db.update(agents).set({ isActive: true }).where(eq(agents.slug, 'porto'))
  expect(await partsOf(service)).toEqual({
    oslo: ['success', null],
    porto: ['skipped', 'the agent porto was switched off'],
  })
})

/** The status and the summary of each agent's result. */
async function partsOf(service: ProbedService) {
  const found = await database.resultsOf(service)
  return Object.fromEntries(found.map(({ agentSlug, status, summary }) => [agentSlug, [status, summary]]))
}

test('with `simultaneous` a dead named agent gets a skipped result', async () => {
  const dead = await database.create.agent()
  const service = await newService({ probeMode: 'simultaneous' })
  await nameAgents(service, 'oslo')
  await database.db
    .insert(serviceAgents)
    .values({ serviceId: service.id, organizationId: service.organizationId, agentId: dead.id })
  await dueTimes(service, 1, 2)
  const skipped = ['skipped', `the agent ${dead.slug} was not connected`]
  expect(await partsOf(service)).toEqual({ oslo: ['success', null], [dead.slug]: skipped })
})

test('a requested run on all agents waits a moment for a dead one, and records its part as skipped', async () => {
  const dead = await database.create.agent()
  const service = await newService({ probeMode: 'simultaneous' })
  const { id: serviceId, organizationId } = service
  await nameAgents(service, 'oslo', 'porto')
  await database.db.insert(serviceAgents).values({ serviceId, organizationId, agentId: dead.id })
  await database.db.insert(agentExclusions).values({ organizationId, agentId: ids.get('porto') as string })
  const { runId } = await database.requestRunOf(service)
  await until('the other parts', async () => (await database.resultsOf(service)).length === 2)
  expect((await database.runsOf(service)).filter(({ state }) => state !== 'done')).toMatchObject([
    { agentId: dead.id, state: 'queued' },
  ])
  await database.db
    .update(runs)
    .set({ createdAt: sql`now() - interval '31 seconds'` })
    .where(eq(runs.serviceId, service.id))
  await until('the skipped part', async () => (await database.resultsOf(service)).length === 3)
  expect(await partsOf(service)).toEqual({
    oslo: ['success', null],
    porto: ['skipped', 'the agent porto was switched off'],
    [dead.slug]: ['skipped', `the agent ${dead.slug} was not connected`],
  })
  expect(new Set((await database.resultsOf(service)).map((result) => result.runId))).toEqual(new Set([runId]))
  // A skipped part counts neither as a success nor as a failure.
  expect(await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))).toMatchObject([
    { lastStatus: 'success', probesTotal: 1 },
  ])
})

test('`random` takes one agent per slot, another one while a failure waits for confirmation', async () => {
  const service = await newService({ probeMode: 'random' }, '/down', 10)
  await nameAgents(service, 'oslo', 'porto')
  const order = await dueTimes(service, 6)
  expect(order).toHaveLength(6)
  expect(order.every((slug, i) => i === 0 || slug !== order[i - 1])).toBe(true)
})

test('a service runs only on the agents that it names, and `prev` is kept for each', async () => {
  const script = `get("http://127.0.0.1:${target.port}/").assert({ check: [prev eq null] }).store({ "$$x": 1 })`
  const service = await database.createProbedService(script, { probeMode: 'consecutive' })
  await nameAgents(service, 'oslo', 'porto')
  const order = await dueTimes(service, 4)
  expect(new Set(order)).toEqual(new Set(['oslo', 'porto']))
  const seen = (await database.resultsOf(service)).flatMap((result) =>
    result.steps.flatMap((step) => (step.assertionResults as { outcome: string }[]).map((one) => one.outcome)),
  )
  expect(seen).toEqual(['passed', 'passed', 'failed', 'failed'])
})
