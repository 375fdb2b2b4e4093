import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Queryable } from '#db/client.ts'
import { readKnownPercentiles } from '#server/results/statistics/known-percentiles.ts'

const PAGE = 100
const now = new Date()
const organizationId = randomUUID()
const services = Array.from({ length: 10_050 }, () => ({
  ...{ id: randomUUID(), organizationId },
  ...{ probesTotal: 1, lastRunAt: 1, lastResultId: randomUUID() },
}))

/** A database in which each service has one latency. */
function databaseOf(page: typeof services): Queryable {
  const rows = page.map(({ id }) => ({ id, sketches: [{ ms: [7], bins: null }] }))
  return { execute: async () => rows } as unknown as Queryable
}

test('a page has its percentiles, although a process keeps those of fewer services than there are', async () => {
  const pages = Array.from({ length: services.length / PAGE }, (_, i) => services.slice(i * PAGE, (i + 1) * PAGE))
  for (const page of [...pages, ...pages.slice(0, 1)]) {
    const found = await readKnownPercentiles(databaseOf(page), page, now)
    expect(new Set([...found.values()].map((one) => one?.p50Ms))).toEqual(new Set([7]))
  }
})
