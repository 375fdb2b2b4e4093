import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '#app/api/public/[[...path]]/route.ts'
import { sql } from '#db/drizzle.cjs'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createFacade, type Deadlines } from '#server/fronts/rest/facade.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront } from '#server/http/front.ts'
import { buildRequest, type CallOptions, readAnswer, testApi } from '#test/support/api/api.ts'
import { type Answer, contract, wholePath } from '#test/support/api/contract.ts'
import type { Key } from '#test/support/factories.ts'
import { until } from '#test/support/runs/worker-processes.ts'

// The same requests to the facade as a function, to the front over a socket, and to Next's route handler get the same
// responses.

const api = testApi()
const ABSENT = '00000000-0000-0000-0000-000000000001'
let server: Server
let keys: Record<'write' | 'read' | 'powerless', Key>
let workspaceId: string

beforeAll(async () => {
  // The runtime that the route handler uses.
  Object.assign(globalThis, { [Symbol.for('soundline.runtime')]: api.runtime })
  const document = createDocument(api.runtime)
  server = createFront({ runtime: api.runtime, api: api.facade, document, health: createHealth(api.runtime) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const organization = await api.create.organization()
  keys = {
    write: await api.create.key(organization.owner),
    read: await api.create.key(organization.owner, { access: 'read' }),
    powerless: await api.create.key(await api.create.member(organization)),
  }
  workspaceId = (await api.create.workspace(organization, { name: 'Taken' })).id
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const HANDLERS: Record<string, (request: Request) => Promise<Response>> = {
  DELETE,
  GET,
  HEAD,
  OPTIONS,
  PATCH,
  POST,
  PUT,
}

const HOSTS: Record<string, (request: Request) => Promise<Response>> = {
  function: (request) => api.facade(request, { address: '127.0.0.1' }),
  front: (request) => {
    const { port } = server.address() as AddressInfo
    return fetch(new Request(request.url.replace('http://localhost', `http://127.0.0.1:${port}`), request))
  },
  'route handler': (request) => {
    const handler = HANDLERS[request.method]
    if (!handler) throw new Error(`Next has no handler for ${request.method}`)
    return handler(request)
  },
}

type Case = {
  name: string
  key?: 'write' | 'read' | 'powerless' | null
  method?: string
  path: string | (() => string)
  options?: CallOptions
  status: number
  body?: unknown
  headers?: Record<string, string | null>
}

const invalidBody = { status: 400, body: { error: 'invalid_request_body' } }
const BAD_TYPE = { field: 'resourceType', reason: expect.any(String) }
/** Cases on one path are alike; each is written out, so that it can be read alone. */
const CASES: Case[] = [
  { name: 'a read', path: '/key', status: 200 },
  { name: 'a read by a read key', key: 'read', path: '/key', status: 200 },
  { name: 'HEAD is its GET', method: 'HEAD', path: '/key', status: 200, body: null },
  { name: 'HEAD of an error', method: 'HEAD', path: `/workspaces/${ABSENT}`, status: 404, body: null },
  { name: 'HEAD of no route', method: 'HEAD', path: '/nothing', status: 404, body: null },
  { name: 'no header', key: null, path: '/key', status: 401, body: { error: 'missing_auth_header' } },
  {
    name: 'no header before no route',
    key: null,
    path: '/nothing',
    status: 401,
    body: { error: 'missing_auth_header' },
  },
  {
    name: 'an empty header',
    key: null,
    path: '/key',
    options: { headers: { authorization: '' } },
    status: 401,
    body: { error: 'missing_auth_header' },
  },
  ...['Bearer', 'Bearer ', 'Basic YTpi', 'sl_abc', 'Bearer\t'].map(
    (authorization): Case => ({
      name: `the header "${authorization}"`,
      key: null,
      path: '/key',
      options: { headers: { authorization } },
      status: 401,
      body: { error: 'invalid_token' },
    }),
  ),
  ...[
    'Bearer nonsense',
    'Bearer sl_short',
    `Bearer sl_${'a'.repeat(43)}`,
    'bearer Fe26.2*sealed*session',
    'Bearer a b',
  ].map(
    (authorization): Case => ({
      name: `the header "${authorization}"`,
      key: null,
      path: '/key',
      options: { headers: { authorization } },
      status: 401,
      body: { error: 'invalid_api_key' },
      headers: { 'x-ratelimit-limit': '1000000' },
    }),
  ),
  {
    name: 'a key in X-Api-Key only',
    key: null,
    path: '/key',
    options: { headers: { 'x-api-key': 'sl_x' } },
    status: 401,
    body: { error: 'missing_auth_header' },
  },
  {
    name: 'a write by a read key',
    key: 'read',
    method: 'POST',
    path: '/workspaces',
    status: 403,
    body: { error: 'api_key_read_only' },
  },
  {
    name: 'a write by a read key to no route',
    key: 'read',
    method: 'POST',
    path: '/nothing',
    status: 403,
    body: { error: 'api_key_read_only' },
  },
  {
    name: 'OPTIONS by a read key',
    key: 'read',
    method: 'OPTIONS',
    path: '/key',
    status: 403,
    body: { error: 'api_key_read_only' },
  },
  { name: 'no route', path: '/nothing', status: 404, body: { error: 'not_found' } },
  { name: 'a route in capitals', path: '/Key', status: 404, body: { error: 'not_found' } },
  { name: 'another version', path: '/api/public/v2/key', status: 404, body: { error: 'not_found' } },
  { name: 'no version', path: '/api/public', status: 404, body: { error: 'not_found' } },
  {
    name: 'another method',
    method: 'DELETE',
    path: '/key',
    status: 405,
    body: { error: 'method_not_allowed' },
    headers: { allow: 'GET, HEAD' },
  },
  {
    name: 'another method of a path with several',
    method: 'DELETE',
    path: '/workspaces',
    status: 405,
    body: { error: 'method_not_allowed' },
    headers: { allow: 'GET, HEAD, POST' },
  },
  {
    name: 'a fixed segment where another path has an id',
    method: 'DELETE',
    path: () => `/workspaces/${workspaceId}/variables/hierarchy`,
    status: 405,
    body: { error: 'method_not_allowed' },
    headers: { allow: 'GET, HEAD' },
  },
  ...[
    '/workspaces/',
    '/workspaces/%61',
    '/workspaces/a%2Fb',
    '/workspaces//x',
    '/workspaces/%zz',
    '/workspaces/a%00',
  ].map((path): Case => ({ name: `the path ${path}`, path, status: 400, body: { error: 'invalid_path' } })),
  { name: 'invalid_path before the key', key: null, path: '/key/', status: 400, body: { error: 'invalid_path' } },
  ...['x', '1', ABSENT.slice(1), `${ABSENT}0`, 'null'].map(
    (id): Case => ({
      name: `the id ${id}`,
      path: `/workspaces/${id}`,
      status: 400,
      body: { error: 'invalid_uuid', details: { field: 'id' } },
    }),
  ),
  {
    name: 'an id of no resource',
    path: `/workspaces/${ABSENT}`,
    status: 404,
    body: { error: 'not_found', details: { field: 'id' } },
  },
  {
    name: 'an id out of reach',
    key: 'powerless',
    path: () => `/workspaces/${workspaceId}`,
    status: 404,
    body: { error: 'not_found', details: { field: 'id' } },
  },
  ...(['0', '-1', '1.5', '', 'x', '1e1', '0x10', ' 2', '+2', '2001', '99999999999999999999'] as const).map(
    (page): Case => ({
      name: `page "${page}"`,
      path: '/workspaces',
      options: { query: { page } },
      status: 400,
      body: { error: 'field_invalid', details: { field: 'page', reason: expect.any(String), max: 2000 } },
    }),
  ),
  ...Object.entries({
    '0': 'must be at least 1',
    '101': 'must be at most 100',
    '-1': 'must be at least 1',
    '99999999999999999999': 'must be at most 100',
    x: 'must be an integer',
    '': 'must be an integer',
    '50.0': 'must be an integer',
  }).map(
    ([pageSize, reason]): Case => ({
      name: `pageSize "${pageSize}"`,
      path: '/workspaces',
      options: { query: { pageSize } },
      status: 400,
      body: { error: 'field_invalid', details: { field: 'pageSize', reason, max: 100 } },
    }),
  ),
  {
    name: 'the last page of a size',
    path: '/workspaces',
    options: { query: { page: 1000, pageSize: 100 } },
    status: 200,
  },
  {
    name: 'a page above the maximum for its size',
    path: '/workspaces',
    options: { query: { page: 1001, pageSize: 100 } },
    status: 400,
    body: { error: 'field_invalid', details: { field: 'page', reason: expect.any(String), max: 1000 } },
  },
  {
    name: 'a repeated parameter',
    path: '/workspaces',
    options: { query: { page: ['1', '1'] } },
    status: 400,
    body: { error: 'field_invalid', details: { field: 'page', reason: 'must be given once', max: 2000 } },
  },
  // Of lists with pages, and of lists without.
  ...['/workspaces', '/agents', `/services/${ABSENT}/agents`, `/services/${ABSENT}/metrics/history`].flatMap((path) =>
    ['filters', 'sorters'].map(
      (name): Case => ({
        name: `${name} on ${path}`,
        path,
        options: { query: { [name]: '' } },
        status: 400,
        body: { error: 'field_invalid', details: { field: name, reason: expect.any(String) } },
      }),
    ),
  ),
  {
    name: 'filters on the access of a resource',
    path: () => `/access/workspace/${workspaceId}`,
    options: { query: { filters: 'x' } },
    status: 400,
    body: { error: 'field_invalid', details: { field: 'filters', reason: expect.any(String) } },
  },
  {
    name: 'filters on an operation that is not a list',
    path: '/key',
    options: { query: { filters: 'x', sorters: 'y' } },
    status: 200,
  },
  {
    name: 'parameters with names that objects inherit',
    path: '/workspaces',
    options: { query: '__proto__=1&constructor=1&toString=x&hasOwnProperty=1&__proto__=2' },
    status: 200,
  },
  {
    name: 'a NUL in a parameter',
    path: '/webhooks/bindings',
    options: { query: { resourceType: 'work\0space', resourceId: ABSENT } },
    status: 400,
    body: { error: 'field_invalid', details: BAD_TYPE },
  },
  {
    name: 'the query of a POST',
    method: 'POST',
    path: '/webhooks/bindings',
    options: { query: { resourceType: 'workspace' }, body: { webhookId: ABSENT, resourceId: ABSENT } },
    status: 400,
    body: { error: 'field_required', details: { field: 'resourceId' } },
  },
  {
    name: 'a write',
    method: 'PATCH',
    path: () => `/workspaces/${workspaceId}`,
    options: { body: { name: ' Taken ' } },
    status: 200,
  },
  {
    name: 'a content type in capitals with parameters',
    method: 'PATCH',
    path: () => `/workspaces/${workspaceId}`,
    options: { rawBody: '\ufeff{"name":"Taken"}', headers: { 'content-type': 'Application/JSON ; charset="utf-8"' } },
    status: 200,
  },
  {
    name: 'unknown fields, and fields with names that objects inherit',
    method: 'PATCH',
    path: () => `/workspaces/${workspaceId}`,
    options: {
      rawBody: '{"name":"Taken","__proto__":{"name":"x"},"constructor":1,"id":"x","page":"\\u0000"}',
      headers: { 'content-type': 'application/json' },
    },
    status: 200,
  },
  ...[
    'text/plain',
    'application/jsonx',
    'application/json-patch+json',
    'application/vnd.api+json',
    'multipart/form-data',
    '',
  ].map(
    (type): Case => ({
      name: `the content type "${type}"`,
      method: 'POST',
      path: '/workspaces',
      options: { rawBody: new TextEncoder().encode('{"name":"x"}'), headers: type ? { 'content-type': type } : {} },
      ...invalidBody,
    }),
  ),
  ...['', '{', 'null', '[]', '"x"', '1', 'true', '{"name":"x"} x', "{'name':1}", '{"name":"x",}', 'NaN'].map(
    (rawBody): Case => ({
      name: `the body ${rawBody}`,
      method: 'POST',
      path: '/workspaces',
      options: { rawBody, headers: { 'content-type': 'application/json' } },
      ...invalidBody,
    }),
  ),
  {
    name: 'a body that is not UTF-8',
    method: 'POST',
    path: '/workspaces',
    options: { rawBody: Uint8Array.from([0x7b, 0xff, 0x7d]), headers: { 'content-type': 'application/json' } },
    ...invalidBody,
  },
  { name: 'no body', method: 'POST', path: '/workspaces', ...invalidBody },
  {
    name: 'a body nested deeper than any stack',
    method: 'POST',
    path: '/workspaces',
    options: {
      rawBody: `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      headers: { 'content-type': 'application/json' },
    },
    ...invalidBody,
  },
  {
    name: 'a body of more values than any operation takes',
    method: 'POST',
    path: '/workspaces',
    options: { rawBody: `{"name":[${'[],'.repeat(10_000)}1]}`, headers: { 'content-type': 'application/json' } },
    ...invalidBody,
  },
  ...[
    ['missing', {}, 'is required'],
    ['null', { name: null }, expect.any(String)],
    ['a number', { name: 5 }, expect.any(String)],
    ['empty', { name: '  ' }, expect.any(String)],
    ['too long', { name: 'x'.repeat(129) }, expect.any(String)],
    ['with a NUL', { name: 'a\0b' }, 'must not contain invisible characters, control characters or line breaks'],
    [
      'with half a surrogate pair',
      { name: 'a\ud800b' },
      'must not contain invisible characters, control characters or line breaks',
    ],
  ].map(
    ([what, body, reason]): Case => ({
      name: `a field ${what}`,
      method: 'POST',
      path: '/workspaces',
      options: { body },
      status: 400,
      body: { error: 'invalid_request_body', details: { field: 'name', reason } },
    }),
  ),
  {
    name: 'an id in a body that is no UUID',
    method: 'POST',
    path: '/webhooks/bindings',
    options: { query: { resourceType: 'workspace', resourceId: ABSENT }, body: { webhookId: 'x' } },
    status: 400,
    body: { error: 'invalid_uuid', details: { field: 'webhookId' } },
  },
  {
    name: 'a taken name',
    method: 'POST',
    path: '/workspaces',
    options: { body: { name: 'Taken' } },
    status: 409,
    body: { error: 'already_exists', details: { field: 'name', id: expect.any(String) } },
  },
  {
    name: 'a missing permission',
    key: 'powerless',
    method: 'POST',
    path: '/workspaces',
    options: { body: { name: 'x' } },
    status: 403,
    body: { error: 'insufficient_permissions' },
  },
  {
    name: 'the input before the permission',
    key: 'powerless',
    method: 'POST',
    path: '/workspaces',
    options: { body: {} },
    status: 400,
    body: { error: 'invalid_request_body', details: { field: 'name', reason: 'is required' } },
  },
  {
    name: 'a path that is wrong before a body that is wrong too',
    method: 'PATCH',
    path: '/workspaces/x',
    options: { body: {} },
    status: 400,
    body: { error: 'invalid_uuid', details: { field: 'id' } },
  },
]

describe.each(Object.keys(HOSTS))('%s', (host) => {
  test.each(CASES)('$name', async ({ key = 'write', method = 'GET', path, options = {}, status, body, headers }) => {
    const to = typeof path === 'string' ? path : path()
    const request = buildRequest(key && keys[key], method, to, options)
    const answer: Answer = await readAnswer(await (HOSTS[host] as (request: Request) => Promise<Response>)(request))
    expect(answer).toMatchObject({ status, ...(body === undefined ? {} : { body }) })
    if (body) expect(answer.body).toEqual(body)
    for (const [name, value] of Object.entries(headers ?? {})) expect(answer.headers.get(name)).toBe(value)
    contract().check(method, wholePath(to), answer)
  })
})

test('two requests at once create a name once', async () => {
  const attempts = Array.from({ length: 8 }, () =>
    api.call(keys.write, 'POST', '/workspaces', { body: { name: 'Race' } }),
  )
  const statuses = (await Promise.all(attempts)).map((answer) => answer.status)
  expect(statuses.sort()).toEqual([200, ...Array(7).fill(409)])
})

test('the case of the authorization scheme does not matter', async () => {
  const headers = { authorization: `bEaReR  ${keys.write.token}` }
  expect((await api.call(null, 'GET', '/key', { headers })).status).toBe(200)
})

test('a request whose key use cannot be recorded still succeeds, with the rate-limit headers', async () => {
  await api.db.execute(sql`update api_keys set last_ok_at = null`)
  await api.db.execute(sql`create function refuse_use() returns trigger language plpgsql as 'begin raise; end'`)
  await api.db.execute(sql`create trigger refuse_use before update on api_keys execute function refuse_use()`)
  try {
    const answer = await api.call(keys.write, 'GET', '/key')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000000')
  } finally {
    await api.db.execute(sql`drop function refuse_use cascade`)
  }
})

test('a failure of the database is internal_error without details', async () => {
  await api.db.execute(sql`alter table workspaces rename to elsewhere`)
  try {
    const request = buildRequest(keys.write, 'GET', `/workspaces/${ABSENT}`)
    const answer = await readAnswer(await api.facade(request, { address: '127.0.0.1' }))
    expect([answer.status, answer.body]).toEqual([500, { error: 'internal_error' }])
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000000')
  } finally {
    await api.db.execute(sql`alter table elsewhere rename to workspaces`)
  }
})

describe('a timeout', () => {
  const short: Deadlines = {
    authenticationMs: 5_000,
    bodyMs: 5_000,
    statementsMs: 5_000,
    operationMs: 5_000,
    repeatedMs: 5_000,
  }
  const ask = async (deadlines: Partial<Deadlines>, method: string, path: string, options: CallOptions = {}) => {
    const facade = createFacade(api.runtime, { ...short, ...deadlines })
    return readAnswer(await facade(buildRequest(keys.write, method, path, options), { address: '127.0.0.1' }))
  }
  /** Locks the table until `during` ends. */
  const whileLocked = (table: string, during: () => Promise<void>) =>
    api.db.transaction(async (tx) => {
      await tx.execute(sql.raw(`lock table ${table} in access exclusive mode`))
      await during()
    })

  const UNAVAILABLE = [503, { error: 'service_unavailable' }, '2']
  const partsOf = ({ status, body, headers }: Answer) => [status, body, headers.get('retry-after')]

  test('in an operation is service_unavailable, with the rate-limit headers', async () => {
    await whileLocked('workspaces', async () => {
      const answer = await ask({ statementsMs: 50 }, 'GET', `/workspaces/${ABSENT}`)
      expect(partsOf(answer)).toEqual(UNAVAILABLE)
      expect(answer.headers.has('x-ratelimit-remaining')).toBe(true)
    })
  })

  test('in looking up the key is service_unavailable', async () => {
    await whileLocked('api_keys', async () => {
      expect(partsOf(await ask({ authenticationMs: 50 }, 'GET', '/key'))).toEqual(UNAVAILABLE)
    })
  })

  test('in a write cancels it and rolls its transaction back', async () => {
    const name = `Late ${workspaceId}`
    await whileLocked('audit_entries', async () => {
      const body = { name }
      expect(partsOf(await ask({ statementsMs: 300 }, 'PATCH', `/workspaces/${workspaceId}`, { body }))).toEqual(
        UNAVAILABLE,
      )
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await until('the server to stop', async () => (await api.db.execute(waiting)).length === 0)
    })
    const [row] = await api.db.execute(sql`select name from workspaces where id = ${workspaceId}`)
    expect(row?.name).not.toBe(name)
  })

  test('while a body is sent is invalid_request_body, not an error in the log', async () => {
    const rawBody = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"na')) })
    const headers = { 'content-type': 'application/json' }
    const answer = await ask({ bodyMs: 50 }, 'POST', '/workspaces', { rawBody, headers })
    expect([answer.status, answer.body]).toEqual([400, { error: 'invalid_request_body' }])
  })
})
