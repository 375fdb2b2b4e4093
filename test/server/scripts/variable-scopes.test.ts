import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import { readVariableScopes, readVariableScopesOf } from '#server/scripts/variable-scopes.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Organization } from '#test/support/factories.ts'
import { setState } from '#test/support/runs/results.ts'

const api = testApi()
type Tree = Awaited<ReturnType<typeof createTree>>
let tree: Tree

async function createTree(organization: Organization) {
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace)
  return { organization, workspace, project, service: await api.create.service(project) }
}

beforeAll(async () => {
  tree = await createTree(await api.create.organization())
})

type Owner = Partial<Pick<typeof variables.$inferInsert, 'workspaceId' | 'projectId' | 'serviceId'>>

async function store(owner: Owner, key: string, value: string, type: 'variable' | 'secret' | 'metric' = 'variable') {
  const id = uuidv7()
  const organizationId = tree.organization.id
  const sealed = type === 'metric' ? null : api.runtime.vault.seal(value, 'variable', organizationId, id)
  await api.db
    .insert(variables)
    .values({ id, organizationId, ...owner, key, type, sealed, value: type === 'metric' ? value : null })
}

function read(service = tree.service) {
  return readVariableScopes(api.db, api.runtime.vault, service)
}

describe('the variables of a script', () => {
  test('each scope has its own variables and computed variables', async () => {
    const { workspace, project, service } = tree
    await store({}, 'base', 'organization')
    await store({ workspaceId: workspace.id }, 'base', 'workspace')
    await store({ projectId: project.id }, 'base', 'project')
    await store({ serviceId: service.id }, 'base', 'service')
    const sibling = await createTree(tree.organization)
    await store({ workspaceId: sibling.workspace.id }, 'other', 'x')
    await store({ serviceId: sibling.service.id }, 'other', 'x')
    const { values } = await read()
    expect(values).toEqual({
      o: { base: 'organization' },
      w: { base: 'workspace', name: workspace.name },
      p: { base: 'project', name: project.name },
      s: {
        base: 'service',
        name: service.name,
        lastStatus: null,
        lastStatusSince: null,
        lastStatusConsecutive: 0,
      },
    })
  })

  test('computed values follow the state of the service', async () => {
    const service = await api.create.service(tree.project)
    await setState(api.db, service, {
      lastStatus: 'timeout',
      lastStatusSince: new Date('2026-11-20T12:00:00Z'),
      lastConsecutive: 4,
    })
    expect((await read(service)).values.s).toMatchObject({
      lastStatus: 'timeout',
      lastStatusSince: '2026-11-20T12:00:00.000Z',
      lastStatusConsecutive: 4,
    })
  })

  test('a metric gets the type of its value; other variables are strings', async () => {
    const service = await api.create.service(tree.project)
    const metrics: [string, string | number | boolean | null][] = [
      ['1', 1],
      ['-2.5', -2.5],
      ['1e+21', 1e21],
      ['true', true],
      ['false', false],
      ['null', null],
      ['007', '007'],
      ['1.0', '1.0'],
      ['12345678901234567890', '12345678901234567890'],
      ['NaN', 'NaN'],
      ['Infinity', 'Infinity'],
      ['', ''],
      [' 1', ' 1'],
      ['up', 'up'],
    ]
    for (const [i, [text]] of metrics.entries()) await store({ serviceId: service.id }, `m${i}`, text, 'metric')
    await store({ serviceId: service.id }, 'port', '8080')
    await store({ serviceId: service.id }, 'pin', '1234', 'secret')
    const { values } = await read(service)
    expect(metrics.map((_, i) => values.s[`m${i}`])).toEqual(metrics.map(([, value]) => value))
    expect(values.s).toMatchObject({ port: '8080', pin: '1234' })
  })

  test('secrets are marked; their values are listed once, without empty ones', async () => {
    const { workspace } = tree
    const service = await api.create.service(tree.project)
    await store({ workspaceId: workspace.id }, 'token', 'abc', 'secret')
    await store({ serviceId: service.id }, 'token', 'abc', 'secret')
    await store({ serviceId: service.id }, 'password', 'def', 'secret')
    await store({ serviceId: service.id }, 'nothing', '', 'secret')
    await store({ serviceId: service.id }, 'base', 'https://example.com')
    const { secrets, kindOf } = await read(service)
    const isSecret = (scope: string, key: string) => kindOf(scope, key) === 'secret'
    expect(secrets.toSorted()).toEqual(['abc', 'def'])
    expect([isSecret('s', 'token'), isSecret('w', 'token'), isSecret('s', 'nothing')]).toEqual([true, true, true])
    expect([isSecret('s', 'base'), isSecret('p', 'token'), isSecret('s', 'name')]).toEqual([false, false, false])
  })

  test('no key reaches a prototype', async () => {
    const service = await api.create.service(tree.project)
    for (const key of ['__proto__', 'constructor', 'toString']) await store({ serviceId: service.id }, key, 'mine')
    const { values } = await read(service)
    expect(Object.keys(values.s)).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'toString']))
    expect(values.s.toString).toBe('mine')
    expect(values.p.toString).toBeUndefined()
    expect(({} as Record<string, unknown>).mine).toBeUndefined()
  })

  test('reading many services at once returns the same as reading each', async () => {
    const sibling = await createTree(tree.organization)
    const rows = await api.db.select().from(services).where(eq(services.organizationId, tree.organization.id))
    expect(rows.length).toBeGreaterThan(3)
    const found = await readVariableScopesOf(api.db, api.runtime.vault, rows)
    for (const row of rows) expect(found.get(row.id)?.values).toEqual((await read(row)).values)
    expect(found.get(sibling.service.id)?.values.w.name).toBe(sibling.workspace.name)
    expect(await readVariableScopesOf(api.db, api.runtime.vault, [])).toEqual(new Map())
  })

  test('a value sealed for another row does not open', async () => {
    const service = await api.create.service(tree.project)
    const id = uuidv7()
    const sealed = api.runtime.vault.seal('moved', 'variable', tree.organization.id, uuidv7())
    await api.db.insert(variables).values({
      id,
      organizationId: tree.organization.id,
      serviceId: service.id,
      key: 'moved',
      type: 'secret',
      sealed,
    })
    await expect(read(service)).rejects.toThrow()
  })
})
