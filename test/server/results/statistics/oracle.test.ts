import fc from 'fast-check'
import { beforeAll, describe, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { results } from '#db/schema/results.ts'
import { DAY_MS } from '#server/durations.ts'
import { testApi } from '#test/support/api/api.ts'
import {
  checkHistory,
  checkMetrics,
  checkResults,
  checkStatistics,
  newWorld,
} from '#test/support/api/statistics-checks.ts'
import { histories, storeHistory } from '#test/support/runs/history.ts'
import { SEED } from '#test/support/seed.ts'

// A Thursday, in the middle of an hour.
const NOW = new Date('2026-11-19T13:27:41.500Z')
const api = testApi({ now: () => NOW, settings: { RESULT_RETENTION_DAYS: '120' } })

beforeAll(() => ensurePartitions(api.db, new Date(NOW.getTime() - 105 * DAY_MS), 106))

const rowsOf = (serviceId: string) => api.db.select().from(results).where(eq(results.serviceId, serviceId))

describe('every number of the statistics agrees with the results', () => {
  test('over random histories', async () => {
    await fc.assert(
      fc.asyncProperty(histories(NOW), histories(NOW), async (one, two) => {
        const world = await newWorld(api, NOW)
        const inOrder = one.toSorted((a, b) => a.at.getTime() - b.at.getTime())
        const half = Math.floor(one.length / 2)
        await storeHistory(api.db, world.first, inOrder.slice(0, half))
        await storeHistory(api.db, world.second, two.slice(0, 60))
        await storeHistory(api.db, world.first, inOrder.slice(half))
        await storeHistory(api.db, world.hidden, two.slice(60, 80))
        const rows = await rowsOf(world.first.id)
        await checkStatistics(world, rows, [...rows, ...(await rowsOf(world.second.id))])
        await checkResults(world, rows)
        await checkMetrics(world, rows, [...rows, ...(await rowsOf(world.second.id))])

        // Results of a deleted service are in no sum.
        await api.call(world.ownerKey, 'DELETE', `/services/${world.second.id}`)
        await checkMetrics(world, rows, rows)
        await checkHistory(world, rows, rows)
      }),
      { numRuns: 3, seed: SEED },
    )
  })
})
