import { readFileSync } from 'node:fs'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { and, asc, eq, sql } from '#db/drizzle.cjs'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { serviceAgents, services } from '#db/schema/resources.ts'
import { results, runHours, serviceAgentStates, serviceStates } from '#db/schema/results.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { DEATHS_MAX } from '#server/runs/probes/leases.ts'
import { parseScript } from '#server/runs/probes/script-cache.ts'
import { mayWrite } from '#server/runs/probes/script-facts.ts'
import { finishAndStoreRuns } from '#server/runs/record/store-runs.ts'
import { cancelRun } from '#server/runs/runs/cancel-run.ts'
import type { ProbeMode } from '#server/schedule/placement.ts'
import type { BareRun } from '#server/schemas/runs.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { readSlot, storeRun, storeSlot } from '#test/support/runs/slots.ts'
import { insertRunning, runOf } from '#test/support/runs/stored-runs.ts'
import { reapLeases } from '#worker/runs/reap.ts'
import { endFlapping } from '#worker/tasks/end-flapping.ts'

const database = probedDatabase()
const SCRIPT = 'get("https://shop.example/cart").expect(status: 200)'
const SLOT_MS = 120_000
/** Within the hour, so that a day does not end in between. */
const START = Date.now() - 3_000_000
type Agent = { id: string; slug: string }
const agents: Record<string, Agent> = {}

beforeAll(async () => {
  for (const slug of ['a', 'b', 'c']) {
    const agent = await database.create.agent({ slug })
    agents[slug] = agent
    const heartbeatAt = sql`now() + interval '1 hour'`
    const worker = { id: uuidv7(), agentId: agent.id, poolId: uuidv7(), host: 'h', pid: 1 }
    await database.db.insert(workers).values({ ...worker, heartbeatAt })
  }
})

/** A service on these agents, whose failures are rechecked after ten seconds. */
async function newService(slugs: string[], probeMode: ProbeMode = 'consecutive', script = SCRIPT) {
  const service = await database.createProbedService(script, { probeMode }, 1, 10)
  const { id: serviceId, organizationId } = service
  const named = slugs.map((slug) => ({ serviceId, organizationId, agentId: agents[slug]?.id ?? '' }))
  await database.db.insert(serviceAgents).values(named)
  return { ...service, writes: mayWrite(parseScript(service.id, 1, script)) }
}

function set(service: ProbedService, key: string, value: string) {
  const isKey = and(eq(variables.serviceId, service.id), eq(variables.key, key))
  return database.db.update(variables).set({ value }).where(isKey)
}

const stateOf = async ({ id }: ProbedService) =>
  (await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, id)))[0]

const eventsOf = ({ id }: ProbedService) =>
  database.db.select().from(alertEvents).where(eq(alertEvents.serviceId, id)).orderBy(asc(alertEvents.id))

const incidentsOf = ({ id }: ProbedService) =>
  database.db.select().from(incidents).where(eq(incidents.serviceId, id)).orderBy(asc(incidents.openedAt))

const storeAll = async (service: ProbedService, sequence: string) => {
  const stored: Awaited<ReturnType<typeof storeSlot>>[] = []
  for (const [i, text] of sequence.split(' ').entries()) {
    stored.push(await storeSlot(database.db, service, readSlot(text, agents), new Date(START + i * SLOT_MS)))
  }
  return stored
}

const SIGNS: Record<string, string> = { 'service.failed': '!', 'service.recovered': '.', 'service.flapping': '~' }

/** The examples of the guide. */
const EXAMPLES = readFileSync('app/docs/content/guide/incidents.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| `(consecutive|random|simultaneous)` \|.*`.*`.*`/.test(line))
  .map((line) => {
    const cells = line.replaceAll('\\|', '/').split('|').slice(1, -1)
    const [mode = '', setting = '', slots = '', changes = ''] = cells.map((cell) => cell.replaceAll('`', '').trim())
    return { mode: mode as ProbeMode, setting, slots, changes }
  })
  .filter(({ slots }) => /^[abc][+-]/.test(slots))

test('the guide has examples', () => expect(EXAMPLES.length).toBeGreaterThan(12))

test.each(EXAMPLES)('$mode $setting: $slots', async ({ mode, setting, slots, changes }) => {
  const named = ['a', 'b', 'c'].filter((slug) => slots.includes(slug))
  const service = await newService(named, mode)
  const [key, value] = setting.split(' ')
  if (key && value) await set(service, key, value)
  const found: string[] = []
  let [events, wasDegraded] = [0, false]
  for (const [i, text] of slots.split(' ').entries()) {
    if (text === '//') {
      await database.db
        .update(serviceStates)
        .set({ changedAt: sql`array[now() - interval '15 minutes']` })
        .where(eq(serviceStates.serviceId, service.id))
      await endFlapping(database.db)
    } else await storeSlot(database.db, service, readSlot(text, agents), new Date(START + i * SLOT_MS))
    const all = await eventsOf(service)
    found.push(...all.slice(events).map(({ kind }) => `${SIGNS[kind]}${i + 1}`))
    events = all.length
    const state = await stateOf(service)
    const isFailing = state?.isAlerting || (state?.lastStatus !== null && state?.lastStatus !== 'success')
    const isDegraded = !isFailing && state?.degradation != null
    if (isDegraded && !wasDegraded) found.push(`?${i + 1}`)
    if (!isDegraded && wasDegraded && !isFailing) found.push(`=${i + 1}`)
    wasDegraded = isDegraded
  }
  expect(found.join(' ')).toBe(changes)
})

describe('a failed scheduled run', () => {
  test('is repeated later, and counts nowhere; its recheck counts for the slot', async () => {
    const service = await newService(['a', 'b'])
    await storeAll(service, 'a+')
    const startedAt = new Date(START + SLOT_MS)
    const [first, recheck] = await storeSlot(database.db, service, readSlot('a-b+', agents), startedAt)
    const [, firstRow, recheckRow] = await database.resultsOf(service)
    expect(firstRow).toMatchObject({ id: first?.result.id, isUncounted: true, recheckedBy: recheck?.result.id })
    expect(recheckRow).toMatchObject({ recheckOf: first?.result.id, isUncounted: null, cause: 'confirmation' })
    const made = await database.runsOf(service)
    const again = made.find(({ cause }) => cause === 'confirmation')
    expect(again).toMatchObject({ recheckOf: first?.result.id, slot: made.find(({ id }) => id === first?.id)?.slot })
    expect(await stateOf(service)).toMatchObject({ probesTotal: 2, probesFailure: 0, lastStatus: 'success' })
    const hours = await database.db.select().from(runHours).where(eq(runHours.serviceId, service.id))
    expect(hours.reduce((sum, { runs, failure }) => sum + runs * 10 + failure, 0)).toBe(20)
    expect(await incidentsOf(service)).toEqual([])
  })

  test('began the failure that its recheck confirms', async () => {
    const service = await newService(['a', 'b'])
    const [[passing] = [], [first, recheck] = []] = await storeAll(service, 'a+ a-b-')
    expect(await incidentsOf(service)).toMatchObject([
      {
        failingSince: first?.result.startedAt,
        openedAt: recheck?.result.startedAt,
        firstResultId: first?.result.id,
        lastPassingResultId: passing?.result.id,
      },
    ])
    expect(await stateOf(service)).toMatchObject({ failingRuns: 1, failingSince: first?.result.startedAt })
  })

  test('says which agent fails alone', async () => {
    const service = await newService(['a', 'b', 'c'])
    await storeAll(service, 'b+ c+ a-b+')
    const cause = 'GET https://shop.example/cart: status 500, expected 200'
    expect((await stateOf(service))?.degradation?.summary).toBe(`${cause} (fails from a only)`)
    await storeSlot(database.db, service, readSlot('b-c+', agents), new Date(START + 3 * SLOT_MS))
    expect((await stateOf(service))?.degradation?.summary).toBe(`${cause} (fails from a and b only)`)
    // An agent that the service no longer runs on says nothing.
    await database.db.delete(serviceAgents).where(eq(serviceAgents.agentId, agents.a?.id ?? ''))
    await storeSlot(database.db, service, readSlot('c+', agents), new Date(START + 4 * SLOT_MS))
    expect((await stateOf(service))?.degradation?.summary).toBe(`${cause} (fails from b only)`)
    await storeSlot(database.db, service, readSlot('b+', agents), new Date(START + 5 * SLOT_MS))
    expect((await stateOf(service))?.degradation).toBeNull()
  })

  test.each(['post', 'put', 'patch', 'delete'])(
    'is not repeated if its script sends %s, unless told to',
    async (method) => {
      const service = await newService(
        ['a'],
        'consecutive',
        `get("https://x.example/")\n${method}("https://x.example/")`,
      )
      await storeAll(service, 'a-')
      expect((await eventsOf(service)).map(({ kind }) => kind)).toEqual(['service.failed'])
      await set(service, 'recheckWrites', 'true')
      await storeSlot(database.db, service, readSlot('a-a+', agents), new Date(START + SLOT_MS))
      expect((await eventsOf(service)).map(({ kind }) => kind)).toEqual(['service.failed', 'service.recovered'])
    },
  )

  test('is not repeated with 0 seconds, on all agents at once, or if its service is off', async () => {
    const never = await newService(['a'])
    await set(never, 'recheckSeconds', '0')
    const together = await newService(['a', 'b'], 'simultaneous')
    const off = await newService(['a'])
    await database.db.update(services).set({ isActive: false }).where(eq(services.id, off.id))
    for (const service of [never, together, off]) {
      await storeAll(service, 'a-')
      expect((await eventsOf(service)).map(({ kind }) => kind)).toEqual(['service.failed'])
    }
  })

  test('of a request is answered as it was', async () => {
    const service = await newService(['a', 'b'])
    const built = runOf({ service, agent: agents.a as Agent, outcome: 'failure', startedAt: new Date(START) })
    const run = { ...built, run: { id: built.id, cause: 'request' as const, hasValues: false } }
    await insertRunning(database.db, [run])
    await finishAndStoreRuns(database.db, [run], { variablesMax: 3 })
    expect(await database.runsOf(service)).toMatchObject([{ state: 'done' }])
    expect((await eventsOf(service)).map(({ kind }) => kind)).toEqual(['service.failed'])
  })

  test('whose recheck is skipped is a failed slot', async () => {
    const service = await newService(['a', 'b'])
    const [, [first, recheck] = []] = await storeAll(service, 'a+ a-bs')
    const startedAt = first?.result.startedAt
    expect(await stateOf(service)).toMatchObject({
      ...{ probesTotal: 2, probesFailure: 1, lastStatus: 'failure', lastResultId: first?.result.id },
      ...{ failingRuns: 1, failingSince: startedAt, isAlerting: true },
      lastFailure: { resultId: first?.result.id, summary: expect.stringContaining('status 500, expected 200') },
    })
    expect(await database.resultsOf(service)).toMatchObject([
      {},
      { id: first?.result.id, isUncounted: null, recheckedBy: recheck?.result.id },
      { id: recheck?.result.id, isUncounted: true, recheckOf: first?.result.id },
    ])
    expect(await incidentsOf(service)).toMatchObject([{ firstResultId: first?.result.id, openedAt: startedAt }])
    const [hour] = await database.db
      .select({
        ...{ runs: sql<number>`sum(runs)::int`, failure: sql<number>`sum(failure)::int` },
        skipped: sql<number>`sum(skipped)::int`,
      })
      .from(runHours)
      .where(eq(runHours.serviceId, service.id))
    expect(hour).toEqual({ runs: 2, failure: 1, skipped: 0 })
    const seen = await database.db.select().from(serviceAgentStates).where(eq(serviceAgentStates.serviceId, service.id))
    expect(seen).toMatchObject([{ agentSlug: 'a', failingRuns: 1, resultId: first?.result.id }])
  })

  test('is seen although another agent is always refused', async () => {
    const service = await newService(['a', 'b'])
    await storeAll(service, 'a+ bs a-bs bs a-bs bs a+')
    expect(await incidentsOf(service)).toMatchObject([{ closedAt: expect.any(Date) }])
    expect(await stateOf(service)).toMatchObject({ probesTotal: 4, probesFailure: 2 })
  })

  test('counts when its recheck is cancelled, not when its service is off', async () => {
    const [on, off] = [await newService(['a', 'b']), await newService(['a', 'b'])]
    const waits = async (service: ProbedService) => {
      await storeRun(database.db, service, { ...readSlot('a-', agents).first, startedAt: new Date(START) })
      return (await database.runsOf(service)).find(({ state }) => state === 'waiting_recheck')
    }
    for (const [service, isActive] of [
      [on, true],
      [off, false],
    ] as const) {
      const waiting = await waits(service)
      await database.db.update(services).set({ isActive }).where(eq(services.id, service.id))
      const run = {
        id: waiting?.id ?? '',
        cause: 'confirmation',
        requestedAt: new Date(START).toISOString(),
      } as BareRun
      const cancelled = await database.db.transaction((tx) => cancelRun(tx, service, run))
      expect(cancelled).toEqual({ isCancelled: true, isChanged: true })
      expect((await eventsOf(service)).map(({ kind }) => kind)).toEqual(isActive ? ['service.failed'] : [])
      expect(await database.resultsOf(service)).toMatchObject([{ isUncounted: isActive ? null : true }])
    }
  })

  test.each(['get', 'post'])(
    'that ended with its worker is repeated if its script sends %s, not post',
    async (method) => {
      const service = await newService(['a', 'b'], 'consecutive', `${method}("https://x.example/")`)
      const { id: serviceId, organizationId } = service
      const lease = { state: 'running' as const, startedAt: new Date(START), leaseUntil: new Date(START) }
      const run = { id: uuidv7(), serviceId, organizationId, agentId: agents.a?.id ?? '', slot: new Date(START) }
      await database.db.insert(runs).values({ ...run, ...lease, cause: 'schedule', deaths: DEATHS_MAX - 1 })
      await reapLeases(database.db, { variablesMax: 3 }, () => true)
      expect(await database.resultsOf(service)).toMatchObject([{ status: 'timeout' }])
      const waiting = (await database.runsOf(service)).filter(({ state }) => state === 'waiting_recheck')
      expect(waiting).toHaveLength(method === 'get' ? 1 : 0)
      expect((await eventsOf(service)).map(({ kind }) => kind)).toEqual(method === 'get' ? [] : ['service.failed'])
    },
  )

  test('of many services in one batch has one recheck each, which is due then', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => newService(['a', 'b'])))
    const built = made.map((service) => {
      const one = runOf({ service, agent: agents.a as Agent, outcome: 'timeout', startedAt: new Date(START) })
      return { ...one, run: { id: one.id, cause: 'schedule' as const, hasValues: false } }
    })
    await insertRunning(database.db, built)
    await database.db.update(runs).set({ cause: 'schedule' }).where(eq(runs.state, 'running'))
    await finishAndStoreRuns(database.db, built, { variablesMax: 3 })
    // A second attempt of the same runs adds nothing.
    expect((await finishAndStoreRuns(database.db, built, { variablesMax: 3 })).size).toBe(0)
    for (const service of made) {
      const waiting = (await database.runsOf(service)).filter(({ state }) => state !== 'done')
      expect(waiting).toMatchObject([{ state: 'waiting_recheck', cause: 'confirmation', agentId: agents.a?.id }])
      const dueInMs = (waiting[0]?.rankAt.getTime() ?? 0) - (waiting[0]?.createdAt.getTime() ?? 0)
      // The database rounds to milliseconds.
      expect(Math.abs(dueInMs - 10_000)).toBeLessThanOrEqual(1)
    }
    expect(await database.db.$count(results, eq(results.isUncounted, true))).toBeGreaterThanOrEqual(6)
  })
})
