import { beforeEach, describe, expect, test } from 'vitest'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Tree } from '#test/support/factories.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()

let tree: Tree
beforeEach(async () => {
  tree = await api.create.tree()
})

const create = (body: object) =>
  api.call<Service>(tree.owner, 'POST', '/services', { body: { projectId: tree.project.id, name: 'Shop', ...body } })
const change = (id: string, body: object) => api.call<Service>(tree.owner, 'PATCH', `/services/${id}`, { body })
const withLabels = (labels: string[]) => api.create.service(tree.project, { labels })

describe('the labels of a service', () => {
  test('are set together, and `label` is the first of them', async () => {
    const created = await create({ labels: ['prod', 'shop'] })
    expect(created.body).toMatchObject({ label: 'prod', labels: ['prod', 'shop'] })
    const { id } = created.body
    const changed = await change(id, { labels: [' shop ', 'eu'] })
    expect(changed.body).toMatchObject({ label: 'shop', labels: ['shop', 'eu'] })
    expect((await auditOf(api.db, id)).at(-1)?.details).toEqual({
      labels: { from: ['prod', 'shop'], to: ['shop', 'eu'] },
    })
    expect((await change(id, { labels: [] })).body).toMatchObject({ label: null, labels: [] })
    expect((await create({ name: 'One', label: 'prod' })).body).toMatchObject({ label: 'prod', labels: ['prod'] })
    expect((await create({ name: 'Both', label: 'a', labels: ['a', 'b'] })).body).toMatchObject({ labels: ['a', 'b'] })
  })

  test.each([
    ['a text replaces the first', 'x', ['x', 'b', 'c']],
    ['a text that it has comes first', 'c', ['c', 'b']],
    ['null removes all', null, []],
    ['an empty text removes all', '', []],
  ])('change by `label` alone: %s', async (_, label, labels) => {
    const { id } = await withLabels(['a', 'b', 'c'])
    const { body } = await change(id, { label })
    expect(body).toMatchObject({ label: labels[0] ?? null, labels })
    const read = await api.call<Service>(tree.owner, 'GET', `/services/${id}`)
    expect(read.body.labels).toEqual(labels)
  })

  test.each([
    [{ label: 'b', labels: ['a', 'b'] }, 'field_invalid', 'label', 'must be the first of labels, or be left out'],
    [{ label: null, labels: ['a'] }, 'field_invalid', 'label', 'must be the first of labels, or be left out'],
    [{ labels: ['a', 'b', 'a'] }, 'invalid_request_body', 'labels.2', 'must not be given twice'],
    [{ labels: 'abcdefghijk'.split('') }, 'invalid_request_body', 'labels', expect.stringContaining('10')],
    [{ labels: ['x'.repeat(33)] }, 'invalid_request_body', 'labels.0', expect.stringContaining('32')],
    [{ labels: [''] }, 'invalid_request_body', 'labels.0', expect.any(String)],
  ])('are refused: %j', async (body, error, field, reason) => {
    const { id } = await withLabels(['old'])
    const refused = { status: 400, body: { error, details: { field, reason } } }
    expect(await change(id, body)).toMatchObject(refused)
    expect(await create(body)).toMatchObject(refused)
    expect((await api.call<Service>(tree.owner, 'GET', `/services/${id}`)).body.labels).toEqual(['old'])
  })
})

test('every label counts where services are chosen by one: severity, maintenance and batch', async () => {
  const service = await withLabels(['eu', 'CRITICAL', 'low'])
  const other = await withLabels(['eu'])
  const incident = await createIncident(api.db, service)
  const shown = await api.call(tree.owner, 'GET', `/incidents/${incident.id}`)
  expect(shown.body).toMatchObject({ severity: 'critical', severitySource: 'label' })
  const body = { projectId: tree.project.id, label: 'low', minutes: 10 }
  const held = await api.call<{ id: string }>(tree.owner, 'POST', '/maintenances', { body })
  expect(held.status).toBe(200)
  const read = async (id: string) => (await api.call<Service>(tree.owner, 'GET', `/services/${id}`)).body
  expect((await read(service.id)).maintenance).toMatchObject({ id: held.body.id })
  expect((await read(other.id)).maintenance).toBeNull()
  const list = await api.call<{ items: { id: string }[] }>(tree.owner, 'GET', '/maintenances', {
    query: { serviceId: service.id },
  })
  expect(list.body.items).toHaveLength(1)
  const batch = await api.call<{ runs: { serviceId: string }[] }>(
    tree.owner,
    'POST',
    `/projects/${tree.project.id}/run`,
    {
      body: { label: 'low' },
    },
  )
  expect(batch.body.runs.map(({ serviceId }) => serviceId)).toEqual([service.id])
})
