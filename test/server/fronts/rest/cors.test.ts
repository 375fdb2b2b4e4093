import { describe, expect, test } from 'vitest'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { buildRequest, testApi } from '#test/support/api/api.ts'

const LISTED = 'https://app.example.com'
const api = testApi({
  settings: { API_CORS_ORIGINS: `${LISTED}, http://localhost:5173`, RATE_LIMIT_API_FAILURE_MAX: '2' },
})
const closed = testApi()

const UNLISTED = [
  'https://evil.example',
  'null',
  'https://app.example.com.evil.example',
  'https://app.example.com:8443',
  'http://app.example.com',
  'HTTPS://APP.EXAMPLE.COM',
  'https://app.example.com/',
  'https://sub.app.example.com',
  '*',
]

const corsNames = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control'))
const preflight = (origin: string) => ({
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
})

describe('a preflight', () => {
  test.each([LISTED, 'http://localhost:5173'])('from %s is allowed, without a key', async (origin) => {
    const { status, headers } = await api.call(null, 'OPTIONS', '/workspaces', preflight(origin))
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE')
    expect(headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Idempotency-Key, Mcp-Protocol-Version',
    )
    expect(headers.get('access-control-max-age')).toBe('600')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('vary')).toBe('Origin')
  })

  test.each(UNLISTED)('from %s gets no permission', async (origin) => {
    const { status, headers } = await api.call(null, 'OPTIONS', '/workspaces', preflight(origin))
    expect(status).toBe(204)
    expect(corsNames(headers)).toEqual([])
    expect(headers.get('vary')).toBe('Origin')
  })

  test("does not count for rate limits: a page of another site cannot use up the limit of its visitor's address", async () => {
    const address = '192.0.2.50'
    for (let i = 0; i < 10; i++)
      await api.call(null, 'OPTIONS', '/key', { ...preflight('https://evil.example'), address })
    expect((await api.call(null, 'GET', '/key', { address })).body).toEqual({ error: 'missing_auth_header' })
  })

  test('does not include every OPTIONS request', async () => {
    const key = await api.create.key((await api.create.organization()).owner)
    for (const headers of [{ origin: LISTED }, { 'access-control-request-method': 'GET' }, {}] as Record<
      string,
      string
    >[]) {
      expect((await api.call(key, 'OPTIONS', '/workspaces', { headers })).status).toBe(405)
    }
  })
})

describe('a response', () => {
  const EXPOSED =
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Idempotency-Replayed, WWW-Authenticate'

  test('can be read by a listed origin, whatever its status', async () => {
    const key = await api.create.key((await api.create.organization()).owner)
    const headers = { origin: LISTED }
    const address = '192.0.2.51'
    const answers = [
      await api.call(key, 'GET', '/key', { headers, address }),
      await api.call(key, 'GET', '/key/', { headers, address }),
      await api.call(key, 'GET', '/nothing', { headers, address }),
      await api.call(null, 'GET', '/key', { headers, address }),
      await api.call('x', 'GET', '/key', { headers, address }),
      await api.call('x', 'GET', '/key', { headers, address }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 401, 401, 429])
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(LISTED)
      expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED)
    }
  })

  test.each(UNLISTED)('cannot be read by %s', async (origin) => {
    const key = await api.create.key((await api.create.organization()).owner)
    const { status, headers } = await api.call(key, 'GET', '/key', { headers: { origin } })
    expect(status).toBe(200)
    expect(corsNames(headers)).toEqual([])
    expect(headers.get('vary')).toBe('Origin')
  })

  test('has no CORS headers when no origin is listed', async () => {
    const key = await closed.create.key((await closed.create.organization()).owner)
    const { headers } = await closed.call(key, 'GET', '/key', { headers: { origin: LISTED } })
    expect(corsNames(headers)).toEqual([])
    expect(headers.has('vary')).toBe(false)
    const asked = await closed.call(null, 'OPTIONS', '/key', preflight(LISTED))
    expect(corsNames(asked.headers)).toEqual([])
  })

  test('with the document can be read by a listed origin too', async () => {
    const document = createDocument(api.runtime)
    const path = '/api/openapi/public/v1.json'
    const request = buildRequest(null, 'GET', path, { headers: { origin: LISTED } })
    const answer = await document(request, { address: '192.0.2.52' })
    expect(answer.headers.get('access-control-allow-origin')).toBe(LISTED)
    const asked = await document(buildRequest(null, 'OPTIONS', path, preflight(LISTED)), { address: '192.0.2.52' })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, LISTED])
  })
})
