import { describe, expect, test } from 'vitest'
import { testApi } from '#test/support/api/api.ts'

const api = testApi()

describe('the order in which a request is refused', () => {
  test('bad input comes before a missing permission and before a missing resource', async () => {
    const organization = await api.create.organization()
    const member = await api.create.member(organization)
    const key = await api.create.key(member)
    const refused = await api.call(key, 'POST', '/workspaces', { body: { name: '' } })
    expect(refused.body).toMatchObject({ error: 'invalid_request_body', details: { field: 'name' } })
    const absent = await api.call(key, 'PATCH', '/workspaces/00000000-0000-0000-0000-000000000001', {
      body: { name: 5 },
    })
    expect(absent.body).toMatchObject({ error: 'invalid_request_body', details: { field: 'name' } })
    const allowed = await api.call(key, 'POST', '/workspaces', { body: { name: 'A' } })
    expect(allowed.body).toEqual({ error: 'insufficient_permissions' })
  })

  test('so do fields that are wrong only together, or beyond their schema', async () => {
    const organization = await api.create.organization()
    const key = await api.create.key(await api.create.member(organization))
    const absent = '00000000-0000-0000-0000-000000000001'
    const calls = [
      ['POST', '/services', { projectId: absent, name: 'A', isActive: true }, 'field_required', 'script'],
      ['PATCH', `/services/${absent}`, { script: 'get("https://example.com")' }, 'field_required', 'version'],
      ['PATCH', `/services/${absent}`, { serviceWindow: 'always' }, 'field_invalid', 'serviceWindow'],
      ['PATCH', `/services/${absent}`, { timezone: 'Mars/Olympus' }, 'field_invalid', 'timezone'],
      ['POST', '/services', { projectId: absent, name: 'A', timezone: 'Mars/Olympus' }, 'field_invalid', 'timezone'],
      ['POST', '/silences', { channel: 'webhook', serviceId: absent }, 'field_invalid', 'channel'],
      ['PATCH', `/silences/${absent}`, { channel: 'webhook' }, 'field_invalid', 'channel'],
      ['PATCH', `/silences/${absent}`, { config: 'x' }, 'field_invalid', 'config'],
      ['PATCH', `/silences/${absent}`, { quietHours: 'always' }, 'field_invalid', 'quietHours'],
      ['PATCH', `/webhooks/bindings/${absent}`, {}, 'field_required', 'enabled'],
      [
        'PUT',
        `/access/service/${absent}`,
        { principalType: 'team', principalId: absent, permissions: 1 },
        'field_invalid',
        'principalType',
      ],
    ] as const
    for (const [method, path, body, error, field] of calls) {
      const answer = await api.call(key, method, path, { body })
      expect({ path, ...answer.body }).toMatchObject({ path, error, details: { field } })
    }
  })

  test('so does a page above the maximum for its size', async () => {
    const organization = await api.create.organization()
    const key = await api.create.key(await api.create.member(organization))
    const absent = '00000000-0000-0000-0000-000000000001'
    for (const path of ['/members', '/webhooks', '/variables', `/services/${absent}/results`]) {
      const { body } = await api.call(key, 'GET', path, { query: { page: 1001, pageSize: 100 } })
      expect({ path, ...body }).toMatchObject({ path, error: 'field_invalid', details: { field: 'page', max: 1000 } })
    }
  })
})
