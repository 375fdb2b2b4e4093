import { v7 as uuidv7 } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { agentHours, agents } from '#db/schema/resources.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { testDatabase } from '#test/support/database.ts'
import { sampleAgents } from '#worker/tasks/agent-hours.ts'

const database = testDatabase()

beforeEach(async () => {
  await database.db.delete(runs)
  await database.db.delete(workers)
  await database.db.delete(agents)
})

/** A live process, or one whose last heartbeat was so many seconds ago. */
async function processOf(agentId: string, given: Partial<typeof workers.$inferInsert> = {}, secondsAgo = 0) {
  const heartbeatAt = sql`now() - make_interval(secs => ${secondsAgo})`
  await database.db
    .insert(workers)
    .values({ id: uuidv7(), agentId, poolId: '', host: 'h', pid: 1, ...given, heartbeatAt })
}

/** The hours of an agent together: an hour may end between two samples. */
async function totalOf(agentId: string) {
  const hours = await database.db.select().from(agentHours).where(eq(agentHours.agentId, agentId))
  return {
    seconds: hours.reduce((sum, hour) => sum + hour.aliveSeconds, 0),
    runs: hours.reduce((sum, hour) => sum + hour.runs, 0),
    slots: Math.max(...hours.map((hour) => hour.slotsMax ?? -1)),
    busy: Math.max(...hours.map((hour) => hour.busyMax ?? -1)),
    cpu: Math.max(...hours.map((hour) => hour.cpuMax ?? -1)),
    lateness: Math.max(...hours.map((hour) => hour.latenessMaxMs ?? -1)),
  }
}

/** Moves the time of the last sample into the past, in which it would have been in the former hour if need be. */
async function lastSampleWas(secondsAgo: number): Promise<void> {
  await database.db.execute(sql`
    update agent_hours set counted_until = now() - make_interval(secs => ${secondsAgo})`)
}

test('adds the time since the last sample, and the maxima of all live processes together', async () => {
  const [agent, silent] = [await database.create.agent(), await database.create.agent()]
  await processOf(agent.id, { slots: 10, busy: 2, cpu: 0.25, latenessMs: 3 })
  await processOf(agent.id, { slots: 5, busy: 4, cpu: 0.5, latenessMs: 1 })
  await processOf(agent.id, { slots: 100, busy: 100, cpu: 1, latenessMs: 999 }, 600)
  await processOf(silent.id, { slots: 100 }, 600)
  await sampleAgents(database.db)
  const first = await totalOf(agent.id)
  expect(first).toMatchObject({ slots: 15, busy: 6, cpu: 0.5, lateness: 3, runs: 0 })
  expect(first.seconds).toBeCloseTo(60, 2)

  await lastSampleWas(45)
  await database.db.update(workers).set({ busy: 1 })
  await sampleAgents(database.db)
  const second = await totalOf(agent.id)
  expect(second).toMatchObject({ slots: 15, busy: 6 })
  expect(second.seconds).toBeGreaterThanOrEqual(105)
  expect(second.seconds).toBeLessThan(150)
  expect(await database.db.$count(agentHours, eq(agentHours.agentId, silent.id))).toBe(0)
})

test('time in which no worker sampled counts for no agent, and no hour is longer than an hour', async () => {
  const agent = await database.create.agent()
  await processOf(agent.id)
  await sampleAgents(database.db)
  await lastSampleWas(7_200)
  await sampleAgents(database.db)
  expect((await totalOf(agent.id)).seconds).toBeCloseTo(60 + 90, 1)
  await database.db.update(agentHours).set({ aliveSeconds: 3_599 })
  await lastSampleWas(60)
  await sampleAgents(database.db)
  const hours = await database.db.select().from(agentHours)
  expect(Math.max(...hours.map((hour) => hour.aliveSeconds))).toBeLessThanOrEqual(3_600)
})

test('counts each finished run once', async () => {
  const agent = await database.create.agent()
  const { project } = await database.create.tree()
  const { id: serviceId, organizationId } = await database.create.service(project)
  let slots = 0
  const finish = async (secondsAgo: number, given: Partial<typeof runs.$inferInsert> = {}) => {
    const finishedAt = sql`now() - make_interval(secs => ${secondsAgo})`
    const row = { id: uuidv7(), serviceId, organizationId, agentId: agent.id, cause: 'request' as const }
    const slot = new Date(60_000 * slots++)
    await database.db.insert(runs).values({ ...row, slot, state: 'done', startedAt: new Date(), ...given, finishedAt })
  }
  await finish(30)
  await finish(40)
  await finish(200)
  // Skipped: it never started.
  await finish(30, { startedAt: null })
  await sampleAgents(database.db)
  expect((await totalOf(agent.id)).runs).toBe(2)
  await sampleAgents(database.db)
  await lastSampleWas(0)
  await sampleAgents(database.db)
  expect((await totalOf(agent.id)).runs).toBe(2)
})
