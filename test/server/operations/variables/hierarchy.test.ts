import { beforeAll, describe, expect, test } from 'vitest'
import { serviceStates } from '#db/schema/results.ts'
import type { VariableScope } from '#server/schemas/variables.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, MemberOptions, Organization } from '#test/support/factories.ts'

const api = testApi()
let organization: Organization
let owner: Key
let ids: { workspace: string; project: string; service: string; organization: string }

beforeAll(async () => {
  organization = await api.create.organization({ name: 'Acme' })
  owner = await api.create.key(organization.owner)
  const workspace = await api.create.workspace(organization, { name: 'Shop' })
  const project = await api.create.project(workspace, { name: 'Checkout' })
  const service = await api.create.service(project, { name: 'Pay' })
  ids = { workspace: workspace.id, project: project.id, service: service.id, organization: organization.id }
  for (const path of ['', `/workspaces/${ids.workspace}`, `/projects/${ids.project}`, `/services/${ids.service}`]) {
    for (const [key, type] of [
      ['m', 'metric'],
      ['v', 'variable'],
      ['s', 'secret'],
    ]) {
      await api.call(owner, 'POST', `${path}/variables`, { body: { key, value: '7', type } })
    }
  }
  // Another resource of each kind. Its variables must appear in no response.
  const other = await api.create.service(await api.create.project(await api.create.workspace(organization)))
  await api.call(owner, 'POST', `/services/${other.id}/variables`, { body: { key: 'other', value: '7' } })
})

async function read(key: Key, path: string): Promise<VariableScope[]> {
  const { status, body } = await api.call<{ scopes: VariableScope[] }>(key, 'GET', `${path}/variables/hierarchy`)
  expect(status).toBe(200)
  return body.scopes
}

async function keyOf(given: MemberOptions): Promise<Key> {
  return api.create.key(await api.create.member(organization, given))
}

const SCOPES = ['service', 'project', 'workspace', 'organization']

describe.each([
  ['workspace', 2],
  ['project', 1],
  ['service', 0],
] as const)('GET /%ss/{id}/variables/hierarchy', (type, from) => {
  const path = () => `/${type}s/${ids[type]}`

  test('200 every scope from the resource up to the organization, with names, prefixes and variables', async () => {
    const scopes = await read(owner, path())
    expect(scopes.map((s) => s.scope)).toEqual(SCOPES.slice(from))
    expect(scopes.map((s) => s.prefix)).toEqual(['$s.', '$p.', '$w.', '$o.'].slice(from))
    expect(scopes.map((s) => s.resourceName)).toEqual(['Pay', 'Checkout', 'Shop', 'Acme'].slice(from))
    expect(scopes.map((s) => s.resourceId)).toEqual(
      [ids.service, ids.project, ids.workspace, ids.organization].slice(from),
    )
    for (const scope of scopes) {
      expect(scope.editable).toBe(true)
      expect(scope.variables.map(({ key, value, masked }) => [key, value, masked])).toEqual([
        ['m', '7', false],
        ['v', '••••••', true],
        ['s', '••••••', true],
      ])
    }
  })

  test('200 with the locked variables of each scope, described', async () => {
    const scopes = await read(owner, path())
    const names = scopes.map((scope) => Object.fromEntries(scope.locked.map((one) => [one.key, one.value])))
    const expected = [
      { name: 'Pay', lastStatus: null, lastStatusSince: null, lastStatusConsecutive: '0' },
      { name: 'Checkout' },
      { name: 'Shop' },
      {},
    ]
    expect(names).toEqual(expected.slice(from))
    for (const one of scopes.flatMap((scope) => scope.locked)) expect(one.description).toMatch(/\.$|run$/)
  })
})

describe('what the caller may not read or write above the resource', () => {
  test('in a scope that the caller may not read, metrics are masked and nothing is editable', async () => {
    const scopes = await read(
      await keyOf({ grants: [{ serviceId: ids.service, level: 1 }] }),
      `/services/${ids.service}`,
    )
    expect(scopes.map((scope) => scope.editable)).toEqual([false, false, false, false])
    expect(scopes.map((scope) => scope.variables[0]?.value)).toEqual(['7', '••••••', '••••••', '••••••'])
    expect(scopes.map((scope) => scope.variables[0]?.masked)).toEqual([false, true, true, true])
  })

  test('each scope is judged by itself', async () => {
    const grants = [
      { serviceId: ids.service, level: 2 as const },
      { projectId: ids.project, level: 1 as const },
    ]
    const scopes = await read(await keyOf({ grants, sections: { settings: 'write' } }), `/services/${ids.service}`)
    expect(scopes.map((scope) => scope.editable)).toEqual([true, false, false, true])
    expect(scopes.map((scope) => scope.variables[0]?.masked)).toEqual([false, false, true, false])
  })
})

test('computed variables follow the runs of a service', async () => {
  const project = await api.create.project({ id: ids.workspace, organizationId: organization.id })
  const service = await api.create.service(project, { name: 'Ran' })
  const since = new Date('2026-03-04T05:06:07.008Z')
  await api.db.insert(serviceStates).values({
    serviceId: service.id,
    organizationId: organization.id,
    lastStatus: 'timeout',
    lastStatusSince: since,
    lastConsecutive: 12,
  })
  const [own] = await read(owner, `/services/${service.id}`)
  expect(Object.fromEntries((own?.locked ?? []).map((one) => [one.key, one.value]))).toEqual({
    name: 'Ran',
    lastStatus: 'timeout',
    lastStatusSince: since.toISOString(),
    lastStatusConsecutive: '12',
  })
})
