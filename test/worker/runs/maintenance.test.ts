import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { alertEvents, certificates, incidents } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { projects } from '#db/schema/resources.ts'
import { results, runHours, serviceAgentStates, serviceStates, versionRuns } from '#db/schema/results.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import { MINUTE_MS } from '#server/durations.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Maintenances through a real worker and a real target.

const database = probedDatabase()
const { start: startWorker } = testWorkers(database.url)
let target: HttpTarget
let status = 200
let asked = 0

beforeAll(async () => {
  target = await startHttpTarget((_, response) => {
    asked++
    response.writeHead(status).end()
  })
  await startWorker()
})
afterAll(() => target.close())

async function newService(given: Parameters<typeof database.createProbedService>[1] = {}): Promise<ProbedService> {
  status = 200
  return database.createProbedService(`get("http://127.0.0.1:${target.port}/").expect(status: 200)`, given)
}

/** The times of a run are by the clock of the database, which a busy machine measures less exactly. */
const CLOCKS_APART_MS = 1_000

type Given = Partial<typeof maintenances.$inferInsert>

/** Starts a maintenance of a service, or of what `given` names. */
async function start({ id, organizationId }: ProbedService, given: Given = {}): Promise<string> {
  const row = {
    id: uuidv7(),
    organizationId,
    ...(given.projectId || given.workspaceId ? {} : { serviceId: id }),
    mode: 'mute' as const,
    startsAt: new Date(Date.now() - 1_000),
    endsAt: new Date(Date.now() + 60 * MINUTE_MS),
    createdBy: uuidv7(),
    createdName: 'Ada',
    ...given,
  }
  await database.db.insert(maintenances).values(row)
  return row.id
}

const end = (id: string) => database.db.update(maintenances).set({ endsAt: new Date() }).where(eq(maintenances.id, id))

/** Makes the service due, and returns the result of that run. */
async function runDue(service: ProbedService) {
  const before = (await database.resultsOf(service)).length
  await database.makeDue(service)
  return until('a result', async () => (await database.resultsOf(service))[before])
}

async function runRequested(service: ProbedService) {
  const { runId } = await database.requestRunOf(service)
  return until('the result of a request', async () => {
    const [result] = await database.db.select().from(results).where(eq(results.runId, runId))
    return result
  })
}

/** Everything that a run which counts changes. */
async function countsOf({ id }: ProbedService) {
  const tables = [serviceStates, serviceAgentStates, runHours, versionRuns, incidents, alertEvents, certificates]
  return Promise.all(tables.map((table) => database.db.select().from(table).where(eq(table.serviceId, id))))
}

const incidentsOf = ({ id }: ProbedService) => database.db.select().from(incidents).where(eq(incidents.serviceId, id))
const eventsOf = async ({ id }: ProbedService) =>
  (
    await database.db.select().from(alertEvents).where(eq(alertEvents.serviceId, id)).orderBy(alertEvents.createdAt)
  ).map(({ kind }) => kind)

describe('mute', () => {
  test('runs go on, count for nothing and open no incident; what still fails after the end is one', async () => {
    const service = await newService()
    expect(await runDue(service)).toMatchObject({ status: 'success', isUncounted: null, duringMaintenance: null })
    const before = await countsOf(service)
    status = 500
    const id = await start(service)
    for (const run of [runDue, runRequested, runDue]) {
      expect(await run(service)).toMatchObject({ status: 'failure', isUncounted: true, duringMaintenance: true })
    }
    expect(await countsOf(service)).toEqual(before)
    // The slots passed as they should: the service does not become unknown.
    const [schedule] = await database.db.select().from(schedules).where(eq(schedules.serviceId, service.id))
    expect(schedule?.expectedFrom.getTime()).toBeGreaterThan(Date.now() - MINUTE_MS)
    await end(id)
    expect(await runDue(service)).toMatchObject({ status: 'failure', isUncounted: null, duringMaintenance: null })
    expect(await runDue(service)).toMatchObject({ status: 'failure' })
    expect(await incidentsOf(service)).toHaveLength(1)
    expect(await eventsOf(service)).toEqual(['service.failed'])
  })

  test('an incident that was open goes on, also while the service passes', async () => {
    const service = await newService()
    status = 500
    await runDue(service)
    const id = await start(service)
    status = 200
    expect(await runDue(service)).toMatchObject({ status: 'success', duringMaintenance: true })
    expect(await incidentsOf(service)).toMatchObject([{ closedAt: null }])
    await end(id)
    await runDue(service)
    expect(await incidentsOf(service)).toMatchObject([{ closedAt: expect.any(Date) }])
    expect(await eventsOf(service)).toEqual(['service.failed', 'service.recovered'])
  })

  test('covers the services of a project or workspace, with a label only those', async () => {
    const service = await newService({ labels: ['eu', 'production'] })
    const { projectId } = service
    const [project] = await database.db.select().from(projects).where(eq(projects.id, projectId))
    const scopes: [Given, boolean][] = [
      [{ projectId }, true],
      [{ workspaceId: project?.workspaceId as string }, true],
      [{ projectId, label: 'production' }, true],
      [{ projectId, label: 'test' }, false],
      [{ startsAt: new Date(Date.now() + 60 * MINUTE_MS), endsAt: new Date(Date.now() + 90 * MINUTE_MS) }, false],
    ]
    for (const [given, isCovered] of scopes) {
      const id = await start(service, given)
      expect((await runDue(service)).duringMaintenance, JSON.stringify(given)).toBe(isCovered || null)
      await database.db.delete(maintenances).where(eq(maintenances.id, id))
    }
  })

  test('a run that began before it, or ends after it, does not count either', async () => {
    const held = Promise.withResolvers<() => void>()
    const slow = await startHttpTarget((_, response) => held.resolve(() => response.writeHead(500).end()))
    const service = await database.createProbedService(`get("http://127.0.0.1:${slow.port}/").expect(status: 200)`)
    const running = runDue(service)
    const answer = await held.promise
    await sleep(CLOCKS_APART_MS)
    const id = await start(service, { startsAt: new Date(), endsAt: new Date(Date.now() + 60 * MINUTE_MS) })
    await end(id)
    await sleep(CLOCKS_APART_MS)
    answer()
    expect(await running).toMatchObject({ status: 'failure', duringMaintenance: true })
    expect(await incidentsOf(service)).toEqual([])
    await slow.close()
  })
})

describe('skip', () => {
  test('starts no scheduled runs, and runs that a caller asks for count for nothing', async () => {
    const service = await newService()
    const id = await start(service, { mode: 'skip' })
    const before = asked
    await database.makeDue(service)
    await until('the slot to pass', async () => {
      const [schedule] = await database.db.select().from(schedules).where(eq(schedules.serviceId, service.id))
      return schedule && schedule.nextRunAt > new Date()
    })
    expect(await database.db.select().from(runs).where(eq(runs.serviceId, service.id))).toEqual([])
    expect(asked).toBe(before)
    status = 500
    expect(await runRequested(service)).toMatchObject({ status: 'failure', duringMaintenance: true })
    expect(await incidentsOf(service)).toEqual([])
    await end(id)
    expect(await runDue(service)).toMatchObject({ status: 'failure', duringMaintenance: null })
    expect(await incidentsOf(service)).toHaveLength(1)
  })
})
