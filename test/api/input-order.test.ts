import { describe, expect, test } from 'vitest'
import { testApi } from '#test/support/api.ts'
import { createKey, createMember, createOrganization } from '#test/support/factories.ts'

const api = testApi()

describe('the order in which a request is refused', () => {
  test('bad input is said before a missing permission and before an absent resource', async () => {
    const organization = await createOrganization(api.db)
    const member = await createMember(api.db, organization)
    const key = await createKey(api.db, member)
    const refused = await api.call(key, 'POST', '/workspaces', { body: { name: '' } })
    expect(refused.body).toMatchObject({ error: 'invalid_request_body', details: { field: 'name' } })
    const absent = await api.call(key, 'PATCH', '/workspaces/00000000-0000-0000-0000-000000000001', {
      body: { name: 5 },
    })
    expect(absent.body).toMatchObject({ error: 'invalid_request_body', details: { field: 'name' } })
    const allowed = await api.call(key, 'POST', '/workspaces', { body: { name: 'A' } })
    expect(allowed.body).toEqual({ error: 'insufficient_permissions' })
  })
})
