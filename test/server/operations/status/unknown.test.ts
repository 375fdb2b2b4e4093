import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import type { agents } from '#db/schema/resources.ts'
import { serviceAgents, services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { schedules, workers } from '#db/schema/runs.ts'
import { MINUTE_MS } from '#server/durations.ts'
import { createProjectMetrics } from '#server/fronts/exposition/project.ts'
import { syncSchedule } from '#server/schedule/schedules.ts'
import type { Service, ServiceSnapshot } from '#server/schemas/services.ts'
import type { Board, BoardService } from '#server/schemas/status/board.ts'
import { NO_SERVICES, type StateCounts } from '#server/schemas/status/states.ts'
import { testApi } from '#test/support/api/api.ts'
import { parseExposition } from '#test/support/exposition.ts'
import type { ProjectRow } from '#test/support/factories.ts'
import { setState } from '#test/support/runs/results.ts'

// Nothing is written when workers stop: the tests move the times of rows back, and read by the database's clock.

const api = testApi()
let project: ProjectRow
let owner: Awaited<ReturnType<typeof api.caller>>
let agent: typeof agents.$inferSelect
let key: Parameters<typeof api.call>[0]

const minutesAgo = (minutes: number) => sql`now() - make_interval(secs => ${minutes * 60})`

beforeEach(async () => {
  await api.db.delete(workers)
  const organization = await api.create.organization()
  project = await api.create.project(await api.create.workspace(organization))
  owner = await api.caller(organization.owner)
  key = await api.create.key(organization.owner)
  agent = await api.create.agent({ organizationId: organization.id })
  await beat(agent, 0)
})

/** The last heartbeat of an agent. */
async function beat(of: { id: string }, minutes: number): Promise<void> {
  await api.db.delete(workers).where(eq(workers.agentId, of.id))
  const row = { id: uuidv7(), agentId: of.id, poolId: uuidv7(), host: 'h', pid: 1 }
  await api.db.insert(workers).values({ ...row, heartbeatAt: minutesAgo(minutes) })
}

type Given = {
  lastRun?: number | null
  expectedFrom?: number
  schedule?: string
  timezone?: string
  runMs?: number
  named?: { id: string }[]
}

/** A passing service that is on, on the agent. Times are minutes ago. */
async function service({
  lastRun = 1,
  expectedFrom = 600,
  schedule = '* * * * *',
  timezone,
  runMs = 200,
  named = [agent],
}: Given) {
  const row = await api.create.service(project, { script: '', isActive: true, schedule, timezone })
  const { id: serviceId, organizationId } = row
  if (named.length > 0) {
    await api.db.insert(serviceAgents).values(named.map(({ id: agentId }) => ({ organizationId, serviceId, agentId })))
  }
  await syncSchedule(api.db, row, new Date())
  await api.db
    .update(schedules)
    .set({ expectedFrom: minutesAgo(expectedFrom) })
    .where(eq(schedules.serviceId, row.id))
  if (lastRun !== null) {
    await setState(api.db, row, { lastStatus: 'success', lastStatusSince: new Date(0), meanRunMs: runMs })
    await api.db
      .update(serviceStates)
      .set({ lastRunAt: minutesAgo(lastRun) })
      .where(eq(serviceStates.serviceId, row.id))
  }
  return row
}

const shown = (id: string): Promise<BoardService> => owner.status.service({ id })

describe('a service is unknown', () => {
  test('by the times of its own time zone', async () => {
    const timezone = 'Asia/Kathmandu'
    const [late, well] = [await service({ lastRun: 7, timezone }), await service({ timezone })]
    const board: Board = await owner.status.board({})
    expect(board.counts).toEqual({ ...NO_SERVICES, unknown: 1, passing: 1 })
    expect(await shown(late.id)).toMatchObject({ state: 'unknown', timezone })
    expect((await api.call<Service>(key, 'GET', `/services/${late.id}`)).body.state).toBe('unknown')
    expect((await api.call<Service>(key, 'GET', `/services/${well.id}`)).body.state).toBe('passing')
  })

  test('in the API, on the board, in containers and in search, while its runs are overdue', async () => {
    const [late, well] = [await service({ lastRun: 7 }), await service({})]
    const counts: StateCounts = { ...NO_SERVICES, unknown: 1, passing: 1 }
    const board: Board = await owner.status.board({})
    expect(board.counts).toEqual(counts)
    expect(board.services.map(({ id, state, cause }) => ({ id, state, cause }))).toEqual([
      { id: late.id, state: 'unknown', cause: 'its runs are overdue' },
      { id: well.id, state: 'passing', cause: null },
    ])
    expect(await owner.status.summary({ projectId: project.id })).toEqual(counts)
    expect((await owner.status.workspaces({})).items[0]?.counts).toEqual(counts)
    expect((await owner.status.projects({ workspaceId: project.workspaceId })).items[0]?.counts).toEqual(counts)
    expect((await owner.status.find({ q: 'state:unknown' })).services.map(({ id }) => id)).toEqual([late.id])

    const { body: listed } = await api.call<{ items: Service[] }>(key, 'GET', `/services?projectId=${project.id}`)
    const { body: one } = await api.call<Service>(key, 'GET', `/services/${late.id}`)
    const { body: snapshot } = await api.call<ServiceSnapshot>(key, 'GET', `/services/${late.id}/snapshot`)
    expect(listed.items.map(({ state }) => state)).toEqual(['unknown', 'passing'])
    // The contract's fields still say what the last run said.
    expect(one).toMatchObject({ state: 'unknown', lastStatus: 'success' })
    const since = board.services[0]?.since
    // The first slot without a result: in the seventh to sixth minute before now.
    const minutes = (Date.now() - Date.parse(since as string)) / MINUTE_MS
    expect(minutes).toBeGreaterThan(5)
    expect(minutes).toBeLessThan(8)
    expect([one.stateSince, listed.items[0]?.stateSince, snapshot.service.stateSince]).toEqual([since, since, since])
    expect(Date.parse(since as string) % MINUTE_MS).toBe(0)
  })

  test.each<[string, Given, string]>([
    ['a run that is a slot late', { lastRun: 1.9 }, 'passing'],
    ['no run for six slots', { lastRun: 6 }, 'unknown'],
    ['no run for an hour with a daily schedule', { lastRun: 60, schedule: '0 0 * * *' }, 'passing'],
    ['no run since it was switched on an hour ago', { lastRun: null, expectedFrom: 60 }, 'unknown'],
    ['just created', { lastRun: null, expectedFrom: 0 }, 'pending'],
    ['just switched on, after a long pause', { lastRun: 5_000, expectedFrom: 0 }, 'passing'],
    ['just out of its maintenance window', { lastRun: 120, expectedFrom: 1 }, 'passing'],
    ['runs that take four minutes', { lastRun: 7, runMs: 4 * MINUTE_MS }, 'passing'],
  ])('%s', async (_, given, state) => {
    const { id } = await service(given)
    expect((await shown(id)).state).toBe(state)
    expect((await api.call<Service>(key, 'GET', `/services/${id}`)).body.state).toBe(state)
  })

  test('while it fails: a verdict is neither greener nor redder than what is known', async () => {
    const { id } = await service({ lastRun: 7 })
    await api.db
      .update(serviceStates)
      .set({ lastStatus: 'failure', isAlerting: true })
      .where(eq(serviceStates.serviceId, id))
    expect((await shown(id)).state).toBe('unknown')
  })

  test('not while it is off', async () => {
    const row = await service({ lastRun: 7 })
    await api.db.update(services).set({ isActive: false }).where(eq(services.id, row.id))
    await syncSchedule(api.db, { ...row, isActive: false }, new Date())
    expect(await shown(row.id)).toMatchObject({ state: 'paused', since: null })
    expect((await api.call<Service>(key, 'GET', `/services/${row.id}`)).body).toMatchObject({
      ...{ state: 'paused', stateSince: null },
    })
  })
})

describe('a service of which each agent is lost', () => {
  const daily = { schedule: '0 0 * * *', lastRun: 60 }

  test('is unknown since the last heartbeat, however rarely it runs', async () => {
    const { id } = await service(daily)
    await beat(agent, 2)
    expect((await shown(id)).state).toBe('passing')
    await beat(agent, 10)
    const { state, since, cause } = await shown(id)
    expect({ state, cause }).toEqual({ state: 'unknown', cause: 'every agent that can run it is lost' })
    expect((Date.now() - Date.parse(since as string)) / MINUTE_MS).toBeCloseTo(10, 0)
    expect((await api.call<Service>(key, 'GET', `/services/${id}`)).body).toMatchObject({ state, stateSince: since })
  })

  test('is known while another agent may run it', async () => {
    const other = await api.create.agent({ organizationId: project.organizationId })
    const both = await service({ ...daily, named: [agent, other] })
    const one = await service({ ...daily, named: [agent] })
    await beat(agent, 10)
    await beat(other, 0)
    expect((await shown(both.id)).state).toBe('passing')
    expect((await shown(one.id)).state).toBe('unknown')
    await beat(other, 5)
    expect((await shown(both.id)).state).toBe('unknown')
  })

  test('names none, and no shared agent is alive', async () => {
    const shared = await api.create.agent({})
    const { id } = await service({ ...daily, named: [] })
    await beat(shared, 10)
    // The organization's own agent runs only services that name it.
    expect((await shown(id)).state).toBe('unknown')
    await beat(shared, 0)
    expect((await shown(id)).state).toBe('passing')
    // One that only services use which name it does not run the others.
    await beat(await api.create.agent({ isOpen: false }), 0)
    await beat(shared, 10)
    expect((await shown(id)).state).toBe('unknown')
  })
})

test('an unknown service is not up in the metrics of its project', async () => {
  const [late, well] = [await service({ lastRun: 7 }), await service({})]
  const { token } = await owner.projects.metricsTokens.create({ id: project.id, name: 'prometheus' })
  const request = new Request(`http://localhost/api/prometheus/projects/${project.id}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const found = parseExposition(
    await (await createProjectMetrics(api.runtime)(request, project.id, '127.0.0.1')).text(),
  )
  const values = (name: string) =>
    Object.fromEntries((found.get(name) ?? []).map(({ labels, value }) => [labels.service_id, value]))
  expect(values('soundline_service_up')).toEqual({ [well.id]: 1 })
  expect(values('soundline_service_unknown')).toEqual({ [late.id]: 1, [well.id]: 0 })
})

test('a changed schedule and a service that is switched on expect results from then on', async () => {
  const { id } = await service({ lastRun: 7 })
  const [row] = await api.db.select().from(services).where(eq(services.id, id))
  if (row) await syncSchedule(api.db, { ...row, schedule: '*/2 * * * *' }, new Date())
  expect((await shown(id)).state).toBe('passing')
})
