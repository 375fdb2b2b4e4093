import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { eq, ne, sql } from '#db/drizzle.cjs'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { serviceAgents } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { isFailedAfter, type Observation } from '#test/support/oracles/verdict-oracle.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { storeRun } from '#test/support/runs/slots.ts'
import { randomNumbers } from '#test/support/seed.ts'
import { promoteWaiting } from '#worker/runs/promote.ts'
import { endFlapping } from '#worker/tasks/end-flapping.ts'

// The churn that one bad location of three and a target that fails one request in five make with a run a minute.

const database = probedDatabase()
const MINUTE_MS = 60_000
const HOUR = 60
const START = Date.now() - HOUR * MINUTE_MS
const slugs = ['frankfurt', 'oslo', 'porto']
const agents: { id: string; slug: string }[] = []
const next = randomNumbers()

beforeAll(async () => {
  for (const slug of slugs) {
    const agent = await database.create.agent({ slug })
    const heartbeatAt = sql`now() + interval '1 hour'`
    const worker = { id: uuidv7(), agentId: agent.id, poolId: uuidv7(), host: 'h', pid: 1, heartbeatAt }
    await database.db.insert(workers).values(worker)
    agents.push(agent)
  }
})

/**
 * Stores a slot a minute. The bad location always fails, the target now and then. Returns the incidents and messages of the
 * former rule and of this one.
 */
async function simulate(minutes: number, flakyPercent: number) {
  const { db } = database
  const service = await database.createProbedService('get("https://shop.example/")', {}, 1, 10)
  const { id: serviceId, organizationId } = service
  await db.insert(serviceAgents).values(agents.map(({ id: agentId }) => ({ serviceId, organizationId, agentId })))
  const outcomeOn = (agent: { slug: string }) => {
    const isFailing = next(100) < flakyPercent || agent.slug === 'frankfurt'
    return isFailing ? ('failure' as const) : ('success' as const)
  }
  const former: Observation[] = []
  for (let minute = 0; minute < minutes; minute++) {
    const startedAt = new Date(START + minute * MINUTE_MS)
    const agent = agents[minute % agents.length] as (typeof agents)[number]
    const outcome = outcomeOn(agent)
    former.push({ agent: agent.id, outcome, startedAt, confirmFailures: 1, living: agents.map(({ id }) => id) })
    await storeRun(db, service, { agent, outcome, startedAt })
    const [waiting] = await db
      .update(runs)
      .set({ rankAt: new Date(START) })
      .where(ne(runs.state, 'done'))
      .returning()
    if (waiting) {
      await promoteWaiting(db)
      const [row] = await db.select().from(runs).where(eq(runs.id, waiting.id))
      const again = agents.find(({ id }) => id === row?.agentId) as (typeof agents)[number]
      expect(again.id).not.toBe(agent.id)
      const at = new Date(startedAt.getTime() + 10_000)
      await storeRun(db, service, { agent: again, outcome: outcomeOn(again), startedAt: at, recheck: waiting.id })
    }
    await endIfQuiet(serviceId, startedAt)
  }
  const verdicts = former.map((_, i) => isFailedAfter(former.slice(0, i + 1), 'consecutive'))
  const changes = verdicts.filter((verdict, i) => verdict !== (verdicts[i - 1] ?? false))
  return {
    before: { incidents: changes.filter(Boolean).length, messages: changes.length },
    after: {
      incidents: await db.$count(incidents, eq(incidents.serviceId, serviceId)),
      messages: await db.$count(alertEvents, eq(alertEvents.serviceId, serviceId)),
    },
  }
}

/** The task of each minute, at a time of the simulation. */
async function endIfQuiet(serviceId: string, now: Date): Promise<void> {
  const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, serviceId))
  const last = state?.changedAt.at(-1)
  if (state?.flapping && last && now.getTime() - last.getTime() >= 15 * MINUTE_MS) await endFlapping(database.db)
}

test('one bad location of three makes no incident; it made one every three minutes', async () => {
  const { before, after } = await simulate(21, 0)
  expect(before).toEqual({ incidents: 7, messages: 14 })
  expect(after).toEqual({ incidents: 0, messages: 0 })
})

test('with a target that fails one request in five, it makes a few messages instead of dozens', async () => {
  const hours: Awaited<ReturnType<typeof simulate>>[] = []
  for (let i = 0; i < 2; i++) hours.push(await simulate(HOUR, 20))
  const sum = (of: (hour: (typeof hours)[number]) => number) => hours.reduce((total, hour) => total + of(hour), 0)
  expect(sum(({ before }) => before.messages)).toBeGreaterThan(2 * 25)
  expect(sum(({ after }) => after.messages)).toBeLessThan(sum(({ before }) => before.messages) / 3)
  // Until it flaps, two incidents and their ends; then one message, and one at the end.
  for (const { after } of hours) expect(after.messages).toBeLessThanOrEqual(12)
})
