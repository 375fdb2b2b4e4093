import { beforeAll, expect, test } from 'vitest'
import { testApi } from '#test/support/api/api.ts'
import type { Key } from '#test/support/factories.ts'

// Each reason names what is wrong with the value itself, in JSON's words. `zod-messages.test.ts` goes through every code
// that schemas have; here they come over the API, from each place that a field can be in.

const api = testApi()
let key: Key
beforeAll(async () => {
  key = await api.create.key((await api.create.organization()).owner)
})

const ID = '00000000-0000-0000-0000-000000000001'

const query: [path: string, field: string, value: string, reason: string][] = [
  ['/workspaces', 'page', '-1', 'must be at least 1'],
  ['/workspaces', 'page', '0', 'must be at least 1'],
  ['/workspaces', 'page', 'x', 'must be an integer'],
  ['/workspaces', 'page', '1.5', 'must be an integer'],
  ['/workspaces', 'page', '2001', 'must be at most 2000 with this pageSize'],
  ['/workspaces', 'page', '100001', 'must be at most 2000 with this pageSize'],
  ['/workspaces', 'page', '9'.repeat(400), 'must be at most 2000 with this pageSize'],
  ['/workspaces', 'pageSize', `-${'9'.repeat(400)}`, 'must be at least 1'],
  [`/services/${ID}/results`, 'since', 'x', 'must be an ISO-8601 time such as 2026-01-31T09:30:00Z, or a date'],
  [
    `/webhooks/bindings?resourceId=${ID}`,
    'resourceType',
    'x',
    'must be one of workspace, project, service, organization',
  ],
]

test.each(query)('%s with %s=%s: the reason is "%s"', async (path, field, value, reason) => {
  const [route = '', rest = ''] = path.split('?')
  const { status, body } = await api.call(key, 'GET', route, { query: `${field}=${value}&${rest}` })
  expect({ status, ...body }).toMatchObject({ status: 400, error: 'field_invalid', details: { field, reason } })
})

const FIVE_FIELDS = 'must have five fields (minute, hour, day of month, month, day of week), but has 4'
const service = { projectId: ID, name: 'A' }
const access = { principalType: 'member', principalId: ID, permissions: 1 }
const body: [method: string, path: string, body: object, field: string, reason: string][] = [
  ['POST', '/workspaces', {}, 'name', 'is required'],
  ['POST', '/workspaces', { name: 1 }, 'name', 'must be a string'],
  ['POST', '/workspaces', { name: '' }, 'name', 'must not be empty'],
  ['POST', '/workspaces', { name: 'x'.repeat(129) }, 'name', 'must be at most 128 characters long'],
  [
    'POST',
    '/workspaces',
    { name: 'a\nb' },
    'name',
    'must not contain invisible characters, control characters or line breaks',
  ],
  ['POST', '/services', { ...service, label: 1 }, 'label', 'must be a string or null'],
  ['POST', '/services', { ...service, schedule: null }, 'schedule', 'must be a string'],
  ['POST', '/services', { ...service, schedule: '* * * *' }, 'schedule', FIVE_FIELDS],
  ['PATCH', `/services/${ID}`, { serviceWindow: [] }, 'serviceWindow', 'must be a string or null'],
  ['POST', '/silences', { channel: 'all', workspaceId: 1 }, 'workspaceId', 'must be a string or null'],
  ['POST', '/services', { ...service, isActive: 'yes' }, 'isActive', 'must be a boolean'],
  ['POST', '/variables', { key: 'a', value: 'b', type: 'x' }, 'type', 'must be one of variable, secret, metric'],
  ['PATCH', `/services/${ID}`, { version: '1', script: '' }, 'version', 'must be an integer'],
  ['PATCH', `/services/${ID}`, { version: 1.5, script: '' }, 'version', 'must be an integer'],
  ['PUT', `/services/${ID}/agents`, { slugs: 'x' }, 'slugs', 'must be an array'],
  ['PUT', `/services/${ID}/agents`, { slugs: ['a', 1] }, 'slugs.1', 'must be a string'],
  ['PUT', `/access/workspace/${ID}`, { ...access, permissions: 3 }, 'permissions', 'must be 1 (read) or 2 (write)'],
]

test.each(body)('%s %s with %j: the reason is about %s', async (method, path, sent, field, reason) => {
  const answer = await api.call(key, method, path, { body: sent as Record<string, unknown> })
  expect({ status: answer.status, ...answer.body }).toEqual({
    status: 400,
    error: 'invalid_request_body',
    details: { field, reason },
  })
})

test('an id that is no UUID, in the path and in the body', async () => {
  const inPath = await api.call(key, 'GET', '/workspaces/x')
  expect(inPath.body).toEqual({ error: 'invalid_uuid', details: { field: 'id' } })
  const inBody = await api.call(key, 'POST', '/services', { body: { ...service, projectId: 'x' } })
  expect(inBody.body).toEqual({ error: 'invalid_uuid', details: { field: 'projectId' } })
})

test.each([
  ['{"other": 1}', 'has the unknown field "other"'],
  ['{"events": []}', 'events: must have at least 1 entry'],
  ['{"events": "x"}', 'events: must be an array'],
  ['{"until": "x"}', 'until: must be an ISO-8601 time with a time zone, such as 2026-01-31T09:30:00Z'],
  ['[]', 'must be an object'],
])('the config %s of a silence: "%s"', async (config, reason) => {
  const { status, body } = await api.call(key, 'POST', '/silences', { body: { channel: 'email', config } })
  expect({ status, ...body }).toMatchObject({
    status: 400,
    error: 'field_invalid',
    details: { field: 'config', reason },
  })
})
