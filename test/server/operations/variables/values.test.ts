import { expect, test } from 'vitest'
import { testDashboard, testOrganization } from '#test/support/browser/dashboard.ts'

// The values of configuration, which the dashboard shows to members who may change it.

const t = testDashboard()
const acme = testOrganization(t)

test('variables.values shows configuration to members with write in its scope, and never a secret', async () => {
  const workspace = await t.create.workspace(acme)
  const { visitor } = acme
  const { id } = workspace
  const create = async (key: string, type: string) =>
    (await visitor.post<{ id: string }>('variables.workspace.create', { id, key, type, value: `the ${key}` })).data.id
  const base = await create('base', 'variable')
  await create('token', 'secret')
  await create('visits', 'metric')
  const input = { scope: 'workspace', resourceId: id }
  expect((await visitor.get('variables.values', input)).data).toEqual({ [base]: 'the base' })
  const levels = [
    [2, { status: 200 }],
    [1, { status: 404, code: 'not_found' }],
  ] as const
  for (const [level, expected] of levels) {
    const other = await t.signIn(await t.create.member(acme, { grants: [{ workspaceId: id, level }] }))
    expect(await other.get('variables.values', input)).toMatchObject(expected)
  }
  const ofOrganization = { scope: 'organization', resourceId: acme.id }
  const reader = await t.signIn(await t.create.member(acme, { sections: { settings: 'read' } }))
  expect(await reader.get('variables.values', ofOrganization)).toMatchObject({ code: 'insufficient_permissions' })
  expect((await visitor.get('variables.values', ofOrganization)).data).toEqual({})
})
