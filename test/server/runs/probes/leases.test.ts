import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { and, eq, inArray, sql } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { renewLeases } from '#server/runs/probes/leases.ts'
import { brokenRun } from '#server/runs/record/finished-run.ts'
import { finishAndStoreRuns } from '#server/runs/record/store-runs.ts'
import { removeServices } from '#server/services/remove-services.ts'
import { testDatabase } from '#test/support/database.ts'
import { randomNumbers } from '#test/support/seed.ts'

const database = testDatabase()
const COUNT = 120
const next = randomNumbers()

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: next(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Runs of as many services, all claimed by one worker. */
async function runningRuns() {
  const organization = await database.create.organization()
  const project = await database.create.project(await database.create.workspace(organization))
  const worker = { id: uuidv7(), agentId: uuidv7(), agentSlug: 'local', leaseSeconds: 30 }
  const held = await Promise.all(
    Array.from({ length: COUNT }, async () => {
      const { id: serviceId } = await database.create.service(project)
      const { agentId, agentSlug } = worker
      return { id: uuidv7(), attempt: 1, organizationId: organization.id, serviceId, agentId, agentSlug }
    }),
  )
  const standing = { slot: new Date(), cause: 'schedule', state: 'running', workerId: worker.id } as const
  // Their order in the table differs from the order of their ids.
  await database.db.insert(runs).values(shuffled(held).map((run) => ({ ...run, ...standing })))
  return { worker, held }
}

test('renewing leases, storing results and deleting services at once does not deadlock', async () => {
  const { worker, held } = await runningRuns()
  const [stored, deleted, kept] = [held.slice(0, 40), held.slice(40, 80), held.slice(80)]
  const renewing = Array.from({ length: 4 }, async () => {
    for (let round = 0; round < 25; round++) await renewLeases(database.db, worker, shuffled(held))
  })
  const storing = Array.from({ length: 8 }, async (_, part) => {
    const batch = shuffled(stored.slice(part * 5, part * 5 + 5))
    const at = new Date()
    const ended = batch.map((run) => brokenRun(run, at, at, 'failure', 'test'))
    return (await finishAndStoreRuns(database.db, ended, { variablesMax: 100 })).size
  })
  const ids = shuffled(deleted).map((run) => run.serviceId)
  const deleting = database.db.transaction((tx) =>
    removeServices(tx, held[0]?.organizationId as string, inArray(services.id, ids)),
  )
  await Promise.all([...renewing, ...storing, deleting])

  expect(await Promise.all(storing)).toEqual(Array.from({ length: 8 }, () => 5))
  expect(await deleting).toBe(deleted.length)
  expect(await database.db.$count(results)).toBe(stored.length)
  const left = await renewLeases(database.db, worker, held)
  expect([...left].sort()).toEqual(kept.map((run) => run.id).sort())
})

test('a locked run does not block the renewal of other leases', async () => {
  const { worker, held } = await runningRuns()
  const [locked] = held
  await database.db.transaction(async (tx) => {
    await tx
      .select()
      .from(runs)
      .where(eq(runs.id, locked?.id as string))
      .for('update')
    const kept = await renewLeases(database.db, worker, held)
    expect(kept.size).toBe(COUNT)
    const renewed = and(eq(runs.workerId, worker.id), sql`${runs.leaseUntil} > now()`)
    expect(await database.db.$count(runs, renewed)).toBe(COUNT - 1)
  })
})
