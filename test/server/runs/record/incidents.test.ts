import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { and, asc, eq, sql } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { serviceAgents, services } from '#db/schema/resources.ts'
import { results, serviceStates } from '#db/schema/results.ts'
import { workers } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { selectObservations } from '#server/alerts/alerts/observations.ts'
import { parseSettings } from '#server/process/settings.ts'
import { finishAndStoreRuns } from '#server/runs/record/store-runs.ts'
import type { ProbeMode } from '#server/schedule/placement.ts'
import { removeServices } from '#server/services/remove-services.ts'
import type { Outcome } from '#test/support/oracles/verdict-oracle.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { insertRunning, runOf } from '#test/support/runs/stored-runs.ts'
import { clearServices } from '#worker/tasks/clear-services.ts'
import { remind } from '#worker/tasks/remind.ts'

const database = probedDatabase()
const OPTIONS = { variablesMax: 10 }
const OUTCOMES: Record<string, Outcome> = { '+': 'success', '-': 'failure', t: 'timeout', s: 'skipped' }
type Agent = { id: string; slug: string }
let agents: Record<string, Agent>

beforeAll(async () => {
  agents = {}
  for (const name of ['a', 'b', 'c']) {
    agents[name] = await database.create.agent({ slug: name })
    await beat(agents[name])
  }
})

/** Makes an agent alive for the whole file: it has a worker with a heartbeat of later. */
async function beat({ id: agentId }: Agent): Promise<void> {
  const heartbeatAt = sql`now() + interval '1 hour'`
  await database.db
    .insert(workers)
    .values({ id: uuidv7(), agentId, poolId: uuidv7(), host: 'test', pid: 1, heartbeatAt })
}

/** A service on the agents a, b and c. */
async function newService(probeMode: ProbeMode = 'simultaneous', confirmFailures = 1): Promise<ProbedService> {
  const service = await database.createProbedService('get("https://shop.example/")', { probeMode }, confirmFailures)
  const { id: serviceId, organizationId } = service
  const named = Object.values(agents).map(({ id: agentId }) => ({ serviceId, organizationId, agentId }))
  await database.db.insert(serviceAgents).values(named)
  return service
}

let minute = 0

/** Builds claimed runs of a service, one a minute: `a+ b-` is a success on agent a and then a failure on agent b. */
async function claimed(service: ProbedService, sequence: string) {
  const built = sequence.split(' ').map(([name = '', letter = '']) =>
    runOf({
      service,
      agent: agents[name] ?? { id: uuidv7(), slug: 'unknown' },
      outcome: OUTCOMES[letter] as Outcome,
      startedAt: new Date(Date.now() - 3_600_000 + minute++ * 1_000),
    }),
  )
  await insertRunning(database.db, built)
  return built
}

/** Stores runs, each in a transaction of its own unless `inOneBatch`, and returns them. */
async function store(service: ProbedService, sequence: string, inOneBatch = false) {
  const built = await claimed(service, sequence)
  const batches = inOneBatch ? [built] : built.map((run) => [run])
  for (const batch of batches) {
    const stored = await finishAndStoreRuns(database.db, batch, OPTIONS)
    expect(stored.size).toBe(batch.length)
  }
  return built
}

const eventsOf = ({ id }: ProbedService) =>
  database.db.select().from(alertEvents).where(eq(alertEvents.serviceId, id)).orderBy(asc(alertEvents.id))

const incidentsOf = ({ id }: ProbedService) =>
  database.db.select().from(incidents).where(eq(incidents.serviceId, id)).orderBy(asc(incidents.openedAt))

const kindsOf = async (service: ProbedService) => (await eventsOf(service)).map(({ kind }) => kind)

async function isNotified(eventId: string): Promise<boolean> {
  const found = await database.db.execute(
    sql`select 1 from graphile_worker._private_jobs where key = ${`notify:${eventId}`}`,
  )
  return found.length > 0
}

function setVariable({ id }: ProbedService, key: string, value: string) {
  return database.db
    .update(variables)
    .set({ value })
    .where(and(eq(variables.serviceId, id), eq(variables.key, key)))
}

test.each(['consecutive', 'simultaneous'] as const)(
  'the cause names the agent where several may run the service: %s',
  async (mode) => {
    const service = await newService(mode)
    await store(service, mode === 'simultaneous' ? 'a+ b+ c+ b- c-' : 'b-')
    const cause = `GET https://shop.example/cart: status 500, expected 200 (on ${mode === 'simultaneous' ? 'c' : 'b'})`
    expect(await incidentsOf(service)).toMatchObject([{ summary: cause }])
    expect(await eventsOf(service)).toMatchObject([
      { payload: { failure: { summary: cause }, incident: { summary: cause } } },
    ])
    const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
    expect(state?.lastFailure).toMatchObject({ summary: cause })
    // A result has its agent in a field of its own.
    const [result] = await database.db
      .select()
      .from(results)
      .where(and(eq(results.serviceId, service.id), eq(results.status, 'failure')))
    expect(result?.summary).toBe('GET https://shop.example/cart: status 500, expected 200')
  },
)

test('the cause names no agent where only one may run the service', async () => {
  const service = await newService('consecutive')
  await database.db
    .delete(serviceAgents)
    .where(and(eq(serviceAgents.serviceId, service.id), sql`agent_id <> ${agents.b?.id}`))
  await store(service, 'b-')
  expect(await incidentsOf(service)).toMatchObject([
    { summary: 'GET https://shop.example/cart: status 500, expected 200' },
  ])
})

describe('a simultaneous service', () => {
  test('with one bad agent of three never fails', async () => {
    const service = await newService()
    await store(service, 'a- b+ c+ a- b+ c+ at b+ c+ a- b+ c+')
    await store(service, 'a- b+ c+ a- b+ c+', true)
    expect(await eventsOf(service)).toEqual([])
    expect(await incidentsOf(service)).toEqual([])
    const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
    expect(state).toMatchObject({ isAlerting: false, lastStatus: 'success', lastConsecutive: 18, probesFailure: 5 })
  })

  test('with two bad agents fails by their own streaks, and recovers when fewer than half are failed', async () => {
    const service = await newService('simultaneous', 2)
    const [firstA, firstB, passing, , opening] = await store(service, 'a- bt c+ a- bt')
    const [incident, ...more] = await incidentsOf(service)
    expect(more).toEqual([])
    expect(incident).toMatchObject({
      openedAt: opening?.result.startedAt,
      closedAt: null,
      // Half of the agents fail since the second of them does.
      failingSince: firstB?.result.startedAt,
      firstResultId: firstB?.result.id,
      lastPassingResultId: passing?.result.id,
      summary: 'GET https://shop.example/cart: no response within 1000 ms (connecting) (on b)',
      agents: [
        { agentSlug: 'a', status: 'failure', failingRuns: 2, since: firstA?.result.startedAt.toISOString() },
        { agentSlug: 'b', status: 'timeout', failingRuns: 2 },
        { agentSlug: 'c', status: 'success', failingRuns: 0, summary: null },
      ],
    })
    // While the incident is open, its agents' present states are shown.
    await store(service, 'c- at')
    const [now] = await database.db.execute<{ seen: unknown }>(sql`
      select ${selectObservations(services)} as seen from services where id = ${service.id}`)
    expect(now?.seen).toMatchObject([
      { agentSlug: 'a', status: 'timeout', failingRuns: 3 },
      { agentSlug: 'b', status: 'timeout', failingRuns: 2 },
      { agentSlug: 'c', status: 'failure', failingRuns: 1 },
    ])
    const [, closing] = await store(service, 'c+ a+ b- c+')
    expect(await incidentsOf(service)).toMatchObject([
      {
        ...{ id: incident?.id, closedAt: closing?.result.startedAt, recoveredResultId: closing?.result.id },
        // What the agents saw before the recovery.
        agents: [
          { agentSlug: 'a', status: 'timeout', failingRuns: 3 },
          { agentSlug: 'b', status: 'timeout', failingRuns: 2 },
          { agentSlug: 'c', status: 'success' },
        ],
      },
    ])
    const [failed, recovered, ...others] = await eventsOf(service)
    expect(others).toEqual([])
    expect(failed).toMatchObject({
      kind: 'service.failed',
      resultId: opening?.result.id,
      incidentId: incident?.id,
      payload: {
        service: { id: service.id, name: service.name },
        incident: { id: incident?.id, downMs: null },
        result: { id: opening?.result.id, status: 'timeout', agentSlug: 'b' },
        failure: { phase: 'connect', step: { stepNum: 1, method: 'GET' } },
        agents: [{ agentSlug: 'a' }, { agentSlug: 'b' }, { agentSlug: 'c' }],
      },
    })
    const downMs = (closing?.result.startedAt.getTime() ?? 0) - (firstB?.result.startedAt.getTime() ?? 0)
    expect(recovered).toMatchObject({
      kind: 'service.recovered',
      resultId: closing?.result.id,
      incidentId: incident?.id,
      payload: { incident: { downMs }, failure: null, agents: [{ status: 'success' }, {}, {}] },
    })
    for (const event of [failed, recovered]) expect(await isNotified(event?.id ?? '')).toBe(true)
  })

  test('is failed by a passing run when its other agents die, and names the run that failed', async () => {
    const service = await newService()
    const dying = [await database.create.agent(), await database.create.agent()]
    const { id: serviceId, organizationId } = service
    for (const [i, agent] of dying.entries()) {
      await beat(agent)
      agents[`${i}`] = agent
      await database.db.insert(serviceAgents).values({ serviceId, organizationId, agentId: agent.id })
    }
    const [, first] = await store(service, 'a+ b- c- c+ 0+ 1+')
    await store(service, '1+')
    expect(await kindsOf(service)).toEqual([])
    for (const { id } of dying) await database.db.delete(workers).where(eq(workers.agentId, id))
    const [healthy, bad] = await store(service, 'a+ b-')
    expect(await kindsOf(service)).toEqual([])
    // Of a and b, which are alive, b is half.
    await database.db.delete(serviceAgents).where(eq(serviceAgents.agentId, agents.c?.id ?? ''))
    const [showing] = await store(service, 'a+')
    expect(await eventsOf(service)).toMatchObject([
      {
        resultId: showing?.result.id,
        payload: {
          result: { id: bad?.result.id, status: 'failure', agentSlug: 'b' },
          failure: { cause: 'status 500, expected 200 (on b)', status: 'failure' },
        },
      },
    ])
    const [incident] = await incidentsOf(service)
    expect(incident).toMatchObject({
      firstResultId: first?.result.id,
      lastPassingResultId: healthy?.result.id,
      failingSince: first?.result.startedAt,
    })
    // c was taken off the service; the dead agents are still on it.
    const slugs = incident?.agents.map(({ agentSlug }) => agentSlug).toSorted()
    expect(slugs).toEqual(['a', 'b', ...dying.map(({ slug }) => slug)].toSorted())
  })

  test('hears no agent that it does not run on', async () => {
    const service = await newService()
    await store(service, 'a+ b+ c+ x- x- x-')
    expect(await kindsOf(service)).toEqual([])
    const rotating = await newService('consecutive', 2)
    await store(rotating, 'x- x-')
    expect(await kindsOf(rotating)).toEqual(['service.failed'])
    expect((await incidentsOf(rotating))[0]?.agents).toMatchObject([{ agentSlug: 'unknown', failingRuns: 1 }])
  })

  test('does not recover because confirmFailures is raised', async () => {
    const service = await newService()
    await store(service, 'a- b- c+')
    await setVariable(service, 'confirmFailures', '3')
    await store(service, 'a- b- c+')
    expect(await kindsOf(service)).toEqual(['service.failed'])
    await store(service, 'a+ a- a-')
    expect(await kindsOf(service)).toEqual(['service.failed', 'service.recovered'])
    await store(service, 'a-')
    expect(await kindsOf(service)).toEqual(['service.failed', 'service.recovered', 'service.failed'])
  })
})

test('a worker whose clock is behind is heard, and no incident ends before it began', async () => {
  const service = await newService('simultaneous', 2)
  const built = await claimed(service, 'a+ b+ c+ a- b- c- a- b- c- a+ b+')
  const first = built[0]?.result.startedAt.getTime() ?? 0
  await ensurePartitions(database.db, new Date(first - 3_600_000), 0)
  for (const [i, run] of built.entries()) {
    if (i >= 3) run.result.startedAt = new Date(first - (i < 9 ? 60_000 : 3_600_000))
    await finishAndStoreRuns(database.db, [run], OPTIONS)
  }
  expect(await eventsOf(service)).toMatchObject([
    { kind: 'service.failed', resultId: built[7]?.result.id },
    { kind: 'service.recovered', resultId: built[10]?.result.id, payload: { incident: { downMs: 0 } } },
  ])
  const [incident] = await incidentsOf(service)
  expect(incident?.closedAt).toEqual(incident?.openedAt)
})

describe('a change of state', () => {
  test('with alertOnRecovery false stores why nobody is told of a recovery, which still closes alerts', async () => {
    const service = await newService('consecutive')
    await setVariable(service, 'alertOnRecovery', 'false')
    await store(service, 'a- b+')
    const [failed, recovered] = await eventsOf(service)
    expect(recovered).toMatchObject({ kind: 'service.recovered', suppressedReason: 'alertOnRecovery is false' })
    expect([await isNotified(failed?.id ?? ''), await isNotified(recovered?.id ?? '')]).toEqual([true, true])
    expect(await incidentsOf(service)).toMatchObject([{ closedAt: expect.any(Date) }])
    await setVariable(service, 'alertOnRecovery', 'true')
    await store(service, 'a- b+')
    expect((await eventsOf(service)).map(({ suppressedReason }) => suppressedReason !== null)).toEqual([
      ...[false, true, false, false],
    ])
  })

  test('is stored for every run of a batch, in their order', async () => {
    const service = await newService('random', 2)
    const built = await store(service, 'a+ b- c- a+ b- c- a- as b+', true)
    const changing = [2, 3, 5, 8].map((i) => built[i]?.result.id)
    const events = await eventsOf(service)
    expect(events.map(({ resultId }) => resultId)).toEqual(changing)
    expect(events.map(({ kind }) => kind.slice('service.'.length))).toEqual([
      ...['failed', 'recovered', 'failed', 'recovered'],
    ])
    const stored = await incidentsOf(service)
    expect(stored.map(({ closedAt }) => closedAt !== null)).toEqual([true, true])
    expect(stored.map(({ firstResultId }) => firstResultId)).toEqual([1, 4].map((i) => built[i]?.result.id))
    expect(stored.map(({ lastPassingResultId }) => lastPassingResultId)).toEqual([
      ...[0, 3].map((i) => built[i]?.result.id),
    ])
    expect(events.map(({ incidentId }) => incidentId)).toEqual([0, 0, 1, 1].map((i) => stored[i]?.id))
    // The fifth change of half an hour is the last one that is told, and its incident stays open.
    const flapping = await store(service, 'a- b- c+ a+ b- c- a+', true)
    expect((await eventsOf(service)).slice(4)).toMatchObject([
      { kind: 'service.flapping', resultId: flapping[1]?.result.id },
    ])
    expect((await incidentsOf(service)).slice(2)).toMatchObject([
      { closedAt: null, flappingSince: flapping[1]?.result.startedAt },
    ])
  })

  test('of many services in one batch stores an incident and an event for each', async () => {
    const made: ProbedService[] = []
    for (let i = 0; i < 6; i++) made.push(await newService('consecutive'))
    const built = (await Promise.all(made.map((service) => claimed(service, 'a-')))).flat()
    await finishAndStoreRuns(database.db, built, OPTIONS)
    for (const service of made) {
      expect(await kindsOf(service)).toEqual(['service.failed'])
      expect(await incidentsOf(service)).toHaveLength(1)
    }
  })

  test('keeps the acknowledgement of the incident', async () => {
    const service = await newService('consecutive')
    await store(service, 'a-')
    const acknowledged = { acknowledgedAt: new Date(), acknowledgedBy: uuidv7(), acknowledgedName: 'Ada' }
    await database.db.update(incidents).set(acknowledged).where(eq(incidents.serviceId, service.id))
    await store(service, 'b- c+')
    expect(await incidentsOf(service)).toMatchObject([{ ...acknowledged, closedAt: expect.any(Date) }])
  })

  test('continues an incident that is still open', async () => {
    const service = await newService('consecutive')
    await store(service, 'a-')
    await database.db.update(serviceStates).set({ isAlerting: false }).where(eq(serviceStates.serviceId, service.id))
    await store(service, 'b-')
    expect(await kindsOf(service)).toEqual(['service.failed', 'service.failed'])
    expect(await incidentsOf(service)).toHaveLength(1)
  })

  test('of a service that failed before incidents were recorded recovers without one', async () => {
    const service = await newService('consecutive')
    await store(service, 'a-')
    await database.db.delete(incidents).where(eq(incidents.serviceId, service.id))
    await store(service, 'a- b+')
    expect(await eventsOf(service)).toMatchObject([{}, { incidentId: null, payload: { incident: null } }])
  })
})

test('with several writers at once, and reminders and acknowledgements meanwhile, every failure opens an incident and every recovery closes one', async () => {
  const made = [await newService('simultaneous', 2), await newService('random', 1), await newService('consecutive', 3)]
  const sequence = Array.from({ length: 30 }, (_, i) => `${'abc'[i % 3]}${(i * 7) % 11 < 7 ? '-' : '+'}`).join(' ')
  const built = (await Promise.all(made.map((service) => claimed(service, sequence)))).flat()
  const batches = Array.from({ length: 30 }, (_, i) => built.filter((_, at) => at % 30 === i))
  for (const service of made) await setVariable(service, 'remindMinutes', '1')
  const serviceIds = made.map(({ id }) => id)
  await Promise.all([
    ...[0, 1].map(async () => {
      for (let i = 0; i < 8; i++) {
        await remind(database.db)
        const acknowledgedAt = i % 2 === 0 ? new Date() : null
        for (const id of serviceIds) {
          await database.db.update(incidents).set({ acknowledgedAt }).where(eq(incidents.serviceId, id))
        }
      }
    }),
    ...[0, 1, 2].map(async (writer) => {
      for (const batch of batches.filter((_, i) => i % 3 === writer)) {
        // Each writer stores the services in another order.
        const turned = [...batch.slice(writer), ...batch.slice(0, writer)]
        await finishAndStoreRuns(database.db, turned, OPTIONS)
      }
    }),
  ])
  // How many depends on the order in which the writers store. A service that one failure fails has some in any order.
  expect(await kindsOf(made[1] as ProbedService)).toContain('service.failed')
  for (const service of made) {
    const events = (await eventsOf(service)).filter(({ kind }) => kind !== 'service.reminder')
    const kinds = events.map(({ kind }) => kind)
    expect(new Set(events.map(({ resultId, kind }) => `${resultId} ${kind}`)).size).toBe(events.length)
    const stored = await incidentsOf(service)
    // The message of flapping can open one, or be about the open one.
    const told = stored.filter(({ openedAt, flappingSince }) => flappingSince?.getTime() !== openedAt.getTime())
    expect(told).toHaveLength(kinds.filter((kind) => kind === 'service.failed').length)
    expect(kinds.filter((kind) => kind === 'service.recovered')).toHaveLength(
      stored.filter(({ closedAt }) => closedAt !== null).length,
    )
    const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
    expect(stored.filter(({ closedAt }) => closedAt === null)).toHaveLength(
      state?.isAlerting || state?.flapping ? 1 : 0,
    )
  }
})

test('a service that is deleted while its runs are stored leaves nothing behind', async () => {
  const made = [await newService('consecutive'), await newService('simultaneous'), await newService('random')]
  const ids = made.map(({ id }) => id)
  const [before, meanwhile] = [
    (await Promise.all(made.map((service) => claimed(service, 'a- b-')))).flat(),
    await Promise.all(made.map((service) => claimed(service, 'c- a+ b- c+'))),
  ]
  await finishAndStoreRuns(database.db, before, OPTIONS)
  await Promise.all([
    ...meanwhile.map((runs) => finishAndStoreRuns(database.db, runs, OPTIONS)),
    ...made.map((service) =>
      database.db.transaction((tx) => removeServices(tx, service.organizationId, eq(services.id, service.id))),
    ),
  ])
  expect((await finishAndStoreRuns(database.db, meanwhile.flat(), OPTIONS)).size).toBe(0)
  for (const { organizationId, id } of made) {
    await clearServices(database.db, parseSettings({}), { organizationId, serviceIds: [id] })
  }
  for (const table of [serviceStates, results, alertEvents, incidents]) {
    for (const id of ids) expect(await database.db.$count(table, eq(table.serviceId, id))).toBe(0)
  }
})
