import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { serviceAgents } from '#db/schema/resources.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { addWaitingRun } from '#server/runs/runs/request-run.ts'
import { testDatabase } from '#test/support/database.ts'
import { createAgent } from '#test/support/factories.ts'
import { createProbedService, makeDue, type ProbedService, requestRunOf, runsOf } from '#test/support/runs/probed.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'
import { promoteWaiting } from '#worker/runs/promote.ts'
import { reapQueue } from '#worker/runs/reap.ts'

const database = testDatabase()

test('after an outage, a due service waits only while one of its agents has not sent a heartbeat yet', async () => {
  const { db } = database
  const [heard, silent] = [await createAgent(db, {}), await createAgent(db, {})]
  await db.insert(workers).values({ id: uuidv7(), agentId: heard.id, poolId: 'pool', host: 'here', pid: 1 })
  const [free, waiting] = [await createProbedService(db, ''), await createProbedService(db, '')]
  for (const [service, agents] of [
    [free, [heard]],
    [waiting, [heard, silent]],
  ] as const) {
    for (const agent of agents) {
      await db
        .insert(serviceAgents)
        .values({ organizationId: service.organizationId, serviceId: service.id, agentId: agent.id })
    }
  }
  await makeDue(db, free, waiting)

  const options = { variablesMax: 100 }
  expect(await dispatchDue(db, options, () => false)).toBe(1)
  expect(await runsOf(db, free)).toMatchObject([{ agentId: heard.id, state: 'queued' }])
  expect(await runsOf(db, waiting)).toEqual([])
  // When the time to report back is over, the live agents get the run.
  expect(await dispatchDue(db, options, () => true)).toBe(1)
  expect(await runsOf(db, waiting)).toMatchObject([{ agentId: heard.id, state: 'queued' }])
})

test('after an outage, a requested run on all agents has a part for each one that may report back', async () => {
  const { db } = database
  await db.delete(workers)
  const [heard, silent, gone] = [await createAgent(db, {}), await createAgent(db, {}), await createAgent(db, {})]
  const row = { poolId: 'pool', host: 'here', pid: 1 }
  await db.insert(workers).values({ ...row, id: uuidv7(), agentId: heard.id })
  await db
    .insert(workers)
    .values({ ...row, id: uuidv7(), agentId: silent.id, heartbeatAt: sql`now() - interval '1 minute'` })
  const [any, naming] = [
    await createProbedService(db, '', { probeMode: 'simultaneous' }),
    await createProbedService(db, '', { probeMode: 'simultaneous' }),
  ]
  const { organizationId, id: serviceId } = naming
  await db
    .insert(serviceAgents)
    .values([heard, silent, gone].map(({ id: agentId }) => ({ organizationId, serviceId, agentId })))
  await requestRunOf(db, any)
  await requestRunOf(db, naming)
  const agentsOf = async (service: ProbedService, state: string) =>
    (await runsOf(db, service)).filter((run) => run.state === state).map((run) => run.agentId)
  expect(await agentsOf(any, 'queued')).toEqual([heard.id, silent.id])
  expect(await agentsOf(naming, 'queued')).toEqual([heard.id, silent.id, gone.id])
  await db.update(runs).set({ createdAt: sql`now() - interval '31 seconds'` })
  const reap = (canTrust: boolean) => reapQueue(db, { variablesMax: 100 }, () => canTrust)
  await reap(false)
  expect(await agentsOf(naming, 'done')).toEqual([])
  await db.update(workers).set({ heartbeatAt: sql`now()` }).where(eq(workers.agentId, silent.id))
  await reap(true)
  expect(await agentsOf(any, 'queued')).toEqual([heard.id, silent.id])
  expect(await agentsOf(naming, 'done')).toEqual([gone.id])
})

test('a run that waited on all agents has a part for each agent that the service names', async () => {
  const { db } = database
  const [one, dead] = [await createAgent(db, {}), await createAgent(db, {})]
  await db.insert(workers).values({ id: uuidv7(), agentId: one.id, poolId: 'pool', host: 'here', pid: 1 })
  const service = await createProbedService(db, '', { probeMode: 'simultaneous' })
  const { organizationId, id: serviceId } = service
  await db.insert(serviceAgents).values([one, dead].map(({ id: agentId }) => ({ organizationId, serviceId, agentId })))
  await db.transaction((tx) => addWaitingRun(tx, service, new Date()))
  await promoteWaiting(db)
  expect((await runsOf(db, service)).map(({ agentId, state }) => [agentId, state])).toEqual([
    [one.id, 'queued'],
    [dead.id, 'queued'],
  ])
})
