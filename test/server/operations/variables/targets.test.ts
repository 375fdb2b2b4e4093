import { describe, expect, test } from 'vitest'
import type { Scope } from '#server/schemas/scopes.ts'
import type { Service } from '#server/schemas/services.ts'
import { MASK, type Variable } from '#server/schemas/variables.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { unique } from '#test/support/factories.ts'
import { probeOf } from '#test/support/runs/scripts.ts'

// What a service shows of its targets after a variable that its script names has changed.

const api = testApi()
const tree = testTree(api)

const PREFIXES: Record<Scope, string> = { organization: '$o.', workspace: '$w.', project: '$p.', service: '$s.' }

async function createService(script: string, projectId = tree.project.id): Promise<Service> {
  const body = { projectId, name: unique('S'), script, isActive: false }
  const created = await api.call<Service>(tree.owner, 'POST', '/services', { body })
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  return created.body
}

async function targetsOf({ id }: Service): Promise<string[]> {
  return (await api.call<Service>(tree.owner, 'GET', `/services/${id}`)).body.unverifiedTargets
}

function pathOf(scope: Scope, service: Service): string {
  if (scope === 'organization') return '/variables'
  const ids = { workspace: tree.workspace.id, project: tree.project.id, service: service.id }
  return `/${scope}s/${ids[scope]}/variables`
}

describe.each(['organization', 'workspace', 'project', 'service'] as const)('a variable of a %s', (scope) => {
  test('that is created, changed and deleted tells its services which hosts they target', async () => {
    const key = unique('base').replace('-', '_')
    const service = await createService(probeOf(`${PREFIXES[scope]}${key}/`))
    const other = await createService(probeOf('https://other.example.com/'))
    expect(await targetsOf(service)).toEqual([])
    const path = pathOf(scope, service)
    const body = { key, value: 'https://one.example.com' }
    const { id } = (await api.call<Variable>(tree.owner, 'POST', path, { body })).body
    expect(await targetsOf(service)).toEqual(['one.example.com'])
    await api.call(tree.owner, 'PATCH', `${path}/${id}`, { body: { value: 'https://two.example.com' } })
    expect(await targetsOf(service)).toEqual(['two.example.com'])
    await api.call(tree.owner, 'DELETE', `${path}/${id}`)
    expect(await targetsOf(service)).toEqual([])
    expect(await targetsOf(other)).toEqual(['other.example.com'])
  })
})

test('two changes at once leave what the values are', async () => {
  const service = await createService(`${probeOf('$s.one/')}\n${probeOf('$s.two/')}`)
  const path = pathOf('service', service)
  await Promise.all(
    ['one', 'two'].map((key) =>
      api.call(tree.owner, 'POST', path, { body: { key, value: `https://${key}.example.com` } }),
    ),
  )
  expect(await targetsOf(service)).toEqual(['one.example.com', 'two.example.com'])
})

test('a service that is moved targets what the variables of its new project say', async () => {
  const project = await api.create.project(tree.workspace)
  for (const [id, value] of [
    [tree.project.id, 'https://old.example.com'],
    [project.id, 'https://new.example.com'],
  ]) {
    await api.call(tree.owner, 'POST', `/projects/${id}/variables`, { body: { key: 'moving', value } })
  }
  const service = await createService(probeOf('$p.moving/'))
  expect(await targetsOf(service)).toEqual(['old.example.com'])
  const caller = await api.caller(tree.organization.owner)
  await caller.services.bulk.move({ ids: [service.id], projectId: project.id })
  expect(await targetsOf(service)).toEqual(['new.example.com'])
})

test('400 field_invalid for the mask as the value of a variable, which then keeps its own', async () => {
  const service = await createService(probeOf('$s.masked/'))
  const path = pathOf('service', service)
  const body = { key: 'masked', value: 'https://kept.example.com' }
  const { id } = (await api.call<Variable>(tree.owner, 'POST', path, { body })).body
  const refused = { status: 400, body: { error: 'field_invalid', details: { field: 'value' } } }
  expect(await api.call(tree.owner, 'PATCH', `${path}/${id}`, { body: { value: MASK } })).toMatchObject(refused)
  expect(await api.call(tree.owner, 'POST', path, { body: { key: 'copy', value: MASK } })).toMatchObject(refused)
  expect(await targetsOf(service)).toEqual(['kept.example.com'])
})
