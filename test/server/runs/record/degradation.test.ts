import { v7 as uuidv7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { agents, services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { workers } from '#db/schema/runs.ts'
import { MINUTE_MS } from '#server/durations.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { topics } from '#server/schemas/live/topics.ts'
import type { Outcome } from '#test/support/oracles/verdict-oracle.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { runOf } from '#test/support/runs/stored-runs.ts'

const database = probedDatabase()
const START = new Date('2026-11-20T12:00:00Z')
const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS)
const OSLO = { id: uuidv7(), slug: 'oslo' }
const PORTO = { id: uuidv7(), slug: 'porto' }
const LISBON = { id: uuidv7(), slug: 'lisbon' }
let service: ProbedService

beforeAll(() => ensurePartitions(database.db, START, 2))
beforeEach(async () => {
  service = await database.createProbedService('')
})

/** Stores a run. `checks` failed without failing the run. Returns the kinds of what changed. */
async function store(minute: number, given: { outcome?: Outcome; checks?: number; agent?: typeof OSLO } = {}) {
  const { outcome = 'success', checks = 0, agent = OSLO } = given
  const run = runOf({ service, agent, outcome, startedAt: at(minute) })
  const check = { method: 'check', scope: 'totalDelayMs', op: 'lte', expected: 2_000, actual: 2_300, outcome: 'failed' }
  const [step] = run.result.steps
  if (step) step.assertionResults = [...step.assertionResults, ...new Array(checks).fill(check)]
  const { changes } = await database.db.transaction((tx) => storeRuns(tx, [run], { variablesMax: 3 }))
  return [...changes.values()].some((of) => [...of].includes(topics.state(service.id))) ? 'state' : 'run'
}

async function degradation() {
  const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, service.id))
  return state?.degradation
}

const SUMMARY = 'GET https://shop.example/cart: totalDelayMs 2300 ms, expected ≤ 2000 ms'

describe('a service that passes with failed checks', () => {
  test('is degraded since the first of these runs, until a run without them', async () => {
    await store(0)
    expect(await degradation()).toBeNull()
    expect(await store(1, { checks: 1 })).toBe('state')
    expect(await degradation()).toMatchObject({ since: at(1).toISOString(), summary: SUMMARY })
    expect(await store(2, { checks: 3 })).toBe('run')
    expect(await degradation()).toMatchObject({
      since: at(1).toISOString(),
      summary: `${SUMMARY} (2 more failed)`,
    })
    expect(await store(3, { outcome: 'skipped' })).toBe('run')
    expect(await degradation()).toMatchObject({ since: at(1).toISOString() })
    expect(await store(4)).toBe('state')
    expect(await degradation()).toBeNull()
  })

  test('is failing, not degraded, while its runs fail', async () => {
    await store(0, { checks: 1 })
    await store(1, { outcome: 'failure', checks: 1 })
    expect(await degradation()).toBeNull()
    await store(2, { checks: 1 })
    expect(await degradation()).toMatchObject({ since: at(2).toISOString() })
  })
})

test('a service on all agents at once is degraded while the minority of them fails', async () => {
  await database.db.delete(workers)
  await database.db.delete(agents)
  await database.db.update(services).set({ probeMode: 'simultaneous' }).where(eq(services.id, service.id))
  for (const { id, slug } of [OSLO, PORTO, LISBON]) {
    await database.db.insert(agents).values({ id, slug, label: slug })
    const heartbeatAt = sql`now() + interval '1 hour'`
    await database.db
      .insert(workers)
      .values({ id: uuidv7(), agentId: id, poolId: slug, host: 'h', pid: 1, heartbeatAt })
  }
  await store(0, { agent: OSLO })
  await store(0, { agent: PORTO })
  await store(0, { agent: LISBON, outcome: 'failure' })
  expect(await degradation()).toMatchObject({
    since: at(0).toISOString(),
    summary: 'GET https://shop.example/cart: status 500, expected 200 (on lisbon, 1 of 3 agents)',
  })
  await store(1, { agent: OSLO })
  expect(await degradation()).toMatchObject({ since: at(0).toISOString() })
  await store(2, { agent: PORTO, outcome: 'failure' })
  // Two of three: the service fails.
  expect(await degradation()).toBeNull()
  await store(3, { agent: PORTO })
  await store(3, { agent: LISBON })
  expect(await degradation()).toBeNull()
})
