import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { buildRequest, readAnswer, testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'

// What an error tells besides its code. Every other test checks that each error has a message and a link.

const api = testApi()
const tree = testTree(api)

describe('wrong fields of a body', () => {
  test('are told in one answer, the first of them also by itself', async () => {
    const body = { projectId: 'x', name: '', label: 7, saveResponseBodies: 'yes' }
    const answer = await api.call(tree.owner, 'POST', '/services', { body })
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'invalid_uuid',
        details: {
          field: 'projectId',
          errors: [
            { code: 'invalid_uuid', field: 'projectId', reason: 'must be a UUID' },
            { code: 'invalid_request_body', field: 'name', reason: expect.any(String) },
            { code: 'invalid_request_body', field: 'label', reason: 'must be a string or null' },
            { code: 'invalid_request_body', field: 'saveResponseBodies', reason: expect.any(String) },
          ],
        },
      },
    ])
  })

  test('a field that breaks several rules is told once', async () => {
    const { body } = await api.call(tree.owner, 'POST', '/workspaces', { body: { name: [] } })
    expect(body.details).toEqual({ field: 'name', reason: expect.any(String) })
  })

  test('at most 20 are told', async () => {
    const service = await api.create.service(tree.project)
    const slugs = Array.from({ length: 50 }, () => 7)
    const { status, body } = await api.call(tree.owner, 'PUT', `/services/${service.id}/agents`, { body: { slugs } })
    const { field, errors } = body.details as { field: string; errors: unknown[] }
    expect([status, field, errors.length]).toEqual([400, 'slugs.0', 20])
  })

  test('a wrong id in the path comes alone', async () => {
    const answer = await api.call(tree.owner, 'PATCH', '/services/x', { body: { name: '', label: 7 } })
    expect(answer.body).toEqual({ error: 'invalid_uuid', details: { field: 'id' } })
  })
})

describe('a body that is not JSON', () => {
  test.each<[string, string, string, RegExp]>([
    [
      'form data, as curl -d sends it',
      'application/x-www-form-urlencoded',
      '{"name":"Shop"}',
      /Content-Type: application\/json/,
    ],
    ['broken', 'application/json', '{"name":', /valid JSON/],
    ['no object', 'application/json', '["Shop"]', /JSON object/],
  ])('%s has no details, and the message says what to send', async (_, type, rawBody, message) => {
    const headers = { 'content-type': type }
    const answer = await api.call(tree.owner, 'POST', '/workspaces', { rawBody, headers })
    expect([answer.status, answer.body]).toEqual([400, { error: 'invalid_request_body' }])
    expect(answer.help?.message).toMatch(message)
  })
})

test('already_exists keeps the id of a resource that the caller may not see', async () => {
  const [own, hidden] = [await api.create.project(tree.workspace), await api.create.project(tree.workspace)]
  const member = await api.create.member(tree.organization, { grants: [{ projectId: own.id, level: 2 }] })
  const key = await api.create.key(member)
  const rename = (by: typeof key, name: string) => api.call(by, 'PATCH', `/projects/${own.id}`, { body: { name } })
  expect((await rename(key, hidden.name)).body).toEqual({ error: 'already_exists', details: { field: 'name' } })
  expect((await rename(tree.owner, hidden.name)).body.details).toEqual({ field: 'name', id: hidden.id })
})

test('already_exists finds names with any characters', async () => {
  for (const name of ['a, b)=(c', 'null', 'it\'s "quoted" \\', 'x) already exists.']) {
    const { body: first } = await api.call(tree.owner, 'POST', '/workspaces', { body: { name } })
    const { body } = await api.call(tree.owner, 'POST', '/workspaces', { body: { name } })
    expect(body).toEqual({ error: 'already_exists', details: { field: 'name', id: first.id } })
  }
})

test('not_found names which id was not found', async () => {
  const absent = randomUUID()
  const service = await api.create.service(tree.project)
  const binding = { resourceType: 'service', resourceId: service.id }
  const grant = { principalType: 'user', principalId: absent, permissions: 1 }
  const cases = [
    ['GET', `/services/${absent}`, {}, 'id'],
    ['GET', `/services/${absent}/results/${absent}`, {}, 'id'],
    ['GET', `/services/${service.id}/results/${absent}`, {}, 'resultId'],
    ['GET', `/services/${service.id}/runs/${absent}`, {}, 'runId'],
    ['PATCH', `/services/${service.id}/variables/${absent}`, { body: { value: 'x' } }, 'varId'],
    ['POST', '/services', { body: { projectId: absent, name: 'x' } }, 'projectId'],
    ['POST', '/projects', { body: { workspaceId: absent, name: 'x' } }, 'workspaceId'],
    ['POST', '/silences', { body: { channel: 'all', serviceId: absent } }, 'serviceId'],
    ['POST', '/webhooks/bindings', { query: binding, body: { webhookId: absent } }, 'webhookId'],
    [
      'POST',
      '/webhooks/bindings',
      { query: { ...binding, resourceId: absent }, body: { webhookId: absent } },
      'resourceId',
    ],
    ['PUT', `/access/service/${absent}`, { body: grant }, 'resourceId'],
    ['PUT', `/access/service/${service.id}`, { body: grant }, 'principalId'],
    ['DELETE', `/access/service/${service.id}/group/${absent}`, {}, 'principalId'],
    ['GET', '/incidents', { query: { projectId: absent } }, 'projectId'],
  ] as const
  for (const [method, path, options, field] of cases) {
    const { body } = await api.call(tree.owner, method, path, options as object)
    expect({ method, path, body }).toEqual({ method, path, body: { error: 'not_found', details: { field } } })
  }
})

test('links lead to the address of BASE_URL, whatever host the request names', async () => {
  const settings = { ...api.runtime.settings, BASE_URL: 'https://probes.example.com' }
  const facade = createFacade({ ...api.runtime, settings })
  const request = buildRequest(null, 'GET', '/key', { headers: { host: 'evil.example' } })
  const { help } = await readAnswer(await facade(request, { address: '127.0.0.1' }))
  expect(help?.doc).toBe('https://probes.example.com/docs/guide#code-missing_auth_header')
})

test('401 names the scheme, and the error of a token', async () => {
  const challengeOf = async (headers: Record<string, string>) =>
    (await api.call(null, 'GET', '/key', { headers })).headers.get('www-authenticate')
  expect(await challengeOf({})).toBe('Bearer realm="soundline"')
  expect(await challengeOf({ authorization: 'Bearer sl_x' })).toContain('error="invalid_token"')
  expect((await api.call(tree.owner, 'GET', '/key')).headers.has('www-authenticate')).toBe(false)
})

test('X-RateLimit-Reset tells when the window ends', async () => {
  const { headers } = await api.call(tree.owner, 'GET', '/key')
  const seconds = Number(headers.get('x-ratelimit-reset'))
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(api.runtime.settings.RATE_LIMIT_API_WINDOW)
})
