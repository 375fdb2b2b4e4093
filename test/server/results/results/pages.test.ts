import { beforeAll, expect, test } from 'vitest'
import { and, desc, eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { results } from '#db/schema/results.ts'
import { DAY_MS, MINUTE_MS } from '#server/durations.ts'
import { testApi } from '#test/support/api/api.ts'
import { newWorld, type World } from '#test/support/api/statistics-checks.ts'
import { type PlannedRun, storeHistory } from '#test/support/runs/history.ts'

// Pages deep in a busy day are located by its hours.

const NOW = new Date('2026-11-19T13:27:41.500Z')
const api = testApi({ now: () => NOW })
let world: World
let stored: (typeof results.$inferSelect)[]

const STATUSES = ['success', 'success', 'failure', 'timeout', 'skipped'] as const

/** Three runs every ten minutes since yesterday: days of 432 and 243. Yesterday is folded. */
const RUNS = Array.from({ length: 675 }, (_, i): PlannedRun => {
  const at = new Date(NOW.getTime() - Math.floor(i / 3) * 10 * MINUTE_MS - i)
  const [status, agent] = [STATUSES[i % 5] as PlannedRun['status'], i % 2 ? 'oslo' : 'local']
  return { ...{ at, agent, status, keepsBodies: false }, calls: [] }
})

beforeAll(async () => {
  await ensurePartitions(api.db, new Date(NOW.getTime() - 2 * DAY_MS), 4)
  world = await newWorld(api, NOW)
  await storeHistory(api.db, world.first, RUNS)
  stored = await api.db
    .select()
    .from(results)
    .where(and(eq(results.serviceId, world.first.id), eq(results.organizationId, world.first.organizationId)))
    .orderBy(desc(results.startedAt), desc(results.id))
})

const since = stepBack(31.3)
const until = stepBack(0.7)

function stepBack(hours: number): string {
  return new Date(NOW.getTime() - hours * 60 * MINUTE_MS).toISOString()
}

test.each<[Record<string, string>, (row: typeof results.$inferSelect) => boolean]>([
  [{}, () => true],
  [{ status: 'success' }, (row) => row.status === 'success'],
  [{ since }, (row) => row.startedAt >= new Date(Math.floor(Date.parse(since) / 1_000) * 1_000)],
  [{ until }, (row) => row.startedAt <= new Date(until)],
  [
    { since, until: stepBack(15.6) },
    (row) =>
      row.startedAt >= new Date(Math.floor(Date.parse(since) / 1_000) * 1_000) &&
      row.startedAt <= new Date(stepBack(15.6)),
  ],
])('all pages of %j have the results in order', async (query, isWanted) => {
  const found: string[] = []
  const read = async (page: number) => {
    const given = { query: { ...query, page, pageSize: 20 } }
    const path = `/services/${world.first.id}/results`
    const { body } = await api.call<{ items: { id: string }[] }>(world.key, 'GET', path, given)
    found.push(...body.items.map(({ id }) => id))
    return body.items.length
  }
  for (let page = 1; page <= 40; page++) {
    if ((await read(page)) === 0) break
  }
  expect(found).toEqual(stored.filter(isWanted).map(({ id }) => id))
  expect(found.length).toBeGreaterThan(200)
})
