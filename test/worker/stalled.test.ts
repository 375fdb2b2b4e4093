import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import type { AgentState } from '#server/schemas/organization/agents.ts'
import { testDashboard } from '#test/support/browser/dashboard.ts'
import { createProbedService, requestRunOf } from '#test/support/runs/probed.ts'
import { sendHeartbeat } from '#worker/heartbeat.ts'

const t = testDashboard()

test('a live worker that takes nothing while runs wait is shown as stalled, with the task that it took last', async () => {
  const organization = await t.create.organization()
  const owner = await t.signIn(organization.owner)
  const agent = await t.create.agent({ slug: 'oslo', organizationId: organization.id })
  const worker = { id: uuidv7(), agentId: agent.id, poolIds: ['one'] }
  const stateOf = async () => {
    const { data } = await owner.get<AgentState[]>('organization.agents.list')
    return data?.find(({ slug }) => slug === 'oslo')
  }
  const takenAt = performance.now() - 100_000
  await sendHeartbeat(t.db, { ...worker, lastTaken: { task: 'probe', at: takenAt } })
  expect(await stateOf()).toMatchObject({ processes: [{ lastTask: 'probe', isStalled: false }] })

  await requestRunOf(t.db, await createProbedService(t.db, 'get("https://a.example/")'))
  await t.db.execute(sql`update runs set agent_id = ${agent.id}, created_at = now() - interval '95 seconds'`)
  expect(await stateOf()).toMatchObject({ processes: [{ isStalled: true }] })

  await sendHeartbeat(t.db, { ...worker, lastTaken: { task: 'mail', at: performance.now() } })
  expect(await stateOf()).toMatchObject({ processes: [{ lastTask: 'mail', isStalled: false }] })
})
