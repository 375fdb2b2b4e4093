import { expect, test } from 'vitest'
import { certificates } from '#db/schema/alerts.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import type { Service, ServiceSnapshot } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const api = testApi({ now: () => NOW })
const tree = testTree(api)

test('a service has its certificates, the next to expire first, wherever it is read', async () => {
  const now = NOW.getTime()
  const [service, other] = [await api.create.service(tree.project), await api.create.service(tree.project)]
  const { id: serviceId, organizationId } = service
  const row = (host: string, daysLeft: number) => ({
    ...{ serviceId, organizationId, host, subject: host, issuer: 'R11', seenAt: new Date(now - HOUR_MS) },
    notAfter: new Date(now + daysLeft * DAY_MS),
  })
  await api.db
    .insert(certificates)
    .values([
      row('b.example', 20.2),
      { ...row('a.example:8443', 90), subject: null, issuer: null },
      row('c.example', -0.5),
    ])
  const shown = (host: string, daysLeft: number, days: number) => ({
    ...{ host, daysLeft, subject: host, issuer: 'R11' },
    notAfter: new Date(now + days * DAY_MS).toISOString(),
    lastSeenAt: new Date(now - HOUR_MS).toISOString(),
  })
  const expected = [
    shown('c.example', 0, -0.5),
    shown('b.example', 21, 20.2),
    { ...shown('a.example:8443', 90, 90), subject: null, issuer: null },
  ]
  const get = <T>(path: string, query = {}) => api.call<T>(tree.owner, 'GET', path, { query })
  expect((await get<Service>(`/services/${serviceId}`)).body.certificates).toEqual(expected)
  expect((await get<ServiceSnapshot>(`/services/${serviceId}/snapshot`)).body.service.certificates).toEqual(expected)
  const { body } = await get<{ items: Service[] }>('/services', { projectId: tree.project.id })
  const listed = Object.fromEntries(body.items.map((item) => [item.id, item.certificates]))
  expect(listed).toEqual({ [serviceId]: expected, [other.id]: [] })
})
