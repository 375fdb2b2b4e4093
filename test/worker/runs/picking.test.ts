import { setImmediate as nextTurn } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import type { Db } from '#db/client.ts'
import { eq, inArray, type SQL, sql } from '#db/drizzle.cjs'
import { agentExclusions, type agents, services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { type FairQueue, slowAwareQueue } from '#server/fairness/fair-queue.ts'
import { brokenRun } from '#server/runs/record/finished-run.ts'
import { prepareRun } from '#server/runs/record/prepared-run.ts'
import { nextState } from '#server/runs/record/service-state.ts'
import { initialState } from '#test/support/runs/initial-state.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { sendHeartbeat } from '#worker/heartbeat.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'
import { createPicker } from '#worker/runs/picker.ts'
import { reapQueue } from '#worker/runs/reap.ts'

const database = probedDatabase()
const FIRST = '00000000-0000-0000-0000-000000000000'
const RUN = {
  ...{ id: FIRST, attempt: 1, organizationId: FIRST, serviceId: FIRST },
  ...{ agentId: FIRST, agentSlug: 'test' },
}
let agent: typeof agents.$inferSelect

// No worker takes the runs of this agent.
beforeEach(async () => {
  agent = await database.create.agent()
})

/** Creates an organization with `count` queued runs of as many services. */
async function queue(count: number, given: { isSlow?: boolean } = {}): Promise<string> {
  const project = await database.create.project(await database.create.workspace(await database.create.organization()))
  await database.db.execute(sql`
    with made as (
      insert into services (id, organization_id, project_id, name, script, is_active)
      select gen_random_uuid(), ${project.organizationId}, ${project.id}, 'Service ' || i, 'get("https://a.example/")', true
      from generate_series(1, ${count}::int) i returning id, organization_id)
    insert into runs (id, organization_id, service_id, agent_id, slot, cause, is_slow)
    select gen_random_uuid(), organization_id, id, ${agent.id}, now(), 'schedule', ${given.isSlow ?? false} from made`)
  return project.organizationId
}

function pickerOf(permits: FairQueue, db = database.db) {
  const worker = { id: uuidv7(), agentId: agent.id, agentSlug: agent.slug, leaseSeconds: 30 }
  const ends: ((isOver: boolean) => void)[] = []
  const picker = createPicker({
    db,
    worker,
    permits,
    admit: () => permits.free,
    perform: () => new Promise((resolve) => ends.push(resolve)),
    onDropped: () => {},
    onPermitFree: () => {},
  })
  const endAll = async (areOver = true) => {
    for (const end of ends.splice(0)) end(areOver)
    // The permits are released a moment later.
    await nextTurn()
  }
  return { ...picker, endAll }
}

/** A database that loses the responses to claims while it is lossy. */
function lossyDatabase() {
  const lossy = { isLossy: false, db: null as unknown as Db }
  const execute = async (statement: SQL) => {
    const rows = await database.db.execute(statement)
    if (lossy.isLossy && rows.some((row) => 'attempt' in row)) throw new Error('the connection broke')
    return rows
  }
  lossy.db = { execute } as unknown as Db
  return lossy
}

const running = (organizationId: string) =>
  database.db.$count(runs, sql`${runs.organizationId} = ${organizationId} and ${runs.state} = 'running'`)

test('an organization with a hundred times its share leaves permits to the others', async () => {
  const [greedy, modest] = [await queue(500), await queue(3)]
  const permits = slowAwareQueue(10)
  const { pick, endAll } = pickerOf(permits)
  await pick()
  expect([await running(greedy), await running(modest)]).toEqual([5, 3])
  // An organization that comes later gets a permit at once.
  const late = await queue(1)
  await pick()
  expect(await running(late)).toBe(1)
  await endAll()
  await pick()
  expect(await running(greedy)).toBe(5 + 7)
})

test('hanging services leave permits to the fast services of their organization', async () => {
  const organization = await queue(200, { isSlow: true })
  const permits = slowAwareQueue(20)
  const { pick } = pickerOf(permits)
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
  expect(await database.runsOf(good)).toMatchObject([{ state: 'running' }])
})

test('a run is picked again when the database was away while it was to be executed', async () => {
  const organization = await queue(1)
  const { pick, endAll } = pickerOf(slowAwareQueue(10))
  await pick()
  await endAll(false)
  await pick()
  const attempts = await database.db
    .select({ state: runs.state, attempt: runs.attempt })
    .from(runs)
    .where(eq(runs.organizationId, organization))
  expect(attempts).toEqual([{ state: 'running', attempt: 2 }])
})

test('all queued runs are picked as permits become free', async () => {
  const organizations = await Promise.all(Array.from({ length: 70 }, () => queue(2)))
  const permits = slowAwareQueue(30)
  const { pick, endAll } = pickerOf(permits)
  for (let tick = 0; tick < 20; tick++) {
    await pick()
    await endAll()
  }
  const left = await database.db.$count(
    runs,
    sql`${inArray(runs.organizationId, organizations)} and ${runs.state} = 'queued'`,
  )
  expect(left).toBe(0)
})

test('the next tick takes runs whose claim got no response, and does not take runs in flight', async () => {
  const earlier = await queue(1)
  const lossy = lossyDatabase()
  const { pick } = pickerOf(slowAwareQueue(10), lossy.db)
  await pick()
  const organization = await queue(2)
  lossy.isLossy = true
  await expect(pick()).rejects.toThrow('the connection broke')
  lossy.isLossy = false
  await pick()
  await pick()
  const found = await database.db
    .select({ state: runs.state, attempt: runs.attempt })
    .from(runs)
    .where(inArray(runs.organizationId, [earlier, organization]))
    .orderBy(runs.attempt)
  expect(found.map(({ state, attempt }) => `${state} ${attempt}`)).toEqual(['running 1', 'running 2', 'running 2'])
})

test('unconfirmed claims are queued again when the worker stops', async () => {
  const lossy = lossyDatabase()
  const { pick, drain } = pickerOf(slowAwareQueue(10), lossy.db)
  const organization = await queue(2)
  lossy.isLossy = true
  await expect(pick()).rejects.toThrow('the connection broke')
  expect(await running(organization)).toBe(2)
  await drain()
  expect(await running(organization)).toBe(0)
})

test('runs of an organization that switched the agent off for itself are left, and moved to another agent', async () => {
  const [excluding, other] = [await queue(2), await queue(1)]
  await database.db.insert(agentExclusions).values({ organizationId: excluding, agentId: agent.id })
  await sendHeartbeat(database.db, { id: uuidv7(), agentId: agent.id, poolIds: ['test'], lastTaken: null })
  const { pick } = pickerOf(slowAwareQueue(10))
  await pick()
  expect([await running(excluding), await running(other)]).toEqual([0, 1])

  const ofExcluding = eq(runs.organizationId, excluding)
  // Scheduled runs that waited this long would be skipped.
  await database.db.update(runs).set({ cause: 'request', createdAt: sql`now() - interval '1 day'` }).where(ofExcluding)
  const alive = await database.create.agent()
  await sendHeartbeat(database.db, { id: uuidv7(), agentId: alive.id, poolIds: ['test'], lastTaken: null })
  await reapQueue(database.db, { variablesMax: 100 }, () => true)
  const moved = await database.db.select().from(runs).where(ofExcluding)
  expect(moved.map(({ state }) => state)).toEqual(['queued', 'queued'])
  expect(moved.map(({ agentId }) => agentId)).not.toContain(agent.id)
})

test('a scheduled run ranks later by the recent run duration of its service, and requested runs rank first', async () => {
  await sendHeartbeat(database.db, { id: uuidv7(), agentId: agent.id, poolIds: ['test'], lastTaken: null })
  const [hanging, good, requested] = await Promise.all(
    Array.from({ length: 3 }, () => database.createProbedService('get("https://a.example/")')),
  )
  await database.db.insert(serviceStates).values({
    ...initialState({ serviceId: hanging!.id, organizationId: hanging!.organizationId }),
    meanRunMs: 30_000,
  })
  await database.makeDue(hanging!, good!)
  await dispatchDue(database.db, { variablesMax: 100 }, () => true)
  await database.requestRunOf(requested!)
  const of = async (service: { id: string }) => (await database.runsOf(service))[0]!
  const [slowRun, goodRun, requestedRun] = await Promise.all([of(hanging!), of(good!), of(requested!)])
  expect([slowRun.isSlow, goodRun.isSlow, requestedRun.isSlow]).toEqual([true, false, false])
  expect(slowRun.rankAt.getTime() - goodRun.rankAt.getTime()).toBe(30_000)
  expect(requestedRun.rankAt.getTime()).toBeLessThan(goodRun.rankAt.getTime() - 300_000)
})

test('waits for a connection to a host do not make a service slow', () => {
  const own = { confirmFailures: 1, confirmRecoveries: 1, recheckSeconds: 0, recheckWrites: false }
  const settings = { ...own, probeMode: 'random' as const, alertOnRecovery: true }
  const agents = { byId: new Map(), living: [], skipped: new Set<string>() }
  const startedAt = new Date()
  const after = (runDurationMs: number, waitedMs: number, meanRunMs = 0) => {
    const run = brokenRun(RUN, startedAt, new Date(startedAt.getTime() + runDurationMs), 'timeout', 'test')
    const prepared = prepareRun({ ...run, waitedMs })
    return nextState({ ...initialState(RUN), meanRunMs }, prepared, settings, agents).state.meanRunMs
  }
  expect(after(30_000, 0)).toBe(15_000)
  expect(after(30_000, 29_900)).toBe(50)
  expect(after(100, 0, 15_000)).toBe(7_550)
})
