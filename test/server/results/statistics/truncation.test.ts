import { expect, test } from 'vitest'
import { endpointHours } from '#db/schema/results.ts'
import { ENDPOINTS_MAX } from '#server/schemas/statistics.ts'
import { testApi } from '#test/support/api/api.ts'

const NOW = new Date('2026-11-19T13:27:41.500Z')
const HOUR = new Date('2026-11-19T13:00:00Z')
const api = testApi({ now: () => NOW })

type Answer = { endpoints: { key: string }[]; endpointsTruncated: boolean }

test('both operations return the same of too many endpoints: the most called, ties by key, and `endpointsTruncated`', async () => {
  const organization = await api.create.organization()
  const service = await api.create.service(await api.create.project(await api.create.workspace(organization)))
  const key = await api.create.key(organization.owner)
  const add = (endpointKey: string, calls: number) =>
    api.db.insert(endpointHours).values({
      organizationId: service.organizationId,
      serviceId: service.id,
      hour: HOUR,
      endpointKey,
      method: 'GET',
      template: `https://shop.example.com/${endpointKey}`,
      calls,
      ms: Array<number>(calls).fill(7),
    })
  const shown = (window: string) =>
    Promise.all(
      ['statistics', 'statistics/endpoint-series'].map(async (name) => {
        const path = `/services/${service.id}/metrics/${name}`
        const { body } = await api.call<Answer>(key, 'GET', path, { query: { window } })
        return { keys: body.endpoints.map((endpoint) => endpoint.key), isTruncated: body.endpointsTruncated }
      }),
    )

  // Upper case comes before lower case, whatever the locale of the database.
  const tied = Array.from({ length: ENDPOINTS_MAX }, (_, i) => `${i % 2 ? 'B' : 'a'}${String(i).padStart(2, '0')}`)
  for (const name of tied.toReversed()) await add(name, 3)
  const inOrder = tied.toSorted((a, b) => (a < b ? -1 : 1))
  for (const window of ['24h', '90d']) {
    for (const answer of await shown(window)) expect(answer).toEqual({ keys: inOrder, isTruncated: false })
  }

  await add('zz', 9)
  for (const window of ['24h', '90d']) {
    for (const answer of await shown(window)) {
      expect(answer).toEqual({ keys: ['zz', ...inOrder.slice(0, -1)], isTruncated: true })
    }
  }
})
