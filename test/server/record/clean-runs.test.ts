import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { assertionHours, endpointDays, endpointHours, runHours, type StoredStep } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import type { FinishedRun } from '#server/record/finished-run.ts'
import { foldDays } from '#server/record/rollups/days.ts'
import { storeRuns, transactRuns } from '#server/record/store-runs.ts'
import { createIdAt } from '#server/results/ids.ts'
import { mergeRecentLatencies } from '#worker/tasks/recent-latencies.ts'
import type { ProbedService } from '../../support/runs/probed.ts'
import { probedDatabase } from '../../support/runs/probed-database.ts'
import { checkRollups } from '../../support/runs/rollup-check.ts'

const database = probedDatabase()
const NOON = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2)

type Call = { path: string; status?: number; outcome?: StoredStep['outcome']; failedCheck?: boolean }

const CALLS: Call[] = [{ path: '/a' }, { path: '/b', status: 201 }, { path: '/c' }]
const [A, B] = [uuidv7(), uuidv7()].map((agentId, i) => ({ agentId, agentSlug: `agent-${i}` })) as [Agent, Agent]
type Agent = Pick<FinishedRun, 'agentId' | 'agentSlug'>

let made = 0

function step({ path, status = 200, outcome = 'success' }: Call, i: number): StoredStep {
  made++
  const isAnswered = outcome !== 'timeout'
  const timing = isAnswered ? made % 50 : null
  return {
    id: uuidv7(),
    stepNum: i + 1,
    requestUrl: `http://a.example${path}`,
    method: 'GET',
    template: `http://a.example${path}`,
    statusCode: isAnswered ? status : null,
    responseTimeMs: isAnswered ? 100 + (made % 900) : null,
    ...{ dnsMs: timing, connectMs: timing, tlsMs: null, ttfbMs: timing, transferMs: timing },
    responseSizeBytes: isAnswered ? 2_000_000_000 + made : null,
    outcome,
    error: null,
    assertionResults: isAnswered ? [{ outcome: 'passed' }] : [],
    headers: {},
    body: null,
    bodyNotStoredReason: 'no_body',
  }
}

function finished(
  service: ProbedService,
  startedAt: Date,
  { calls = CALLS, agent = A }: { calls?: Call[]; agent?: Agent } = {},
): FinishedRun {
  const steps = calls.map(step)
  const isFailed = steps.some(({ outcome }) => outcome === 'failure' || outcome === 'timeout')
  return {
    id: uuidv7(),
    attempt: 1,
    organizationId: service.organizationId,
    serviceId: service.id,
    ...agent,
    result: {
      id: createIdAt(startedAt),
      startedAt,
      status: isFailed ? 'failure' : 'success',
      runDurationMs: 300,
      totalResponseMs: steps.reduce((sum, { responseTimeMs }) => sum + (responseTimeMs ?? 0), 0),
      callCount: steps.length,
      failedCalls: isFailed ? 1 : 0,
      raw: null,
      steps,
    },
    isTimed: steps.some(({ responseTimeMs }) => responseTimeMs !== null),
    assertions: steps.flatMap(({ assertionResults, template }) =>
      (assertionResults as unknown[]).map(() => ({ key: template, definition: { template }, failed: false })),
    ),
    failedAssertions: [],
    failedAssertionCount: 0,
    writeBacks: [],
  }
}

/** Stores the runs in one transaction. */
function store(...all: FinishedRun[]): Promise<unknown> {
  return transactRuns(database.db, { variablesMax: 3 }, (tx, options) => storeRuns(tx, all, options))
}

/** Returns the number of clean runs in each hour, and the rows of endpoints and assertions. */
async function rowsOf({ id }: ProbedService) {
  const hours = await database.db.select().from(runHours).where(eq(runHours.serviceId, id)).orderBy(runHours.hour)
  const endpoints = await database.db.select().from(endpointHours).where(eq(endpointHours.serviceId, id))
  const assertions = await database.db.select().from(assertionHours).where(eq(assertionHours.serviceId, id))
  return { clean: hours.map((row) => row.cleanRuns), endpoints: endpoints.length, assertions: assertions.length }
}

const create = () => database.createProbedService('get("http://a.example/")')

describe('clean runs', () => {
  test('are counted in the row of their hour and agent, also many of one batch', async () => {
    const service = await create()
    await store(finished(service, NOON))
    await store(finished(service, NOON), finished(service, NOON))
    await store(finished(service, NOON, { agent: B }))
    expect(await rowsOf(service)).toEqual({ clean: [3, 1], endpoints: 0, assertions: 0 })
    await checkRollups(database.db)
  })

  test('with other calls than the first ones of the hour have rows of their own', async () => {
    const service = await create()
    await store(finished(service, NOON), finished(service, NOON, { calls: [{ path: '/a', status: 204 }] }))
    expect(await rowsOf(service)).toEqual({ clean: [1], endpoints: 1, assertions: 1 })
    await store(finished(service, NOON, { calls: [{ path: '/d' }] }))
    await store(finished(service, NOON))
    expect(await rowsOf(service)).toEqual({ clean: [2], endpoints: 2, assertions: 2 })
    await checkRollups(database.db)
  })

  test('follow a failed run of the hour', async () => {
    const service = await create()
    await store(finished(service, NOON, { calls: [{ path: '/a' }, { path: '/b', outcome: 'timeout' }] }))
    expect(await rowsOf(service)).toEqual({ clean: [0], endpoints: 2, assertions: 1 })
    await store(finished(service, NOON))
    await store(finished(service, NOON))
    expect(await rowsOf(service)).toEqual({ clean: [2], endpoints: 2, assertions: 1 })
    await checkRollups(database.db)
  })

  test('are those whose few calls differ, all answer and all succeed', async () => {
    const long = Array.from({ length: 7 }, (_, i) => ({ path: `/${i}` }))
    const runs: [string, Call[], number][] = [
      ['six calls', long.slice(0, 6), 1],
      ['a skipped call', [{ path: '/a' }, { path: '/b', outcome: 'skipped' }], 1],
      ['no call', [], 0],
      ['seven calls', long, 0],
      ['an endpoint twice', [{ path: '/a' }, { path: '/a' }], 0],
      ['a failed call', [{ path: '/a', outcome: 'failure' }], 0],
    ]
    for (const [name, calls, clean] of runs) {
      const service = await create()
      await store(finished(service, NOON, { calls }))
      expect((await rowsOf(service)).clean, name).toEqual([clean])
    }
    await checkRollups(database.db)
  })

  test('are not more than a row may hold', async () => {
    const service = await create()
    for (let i = 0; i < 7; i++) await store(...Array.from({ length: 20 }, () => finished(service, NOON)))
    // Sixty of them fill the row, and are spread.
    expect(await rowsOf(service)).toEqual({ clean: [20], endpoints: 3, assertions: 1 })
    const calls = Array.from({ length: 6 }, (_, i) => ({ path: `/${i}` }))
    const six = await create()
    for (let i = 0; i < 4; i++) await store(...Array.from({ length: 20 }, () => finished(six, NOON, { calls })))
    expect((await rowsOf(six)).clean).toEqual([20])
    await checkRollups(database.db)
  })

  test('of complete hours are spread into the rows of endpoints and assertions', async () => {
    const service = await create()
    const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS)
    const before = new Date(hour.getTime() - 10 * MINUTE_MS)
    await store(finished(service, before), finished(service, before, { agent: B }), finished(service, before))
    await store(finished(service, before, { calls: [{ path: '/a', outcome: 'failure' }] }))
    await store(finished(service, hour))
    await mergeRecentLatencies(database.db, new Date(hour.getTime() + MINUTE_MS))
    expect(await rowsOf(service)).toEqual({ clean: [0, 0, 1], endpoints: 3, assertions: 2 })
    await checkRollups(database.db)
    // A late run of the hour is counted there, and spread with the next merge.
    await store(finished(service, before))
    await checkRollups(database.db)
    await mergeRecentLatencies(database.db, new Date(hour.getTime() + MINUTE_MS))
    expect((await rowsOf(service)).clean).toEqual([0, 0, 1])
    await checkRollups(database.db)
  })

  test('are spread before their day is folded, which no process can do that does not know of them', async () => {
    const service = await create()
    await store(finished(service, NOON), finished(service, NOON))
    const fold = sql`update service_states set folded_until = now() where service_id = ${service.id}`
    await expect(database.db.execute(fold)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('has clean runs') },
    })
    await foldDays(database.db, new Date())
    expect(await rowsOf(service)).toEqual({ clean: [0], endpoints: 3, assertions: 1 })
    const [day] = await database.db.select().from(endpointDays).where(eq(endpointDays.serviceId, service.id))
    expect(day).toMatchObject({ calls: 2, failedCalls: 0 })
    await checkRollups(database.db)
    // Nothing spreads a run of a folded day.
    await store(finished(service, NOON), finished(service, new Date(NOON.getTime() + HOUR_MS)))
    expect((await rowsOf(service)).clean).toEqual([0, 0])
    await checkRollups(database.db)
  })
})
