import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { serviceAgents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { testDatabase } from '#test/support/database.ts'
import { createAgent } from '#test/support/factories.ts'
import { createProbedService, makeDue, runsOf } from '#test/support/runs/probed.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'

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
