import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import type { Db } from '#db/client.ts'
import { type agents, services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { testDatabase } from '#test/support/database.ts'
import { createAgent, createOrganization, createProject, createWorkspace } from '#test/support/factories.ts'
import { createProbedService, makeDue, requestRunOf, runsOf } from '#test/support/runs/probed.ts'
import { FairPermits } from '#worker/fairness/fair-permits.ts'
import { sendHeartbeat } from '#worker/heartbeat.ts'
import { findQueuedRuns, queuedRunsStatement } from '#worker/leases.ts'
import { brokenRun } from '#worker/record/finished-run.ts'
import { initialState, nextState } from '#worker/record/service-state.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'
import { createPicker } from '#worker/runs/picker.ts'

const database = testDatabase()
const FIRST = '00000000-0000-0000-0000-000000000000'
const RUN = {
  ...{ id: FIRST, attempt: 1, organizationId: FIRST, serviceId: FIRST },
  ...{ agentId: FIRST, agentSlug: 'test' },
}
let agent: typeof agents.$inferSelect

// Runs stay in the queue of the agent they were given to.
beforeEach(async () => {
  agent = await createAgent(database.db)
})

/** An organization with `count` queued runs, each of a service of its own. */
async function queue(count: number, given: { isSlow?: boolean } = {}): Promise<string> {
  const project = await createProject(
    database.db,
    await createWorkspace(database.db, await createOrganization(database.db)),
  )
  await database.db.execute(sql`
    with made as (
      insert into services (id, organization_id, project_id, name, script, is_active)
      select gen_random_uuid(), ${project.organizationId}, ${project.id}, 'Service ' || i, 'get("https://a.example/")', true
      from generate_series(1, ${count}::int) i returning id, organization_id)
    insert into runs (id, organization_id, service_id, agent_id, slot, cause, is_slow)
    select gen_random_uuid(), organization_id, id, ${agent.id}, now(), 'schedule', ${given.isSlow ?? false} from made`)
  return project.organizationId
}

function pickerOf(permits: FairPermits, db = database.db) {
  const worker = { id: uuidv7(), agentId: agent.id, agentSlug: agent.slug, leaseSeconds: 30 }
  const ends: (() => void)[] = []
  const picker = createPicker({
    db,
    worker,
    permits,
    admit: () => permits.free,
    perform: () => new Promise((resolve) => ends.push(resolve)),
    onDropped: () => {},
    onPermitFree: () => {},
  })
  const endAll = async () => {
    for (const end of ends.splice(0)) end()
    // The permits are free a moment later.
    await nextTurn()
  }
  return { ...picker, endAll }
}

const running = (organizationId: string) =>
  database.db.$count(runs, sql`${runs.organizationId} = ${organizationId} and ${runs.state} = 'running'`)

test('an organization with a hundred times its share keeps no other from its slots', async () => {
  const [greedy, modest] = [await queue(500), await queue(3)]
  const slots = new FairPermits(10)
  const { pick, endAll } = pickerOf(slots)
  await pick()
  expect([await running(greedy), await running(modest)]).toEqual([5, 3])
  // One that comes when all this is going on has its slot at once.
  const late = await queue(1)
  await pick()
  expect(await running(late)).toBe(1)
  await endAll()
  await pick()
  expect(await running(greedy)).toBe(5 + 7)
})

test('hanging services keep none of the good ones of their organization from theirs', async () => {
  const organization = await queue(200, { isSlow: true })
  const slots = new FairPermits(20)
  const { pick } = pickerOf(slots)
  await pick()
  expect(await running(organization)).toBe(10)
  const [{ projectId = '' } = {}] = await database.db
    .select({ projectId: services.projectId })
    .from(services)
    .where(eq(services.organizationId, organization))
  const good = { id: uuidv7(), organizationId: organization, projectId, name: 'good', script: '', isActive: true }
  await database.db.insert(services).values(good)
  await database.db.insert(runs).values({
    ...{ id: uuidv7(), organizationId: organization, serviceId: good.id, agentId: agent.id },
    ...{ slot: new Date(), cause: 'schedule' as const },
  })
  await pick()
  expect(await runsOf(database.db, good)).toMatchObject([{ state: 'running' }])
})

test('all that is queued is picked as slots become free, whoever waits behind whom', async () => {
  const organizations = await Promise.all(Array.from({ length: 70 }, () => queue(2)))
  const slots = new FairPermits(30)
  const { pick, endAll } = pickerOf(slots)
  for (let turn = 0; turn < 20; turn++) {
    await pick()
    await endAll()
  }
  const left = await database.db.$count(
    runs,
    sql`${inArray(runs.organizationId, organizations)} and ${runs.state} = 'queued'`,
  )
  expect(left).toBe(0)
})

test('runs that were claimed, but for the answer, are taken by the next turn; those in hand are left alone', async () => {
  const earlier = await queue(1)
  let isLossy = false
  const execute = async (statement: SQL) => {
    const rows = await database.db.execute(statement)
    if (isLossy && rows.some((row) => 'attempt' in row)) throw new Error('the connection broke')
    return rows
  }
  const { pick } = pickerOf(new FairPermits(10), { execute } as unknown as Db)
  await pick()
  const organization = await queue(2)
  isLossy = true
  await expect(pick()).rejects.toThrow('the connection broke')
  isLossy = false
  await pick()
  await pick()
  const found = await database.db
    .select({ state: runs.state, attempt: runs.attempt })
    .from(runs)
    .where(inArray(runs.organizationId, [earlier, organization]))
    .orderBy(runs.attempt)
  expect(found.map(({ state, attempt }) => `${state} ${attempt}`)).toEqual(['running 1', 'running 2', 'running 2'])
})

test('what is looked at is bounded, however many runs are queued', async () => {
  await Promise.all([queue(10_000), queue(10_000, { isSlow: true })])
  await database.db.execute(sql`analyze runs`)
  expect((await findQueuedRuns(database.db, agent.id, FIRST)).runs).toHaveLength(64)
  const [row] = await database.db.execute<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    sql`explain (analyze, buffers, format json) ${queuedRunsStatement(agent.id, FIRST)}`,
  )
  const plan = row!['QUERY PLAN'][0].Plan
  expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(300)
})

test('a run by schedule goes behind by as long as its service took lately, and a requested one before all', async () => {
  await sendHeartbeat(database.db, { id: uuidv7(), agentId: agent.id, poolIds: ['test'], lastTaken: null })
  const [hanging, good, requested] = await Promise.all(
    Array.from({ length: 3 }, () => createProbedService(database.db, 'get("https://a.example/")')),
  )
  await database.db.insert(serviceStates).values({
    ...initialState({ serviceId: hanging!.id, organizationId: hanging!.organizationId }),
    slotMs: 30_000,
  })
  await makeDue(database.db, hanging!, good!)
  await dispatchDue(database.db, { variablesMax: 100 }, () => true)
  await requestRunOf(database.db, requested!)
  const of = async (service: { id: string }) => (await runsOf(database.db, service))[0]!
  const [slowRun, goodRun, requestedRun] = await Promise.all([of(hanging!), of(good!), of(requested!)])
  expect([slowRun.isSlow, goodRun.isSlow, requestedRun.isSlow]).toEqual([true, false, false])
  expect(slowRun.rankAt.getTime() - goodRun.rankAt.getTime()).toBe(30_000)
  expect(requestedRun.rankAt.getTime()).toBeLessThan(goodRun.rankAt.getTime() - 300_000)
})

test('a service is as slow as its runs were, but for their waits for a turn', () => {
  const settings = { confirmFailures: 1, alertOnRecovery: true }
  const startedAt = new Date()
  const after = (runDurationMs: number, waitedMs: number, slotMs = 0) => {
    const run = brokenRun(RUN, startedAt, new Date(startedAt.getTime() + runDurationMs), 'timeout', 'test')
    return nextState({ ...initialState(RUN), slotMs }, { ...run, waitedMs }, settings).state.slotMs
  }
  expect(after(30_000, 0)).toBe(15_000)
  expect(after(30_000, 29_900)).toBe(50)
  expect(after(100, 0, 15_000)).toBe(7_550)
})
