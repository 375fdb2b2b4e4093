import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { variables } from '#db/schema/scoped.ts'
import type { Page } from '#server/paging.ts'
import type { Scope } from '#server/schemas/scopes.ts'
import { MASK, type Variable } from '#server/schemas/variables.ts'
import { COMPUTED_VARIABLES } from '#server/scripts/computed-variables.ts'
import { testApi } from '#test/support/api/api.ts'
import { expectAbsent, refusal } from '#test/support/api/denied.ts'
import type { Key, MemberOptions, Organization } from '#test/support/factories.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

const api = testApi({ settings: { VARIABLES_PER_SCOPE_MAX: '3' } })
let owner: Key

type TestScope = {
  organization: Organization
  /** The paths of the scope and of another scope of its kind. */
  path: string
  siblingPath: string
  columns: { organizationId: string; workspaceId?: string; projectId?: string; serviceId?: string }
}

/** Creates an empty scope in a new organization. */
async function createTestScope(scope: Scope): Promise<TestScope> {
  const organization = await api.create.organization()
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace)
  const organizationId = organization.id
  switch (scope) {
    case 'organization':
      return { organization, path: '', siblingPath: `/projects/${project.id}`, columns: { organizationId } }
    case 'workspace': {
      const other = await api.create.workspace(organization)
      const columns = { organizationId, workspaceId: workspace.id }
      return { organization, path: `/workspaces/${workspace.id}`, siblingPath: `/workspaces/${other.id}`, columns }
    }
    case 'project': {
      const other = await api.create.project(workspace)
      const columns = { organizationId, projectId: project.id }
      return { organization, path: `/projects/${project.id}`, siblingPath: `/projects/${other.id}`, columns }
    }
    case 'service': {
      const [one, other] = [await api.create.service(project), await api.create.service(project)]
      const columns = { organizationId, serviceId: one.id }
      return { organization, path: `/services/${one.id}`, siblingPath: `/services/${other.id}`, columns }
    }
  }
}

/** Returns the options of a member with a level on the scope only. */
function holding(scope: Scope, testScope: TestScope, level: 1 | 2): MemberOptions {
  if (scope === 'organization') return { sections: { settings: level === 1 ? 'read' : 'write' } }
  const { organizationId: _, ...on } = testScope.columns
  return { grants: [{ ...on, level }] }
}

async function keyOf(organization: Organization, given: MemberOptions = {}): Promise<Key> {
  return api.create.key(await api.create.member(organization, given))
}

/** Inserts a variable as a run's write-back or the creation of a service does. */
async function seed(testScope: TestScope, given: Partial<typeof variables.$inferInsert>): Promise<string> {
  const id = uuidv7()
  await api.db
    .insert(variables)
    .values({ id, ...testScope.columns, key: `k_${id.slice(-8)}`, type: 'metric', value: '1', ...given })
  return id
}

function create(key: Key, testScope: TestScope, body: unknown) {
  return api.call<Variable>(key, 'POST', `${testScope.path}/variables`, { body })
}

describe.each(['organization', 'workspace', 'project', 'service'] as const)('variables of a %s', (scope) => {
  let testScope: TestScope
  beforeAll(async () => {
    testScope = await createTestScope(scope)
    owner = await api.create.key(testScope.organization.owner)
  })

  describe('GET', () => {
    test('200 oldest first by creation, then id, of this scope alone', async () => {
      const fresh = await createTestScope(scope)
      const key = await api.create.key(fresh.organization.owner)
      const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
      const made = [
        { id: await seed(fresh, { createdAt: at(2) }), minute: 2 },
        { id: await seed(fresh, { createdAt: at(1) }), minute: 1 },
        { id: await seed(fresh, { createdAt: at(2) }), minute: 2 },
      ]
      await api.call(key, 'POST', `${fresh.siblingPath}/variables`, { body: { key: 'elsewhere', value: 'x' } })
      const expected = made.toSorted((a, b) => a.minute - b.minute || (a.id < b.id ? -1 : 1)).map((one) => one.id)
      const { body } = await api.call<Page<Variable>>(key, 'GET', `${fresh.path}/variables`)
      expect(body.items.map((item) => item.id)).toEqual(expected)
      expect(body).toMatchObject({ total: 3, page: 1, pageSize: 50 })
      const query = { page: 2, pageSize: 2 }
      const second = await api.call<Page<Variable>>(key, 'GET', `${fresh.path}/variables`, { query })
      expect(second.body).toMatchObject({ items: [{ id: expected[2] }], total: 3, page: 2, pageSize: 2 })
    })

    test('200 masks encrypted values and shows metrics, to readers and writers alike', async () => {
      const fresh = await createTestScope(scope)
      const writer = await keyOf(fresh.organization, holding(scope, fresh, 2))
      const given = { variable: 'https://example.com', secret: 'hunter2 hunter2', metric: '41.5' }
      for (const [type, value] of Object.entries(given)) await create(writer, fresh, { key: type, value, type })
      for (const key of [writer, await keyOf(fresh.organization, holding(scope, fresh, 1))]) {
        const { body } = await api.call<Page<Variable>>(key, 'GET', `${fresh.path}/variables`)
        expect(body.items.map(({ type, value, masked }) => ({ type, value, masked }))).toEqual([
          { type: 'variable', value: '••••••', masked: true },
          { type: 'secret', value: '••••••', masked: true },
          { type: 'metric', value: '41.5', masked: false },
        ])
      }
    })
  })

  describe('POST', () => {
    test('200 with the type variable unless another is said, sealed and audited without its value', async () => {
      const fresh = await createTestScope(scope)
      const key = await api.create.key(fresh.organization.owner)
      const { status, body } = await create(key, fresh, { key: 'base_url', value: 'https://hidden.example' })
      expect(status).toBe(200)
      expect(body).toEqual({
        id: expect.any(String),
        key: 'base_url',
        value: MASK,
        type: 'variable',
        masked: true,
        systemType: null,
        isScriptWritten: false,
        allowedHosts: [],
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
      })
      const [row] = await api.db.select().from(variables).where(eq(variables.id, body.id))
      expect(row).toMatchObject({ ...fresh.columns, value: null })
      expect(row?.sealed?.includes('hidden')).toBe(false)
      const { vault } = api.runtime
      expect(vault.open(row?.sealed as Buffer, 'variable', fresh.organization.id, body.id)).toBe(
        'https://hidden.example',
      )
      // The sealed value is bound to its row: a copy in another row does not open.
      expect(() => vault.open(row?.sealed as Buffer, 'variable', fresh.organization.id, randomUUID())).toThrow()
      const [entry] = await auditOf(api.db, body.id)
      expect(entry).toMatchObject({ action: 'variable.create', entityName: 'base_url', keyName: key.name })
      expect(JSON.stringify(entry)).not.toContain('hidden')
    })

    test('200 at the length of key and value, 400 invalid_request_body past it and for other malformed fields', async () => {
      const longest = { key: 'k'.repeat(64), value: 'v'.repeat(4_096) }
      const fresh = await createTestScope(scope)
      const key = await api.create.key(fresh.organization.owner)
      expect((await create(key, fresh, longest)).status).toBe(200)
      expect((await create(key, fresh, { key: 'empty', value: '' })).status).toBe(200)
      const wrong: [string, object][] = [
        ['key', { value: 'x' }],
        ['key', { key: 'k'.repeat(65), value: 'x' }],
        ['key', { key: '', value: 'x' }],
        ['key', { key: '1a', value: 'x' }],
        ['key', { key: 'a-b', value: 'x' }],
        ['key', { key: 7, value: 'x' }],
        ['value', { key: 'a' }],
        ['value', { key: 'a', value: 'v'.repeat(4_097) }],
        ['value', { key: 'a', value: 1 }],
        ['value', { key: 'a', value: 'a\u0000b' }],
        ['type', { key: 'a', value: 'x', type: 'other' }],
      ]
      for (const [field, body] of wrong) {
        const answer = await create(key, fresh, body)
        expect(refusal(answer), JSON.stringify(body).slice(0, 60)).toMatchObject({
          status: 400,
          error: 'invalid_request_body',
          details: { field, reason: expect.any(String) },
        })
      }
    })

    test('400 reserved_key for the computed ones of this scope only', async () => {
      const fresh = await createTestScope(scope)
      const key = await api.create.key(fresh.organization.owner)
      const reserved = COMPUTED_VARIABLES[scope].map((computed) => computed.key)
      for (const name of reserved) {
        expect(refusal(await create(key, fresh, { key: name, value: 'x' }))).toEqual({
          status: 400,
          error: 'reserved_key',
          details: { key: name },
        })
      }
      expect(reserved).toEqual(
        { organization: [], workspace: ['name'], project: ['name'], service: SERVICE_COMPUTED }[scope],
      )
      const free = ['name', ...SERVICE_COMPUTED].find((name) => !reserved.includes(name)) ?? 'Name'
      expect((await create(key, fresh, { key: free, value: 'x' })).status).toBe(200)
    })

    test('400 variable_limit_reached at the limit, not counting system variables, also by many at once', async () => {
      const fresh = await createTestScope(scope)
      const key = await api.create.key(fresh.organization.owner)
      if (scope === 'service') await seed(fresh, { key: 'confirmFailures', systemType: 'integer' })
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => create(key, fresh, { key: `v${index}`, value: 'x' })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 400, 400, 400, 400, 400])
      const refused = answers.filter((answer) => answer.status === 400)
      for (const answer of refused) expect(refusal(answer)).toMatchObject({ error: 'variable_limit_reached' })
      // A deletion makes room for another.
      const made = answers.find((answer) => answer.status === 200)?.body as Variable
      await api.call(key, 'DELETE', `${fresh.path}/variables/${made.id}`)
      expect((await create(key, fresh, { key: 'again', value: 'x' })).status).toBe(200)
    })

    test('409 already_exists in this scope, not in another; before the limit is', async () => {
      const fresh = await createTestScope(scope)
      const key = await api.create.key(fresh.organization.owner)
      const first = await create(key, fresh, { key: 'a', value: 'x' })
      for (const name of ['b', 'c']) await create(key, fresh, { key: name, value: 'x' })
      expect(refusal(await create(key, fresh, { key: 'a', value: 'y' }))).toEqual({
        status: 409,
        error: 'already_exists',
        details: { field: 'key', id: (first.body as Variable).id },
      })
      const body = { key: 'a', value: 'x' }
      expect((await api.call(key, 'POST', `${fresh.siblingPath}/variables`, { body })).status).toBe(200)
      // Keys are case-sensitive.
      await api.db.delete(variables).where(eq(variables.key, 'c'))
      expect((await create(key, fresh, { key: 'A', value: 'x' })).status).toBe(200)
    })
  })

  describe('PATCH', () => {
    test('200 replaces the value and keeps the type', async () => {
      const fresh = await createTestScope(scope)
      const key = await api.create.key(fresh.organization.owner)
      for (const type of ['variable', 'secret', 'metric'] as const) {
        const made = (await create(key, fresh, { key: type, value: 'before', type })).body
        const path = `${fresh.path}/variables/${made.id}`
        const { status, body } = await api.call<Variable>(key, 'PATCH', path, { body: { value: 'after' } })
        expect(status).toBe(200)
        expect(body).toMatchObject({ id: made.id, key: type, type, value: type === 'metric' ? 'after' : MASK })
        expect(body.updatedAt >= made.updatedAt).toBe(true)
        const [row] = await api.db.select().from(variables).where(eq(variables.id, made.id))
        const { vault } = api.runtime
        const kept = row?.sealed ? vault.open(row.sealed, 'variable', fresh.organization.id, made.id) : row?.value
        expect(kept).toBe('after')
        expect(await actionsOn(api.db, made.id)).toEqual(['variable.create', 'variable.update'])
        expect(JSON.stringify(await auditOf(api.db, made.id))).not.toMatch(/before|after/)
      }
    })
  })

  describe('DELETE', () => {
    test('200 and it is gone', async () => {
      const id = await seed(testScope, {})
      const path = `${testScope.path}/variables/${id}`
      expect((await api.call(owner, 'DELETE', path)).body).toEqual({ ok: true })
      expect(await actionsOn(api.db, id)).toEqual(['variable.delete'])
      expectAbsent([await api.call(owner, 'DELETE', path)])
    })
  })
})

const SERVICE_COMPUTED = ['name', 'lastStatus', 'lastStatusSince', 'lastStatusConsecutive']

describe('variables that a service is seeded with, or that scripts write', () => {
  let testScope: TestScope
  let key: Key
  beforeAll(async () => {
    testScope = await createTestScope('project')
    key = await api.create.key(testScope.organization.owner)
  })

  /** Created by the API, which adds the system variables. */
  async function seeded() {
    const body = { projectId: testScope.columns.projectId, name: `S ${randomUUID()}` }
    const { id } = (await api.call<{ id: string }>(key, 'POST', '/services', { body })).body
    const path = `/services/${id}/variables`
    const { items } = (await api.call<Page<Variable>>(key, 'GET', path)).body
    return { id, path, of: (name: string) => items.find((item) => item.key === name) as Variable, items }
  }

  test('200 lists the system variables of a new service', async () => {
    const { items } = await seeded()
    const shown = items.map(({ key, value, type, masked, systemType }) => ({ key, value, type, masked, systemType }))
    expect(shown.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: 'alertOnRecovery', value: 'true', type: 'metric', masked: false, systemType: 'boolean' },
      { key: 'confirmFailures', value: '1', type: 'metric', masked: false, systemType: 'integer' },
      { key: 'confirmRecoveries', value: '1', type: 'metric', masked: false, systemType: 'integer' },
      { key: 'recheckSeconds', value: '10', type: 'metric', masked: false, systemType: 'integer' },
      { key: 'recheckWrites', value: 'false', type: 'metric', masked: false, systemType: 'boolean' },
      { key: 'remindMinutes', value: '0', type: 'metric', masked: false, systemType: 'integer' },
    ])
  })

  test('409 already_exists for their keys', async () => {
    const { path, of } = await seeded()
    const answer = await api.call(key, 'POST', path, { body: { key: 'confirmFailures', value: '2', type: 'metric' } })
    const details = { field: 'key', id: of('confirmFailures').id }
    expect(refusal(answer)).toEqual({ status: 409, error: 'already_exists', details })
  })

  test('200 for a value their type allows, 400 field_invalid for another', async () => {
    const { path, of } = await seeded()
    const change = (name: string, value: string) =>
      api.call(key, 'PATCH', `${path}/${of(name).id}`, { body: { value } })
    for (const value of ['1', '2', '10']) expect((await change('confirmFailures', value)).status).toBe(200)
    for (const value of ['0', '5', '10080']) expect((await change('remindMinutes', value)).status).toBe(200)
    for (const value of ['true', 'false']) expect((await change('alertOnRecovery', value)).status).toBe(200)
    const wrong = {
      recheckSeconds: ['-1', '301', '1.5', ''],
      recheckWrites: ['0', 'yes'],
      confirmRecoveries: ['0', '11'],
      confirmFailures: ['0', '11', '-1', '1.5', '01', ' 1', '', 'one'],
      alertOnRecovery: ['yes', '1', ''],
      remindMinutes: ['10081', '-1', '1.5', '05', '', 'never'],
    }
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        expect(refusal(await change(name, value)), `${name} ${value}`).toMatchObject({
          status: 400,
          error: 'field_invalid',
          details: { field: 'value', reason: expect.any(String) },
        })
      }
    }
  })

  test('400 system_variable when deleted', async () => {
    const { path, of } = await seeded()
    for (const name of ['confirmFailures', 'recheckSeconds', 'alertOnRecovery', 'remindMinutes']) {
      const answer = await api.call(key, 'DELETE', `${path}/${of(name).id}`)
      expect(refusal(answer)).toEqual({ status: 400, error: 'system_variable', details: { key: name } })
    }
  })

  test('400 readonly_variable for a metric that a script wrote; it can be deleted', async () => {
    const service = await seeded()
    const columns = { organizationId: testScope.organization.id, serviceId: service.id }
    const id = await seed({ ...testScope, columns }, { isScriptWritten: true })
    const answer = await api.call(key, 'PATCH', `${service.path}/${id}`, { body: { value: '2' } })
    expect(refusal(answer)).toMatchObject({
      status: 400,
      error: 'readonly_variable',
      details: { key: expect.any(String) },
    })
    expect((await api.call(key, 'DELETE', `${service.path}/${id}`)).status).toBe(200)
  })
})
