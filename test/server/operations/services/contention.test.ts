import { beforeAll, describe, expect, test } from 'vitest'
import { asc, eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { services } from '#db/schema/resources.ts'
import { runs, schedules, workers } from '#db/schema/runs.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { unique } from '#test/support/factories.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { randomNumbers } from '#test/support/seed.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'
import { promoteWaiting } from '#worker/runs/promote.ts'

const api = testApi()
const tree = testTree(api)

beforeAll(async () => {
  const agent = await api.create.agent({ organizationId: tree.organization.id })
  await api.db.insert(workers).values({ id: agent.id, agentId: agent.id, poolId: 'test', host: 'test', pid: 1 })
  await ensurePartitions(api.db, new Date(), 2)
})

describe('changes of the same services at once, while workers dispatch them', () => {
  test('every one is answered by what it says of itself, never by a failure', async () => {
    const names = Array.from({ length: 6 }, () => unique('S'))
    const made = await Promise.all(
      names.map((name) =>
        api.call<Service>(tree.owner, 'POST', '/services', {
          body: { projectId: tree.project.id, name, script: SCRIPT },
        }),
      ),
    )
    const ids = made.map((answer) => answer.body.id)
    const random = randomNumbers()
    const id = () => ids[random(ids.length)] as string
    const changes: (() => Promise<{ status: number }>)[] = [
      () => api.call(tree.owner, 'POST', `/services/${id()}/run`),
      () => api.call(tree.owner, 'PATCH', `/services/${id()}/toggle`, { body: { isActive: random(2) === 0 } }),
      () =>
        api.call(tree.owner, 'PATCH', `/projects/${tree.project.id}/services-toggle`, {
          body: { isActive: random(2) === 0 },
        }),
      () =>
        api.call(tree.owner, 'PATCH', `/services/${id()}`, {
          body: { name: unique('R'), schedule: `${random(60)} * * * *` },
        }),
      () =>
        api.call(tree.owner, 'PATCH', `/services/${id()}/script`, { body: { script: SCRIPT, version: 2 + random(3) } }),
      () => api.call(tree.owner, 'PUT', `/services/${id()}/agents`, { body: { slugs: [] } }),
      () =>
        random(4) === 0
          ? api.call(tree.owner, 'DELETE', `/services/${id()}`)
          : api.call(tree.owner, 'GET', `/services/${id()}`),
    ]
    // Locks in the order of ids, as the workers do.
    const finishRunsOf = (serviceId: string) =>
      api.db.transaction(async (tx) => {
        const ofService = eq(runs.serviceId, serviceId)
        await tx.select({ id: runs.id }).from(runs).where(ofService).orderBy(asc(runs.id)).for('update')
        await tx.update(runs).set({ state: 'done', finishedAt: new Date() }).where(ofService)
      })
    let isOver = false
    const worker = async () => {
      while (!isOver) {
        await api.db
          .update(schedules)
          .set({ nextRunAt: new Date(0) })
          .where(eq(schedules.serviceId, id()))
        await dispatchDue(api.db, { variablesMax: 100 }, () => true)
        await promoteWaiting(api.db)
        await finishRunsOf(id())
      }
    }
    const workers = [worker(), worker()]
    const statuses = new Set<number>()
    try {
      for (let round = 0; round < 40; round++) {
        const answers = await Promise.all(Array.from({ length: 6 }, () => changes[random(changes.length)]?.()))
        for (const answer of answers) statuses.add(answer?.status ?? 0)
      }
    } finally {
      isOver = true
      await Promise.all(workers)
    }
    expect([...statuses].filter((status) => ![200, 202, 404, 409].includes(status))).toEqual([])
    // Only active services have a schedule.
    const on = await api.db.select({ id: services.id }).from(services).where(eq(services.isActive, true))
    const scheduled = await api.db.select({ id: schedules.serviceId }).from(schedules)
    expect(scheduled.map((row) => row.id).sort()).toEqual(on.map((row) => row.id).sort())
  })
})
