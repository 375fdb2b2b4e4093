import { expect, test } from 'vitest'
import { testDashboard, testOrganization } from '#test/support/browser/dashboard.ts'

// Webhooks as the dashboard lists them.

const t = testDashboard()
const acme = testOrganization(t)

test('organization.webhooks.overview names receiver and bound places, as far as the reader sees them', async () => {
  const workspace = await t.create.workspace(acme)
  const create = (name: string, input: object) =>
    acme.visitor.post<{ id: string }>('organization.webhooks.create', { name, ...input })
  const bindings = [
    { resourceType: 'organization', resourceId: acme.id },
    { resourceType: 'workspace', resourceId: workspace.id },
  ]
  const chat = await create('Chat', { preset: 'slack', url: 'https://hooks.slack.com/services/T/B/x', bindings })
  const idle = await create('Idle', { url: 'https://hooks.example/', bindings: [] })
  const overview = { id: chat.data.id, name: 'Chat', receiver: 'Slack', bindingCount: 2 }
  expect((await acme.visitor.get('organization.webhooks.overview', {})).data).toMatchObject({
    total: 2,
    items: [
      {
        ...overview,
        bindings: [
          { resourceType: 'organization', resourceName: 'Acme' },
          { resourceType: 'workspace', resourceId: workspace.id, resourceName: workspace.name },
        ],
      },
      { id: idle.data.id, name: 'Idle', receiver: 'Generic (JSON), POST', bindingCount: 0, bindings: [] },
    ],
  })
  expect((await acme.visitor.get('organization.webhooks.overview', { q: 'idl' })).data).toMatchObject({ total: 1 })
  expect((await acme.visitor.get('organization.webhooks.summary', { id: chat.data.id })).data).toMatchObject(overview)
  expect((await acme.visitor.get('organization.webhooks.get', { id: chat.data.id })).data).toMatchObject({
    ...{ name: 'Chat', url: 'https://hooks.slack.com/…' },
  })
  const reader = await t.signIn(await t.create.member(acme, { sections: { webhooks: 'read' } }))
  expect((await reader.get('organization.webhooks.summary', { id: chat.data.id })).data).toMatchObject({
    bindings: [{ resourceName: 'Acme' }, { resourceType: 'workspace', resourceId: null, resourceName: null }],
  })
  expect(await reader.get('organization.webhooks.get', { id: chat.data.id })).toMatchObject({ status: 403 })
  const other = await t.signIn((await t.create.organization()).owner)
  for (const name of ['organization.webhooks.summary', 'organization.webhooks.get']) {
    expect(await other.get(name, { id: chat.data.id }), name).toMatchObject({ status: 404 })
  }
})

test('organization.webhooks.overview names the first three places of each webhook, and counts them all', async () => {
  const beta = await t.create.organization()
  const visitor = await t.signIn(beta.owner)
  const workspaces = await Promise.all(['A', 'B', 'C', 'D'].map((name) => t.create.workspace(beta, { name })))
  const bindings = workspaces.map(({ id }) => ({ resourceType: 'workspace', resourceId: id }))
  for (const name of ['One', 'Other']) {
    await visitor.post('organization.webhooks.create', { name, url: 'https://hooks.example/', bindings })
  }
  const shown = workspaces.slice(0, 3).map(({ name }) => ({ resourceName: name }))
  expect((await visitor.get('organization.webhooks.overview', {})).data).toMatchObject({
    items: [
      { name: 'One', bindingCount: 4, bindings: shown },
      { name: 'Other', bindingCount: 4, bindings: shown },
    ],
  })
})
