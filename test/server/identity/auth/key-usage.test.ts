import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { createFacade, type Facade } from '#server/fronts/rest/facade.ts'
import { createKeyUsage } from '#server/identity/auth/key-usage.ts'
import type { KeyUsage } from '#server/schemas/organization/organizations.ts'
import { buildRequest } from '#test/support/api/api.ts'
import { testDashboard } from '#test/support/browser/dashboard.ts'
import type { Key, Organization } from '#test/support/factories.ts'

const t = testDashboard()
let facade: Facade
let organization: Organization
let key: Key

beforeAll(async () => {
  facade = createFacade(t.runtime)
  organization = await t.create.organization()
  key = await t.create.key(organization.owner)
})

function call(caller: Key, method: string, path: string): Promise<Response> {
  return facade(buildRequest(caller, method, path, {}), { address: '127.0.0.1' })
}

describe('organization.audit.keyUsage', () => {
  type Page = { items: KeyUsage[]; total: number }

  test('counts requests by key, operation and hour, refused ones separately, and adds to stored counts', async () => {
    const other = await t.create.key(organization.owner)
    await call(key, 'GET', '/key')
    await call(key, 'GET', '/key')
    await call(key, 'GET', '/workspaces?page=0')
    await call(key, 'HEAD', '/workspaces')
    await call(key, 'GET', '/nowhere')
    await call(other, 'GET', '/key')
    await facade.flush()
    await call(key, 'GET', '/key')
    await facade.flush()

    const visitor = await t.signIn(organization.owner)
    const list = async (input?: object) => (await visitor.get<Page>('organization.audit.keyUsage', input)).data
    const { items, total } = await list({ keyId: key.id })
    expect(total).toBe(2)
    expect(items.map(({ operation, requests, refused }) => ({ operation, requests, refused }))).toEqual([
      { operation: 'getKey', requests: 3, refused: 0 },
      { operation: 'listWorkspaces', requests: 2, refused: 1 },
    ])
    expect(items[0]).toMatchObject({
      hour: expect.stringMatching(/:00:00\.000Z$/),
      key: { id: key.id, name: key.name },
      member: { id: organization.owner.userId, email: organization.owner.email },
      lastUsedAt: expect.any(String),
    })
    expect((await list()).total).toBe(3)
    expect((await list({ page: 3, pageSize: 1 })).items).toHaveLength(1)
  })

  test('keeps counts that could not be stored', async () => {
    await t.db.execute(sql`alter table key_usage rename to key_usage_away`)
    await call(key, 'GET', '/groups')
    await facade.flush()
    await t.db.execute(sql`alter table key_usage_away rename to key_usage`)
    await facade.flush()
    const rows = await t.db.execute(sql`select requests from key_usage where operation = 'listGroups'`)
    expect([...rows]).toEqual([{ requests: 1 }])
  })

  test('counts a request in the hour of its arrival, however late it is stored', async () => {
    let now = new Date()
    const usage = createKeyUsage({ db: t.db, now: () => now })
    for (const at of ['2026-01-31T09:59:58.000Z', '2026-01-31T09:59:59.900Z', '2026-01-31T10:00:00.100Z']) {
      now = new Date(at)
      usage.add({ organizationId: organization.id, id: key.id }, 'listDomains', false)
    }
    await usage.flush()
    const visitor = await t.signIn(organization.owner)
    const { items } = (await visitor.get<Page>('organization.audit.keyUsage', { keyId: key.id })).data
    const found = items.filter(({ operation }) => operation === 'listDomains')
    expect(found.map(({ hour, requests, lastUsedAt }) => ({ hour, requests, lastUsedAt }))).toEqual([
      { hour: '2026-01-31T10:00:00.000Z', requests: 1, lastUsedAt: '2026-01-31T10:00:00.100Z' },
      { hour: '2026-01-31T09:00:00.000Z', requests: 2, lastUsedAt: '2026-01-31T09:59:59.900Z' },
    ])
  })

  test('needs settings read, and shows no other organization', async () => {
    const stranger = await t.signIn((await t.create.organization()).owner)
    expect((await stranger.get<Page>('organization.audit.keyUsage')).data).toMatchObject({ items: [], total: 0 })
    const member = await t.signIn(await t.create.member(organization, { sections: { users: 'write' } }))
    expect(await member.get('organization.audit.keyUsage')).toMatchObject({ status: 403 })
  })
})
