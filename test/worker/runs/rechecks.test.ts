import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { alertEvents } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const database = probedDatabase()
const { start: startWorker } = testWorkers(database.url)
let target: HttpTarget
/** The statuses of the next responses; 200 after them. */
let statuses: number[] = []

beforeAll(async () => {
  target = await startHttpTarget((_, response) => {
    response.writeHead(statuses.shift() ?? 200).end()
  })
  for (const AGENT_SLUG of ['oslo', 'porto']) await startWorker({ AGENT_SLUG, WORKER_CONCURRENCY: '2' })
})
beforeEach(() => {
  statuses = []
})
afterAll(() => target.close())

/** A service whose failures are rechecked after so many seconds. */
const newService = (recheckSeconds: number, method = 'get') =>
  database.createProbedService(
    `${method}("http://127.0.0.1:${target.port}/").expect(status: 200)`,
    {},
    1,
    recheckSeconds,
  )

/** Makes the service due, and waits for so many results and no open run. */
async function run(service: ProbedService, count: number) {
  await database.makeDue(service)
  return resultsOf(service, count)
}

const resultsOf = (service: ProbedService, count: number) =>
  until(`${count} results`, async () => {
    const isOpen = (await database.runsOf(service)).some(({ state }) => state !== 'done')
    const found = await database.resultsOf(service)
    return !isOpen && found.length >= count && found
  })

const waitingRecheck = (service: ProbedService) =>
  until('the recheck to wait', async () =>
    (await database.runsOf(service)).find(({ state }) => state === 'waiting_recheck'),
  )

const kindsOf = async ({ id }: ProbedService) =>
  (await database.db.select().from(alertEvents).where(eq(alertEvents.serviceId, id))).map(({ kind }) => kind)

test('a failure that another agent does not see degrades the service, and tells nobody', async () => {
  const service = await newService(1)
  statuses = [500]
  const [first, recheck, ...more] = await run(service, 2)
  expect(more).toEqual([])
  expect(first).toMatchObject({ status: 'failure', cause: 'schedule', isUncounted: true, recheckedBy: recheck?.id })
  expect(recheck).toMatchObject({ status: 'success', cause: 'confirmation', recheckOf: first?.id })
  expect(recheck?.agentSlug).not.toBe(first?.agentSlug)
  const apartMs = (recheck?.startedAt.getTime() ?? 0) - (first?.startedAt.getTime() ?? 0)
  expect(apartMs).toBeGreaterThanOrEqual(1_000)
  expect(await kindsOf(service)).toEqual([])
  const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
  expect(state).toMatchObject({ lastStatus: 'success', probesTotal: 1 })
  expect(state?.degradation?.summary).toContain(`(fails from ${first?.agentSlug} only)`)
})

test('a run that a caller asked for is answered as it was', async () => {
  const service = await newService(1)
  statuses = [500]
  await database.requestRunOf(service)
  expect(await resultsOf(service, 1)).toMatchObject([{ status: 'failure', isUncounted: null, recheckOf: null }])
  expect(await kindsOf(service)).toEqual(['service.failed'])
})

test('a script that sends POST is not repeated', async () => {
  const service = await newService(1, 'post')
  statuses = [500]
  expect(await run(service, 1)).toMatchObject([{ status: 'failure', isUncounted: null, recheckedBy: null }])
  expect(await kindsOf(service)).toEqual(['service.failed'])
})

test('a failure whose recheck a maintenance stops counts', async () => {
  const service = await newService(300)
  statuses = [500]
  await database.makeDue(service)
  const { id } = await waitingRecheck(service)
  const { id: serviceId, organizationId } = service
  const [startsAt, endsAt] = [new Date(), new Date(Date.now() + 3_600_000)]
  const on = { id: uuidv7(), organizationId, serviceId, mode: 'skip' as const, startsAt, endsAt }
  await database.db.insert(maintenances).values({ ...on, createdBy: uuidv7(), createdName: 'Ada' })
  await database.db.update(runs).set({ rankAt: sql`now()` }).where(eq(runs.id, id))
  await until('the recheck to go', async () => (await database.db.$count(runs, eq(runs.id, id))) === 0)
  expect(await database.resultsOf(service)).toMatchObject([{ status: 'failure', isUncounted: null }])
  expect(await kindsOf(service)).toEqual(['service.failed'])
})

test('a slot that is due while the recheck waits makes it run at once, in its place', async () => {
  const service = await newService(300)
  statuses = [500]
  await database.makeDue(service)
  await waitingRecheck(service)
  const found = await run(service, 2)
  expect(found.map(({ cause, status }) => `${cause} ${status}`)).toEqual(['schedule failure', 'confirmation success'])
  // The slot after it has a run of its own.
  expect((await run(service, 3)).at(-1)).toMatchObject({ cause: 'schedule', status: 'success' })
})

test('a request makes the recheck run at once, and is answered after it', async () => {
  const service = await newService(300)
  statuses = [500]
  await database.makeDue(service)
  await waitingRecheck(service)
  await database.requestRunOf(service)
  const found = await resultsOf(service, 3)
  expect(found.map(({ cause }) => cause)).toEqual(['schedule', 'confirmation', 'request'])
})

test('a recheck of a service that is switched off is deleted', async () => {
  const service = await newService(300)
  statuses = [500]
  await database.makeDue(service)
  const { id } = await waitingRecheck(service)
  await database.db.update(services).set({ isActive: false }).where(eq(services.id, service.id))
  // Any work makes a worker look at what waits.
  await run(await newService(0), 1)
  await until('the recheck to go', async () => (await database.db.$count(runs, eq(runs.id, id))) === 0)
  expect(await database.resultsOf(service)).toHaveLength(1)
})
