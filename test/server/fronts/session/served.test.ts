import { request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '#app/api/trpc/[trpc]/route.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront } from '#server/http/front.ts'
import { PASSWORD, setPassword, testDashboard } from '#test/support/browser/dashboard.ts'
import type { Member } from '#test/support/factories.ts'

// The dashboard's API in both ways to reach it: over a socket through our own server, and through Next's route handler.

const t = testDashboard({ REQUEST_BODY_MAX_BYTES: '4096' })

let owner: Member
let server: Server
let port: number
beforeAll(async () => {
  owner = (await t.create.organization()).owner
  await setPassword(t.db, owner.userId)
  Object.assign(globalThis, { [Symbol.for('soundline.runtime')]: t.runtime })
  server = createFront({
    runtime: t.runtime,
    api: createFacade(t.runtime),
    document: createDocument(t.runtime),
    health: createHealth(t.runtime),
    dashboard: createDashboard(t.runtime),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer[] }
type Got = { status: number; cookie: string | undefined; body: { result?: { data: object }; error?: { data: object } } }

const hosts = { front: viaFront, route: viaRoute }

/** Sends the raw target over a socket; an array of buffers is sent in chunks. */
function viaFront(target: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', path: target, method, headers, agent: false },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({
            status: response.statusCode ?? 0,
            cookie: response.headers['set-cookie']?.[0],
            body: text === '' ? {} : JSON.parse(text),
          })
        })
      },
    )
    request.on('error', reject)
    for (const part of typeof body === 'string' ? [body] : (body ?? [])) request.write(part)
    request.end()
  })
}

async function viaRoute(target: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> {
  const handlers: Record<string, typeof GET> = { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT }
  const host = `127.0.0.1:${port}`
  const response = await (handlers[method] as typeof GET)(
    new Request(`http://${host}${target}`, {
      method,
      headers: { host, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.concat(body) }),
    }),
  )
  const text = await response.text()
  return {
    status: response.status,
    cookie: response.headers.getSetCookie()[0],
    body: text === '' ? {} : JSON.parse(text),
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe.each(['front', 'route'] as const)('through the %s', (host) => {
  const call = hosts[host]
  const signIn = (headers: Record<string, string> = {}) =>
    call('/api/trpc/auth.signIn', {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify({ email: owner.email, password: PASSWORD }),
    })

  test('a person signs in, reads, writes and signs out', async () => {
    const { status, cookie } = await signIn({ origin: `http://127.0.0.1:${port}` })
    expect(status).toBe(200)
    const headers = { cookie: String(cookie).split(';')[0] as string }
    const me = await call('/api/trpc/auth.me', { headers })
    expect(me).toMatchObject({ status: 200, body: { result: { data: { user: { email: owner.email } } } } })
    const listed = await call(`/api/trpc/account.sessions.list?input=${encodeURIComponent('{"pageSize":1}')}`, {
      headers,
    })
    expect(listed.body.result?.data).toMatchObject({
      items: [{ address: host === 'front' ? '127.0.0.1' : 'unknown' }],
      pageSize: 1,
    })
    const left = await call('/api/trpc/auth.signOut', { method: 'POST', headers: { ...headers, ...JSON_TYPE } })
    expect(left).toMatchObject({ status: 200, cookie: expect.stringContaining('Max-Age=0') })
    expect((await call('/api/trpc/auth.me', { headers })).status).toBe(401)
  })

  test('another origin is recognized by the host of the request', async () => {
    expect((await signIn({ origin: 'http://evil.test' })).status).toBe(403)
    expect((await signIn({ origin: `http://localhost:${port}` })).status).toBe(403)
    expect((await signIn({ origin: 'http://evil.test', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  test.each(['/api/trpc/%zz', '/api/trpc/%E0%A4%A', '/api/trpc//auth.me', '/api/trpc', '/api/trpc/../trpc/auth.me'])(
    '%s is not an operation',
    async (target) => {
      // Our server refuses a path that is not canonical before it calls the dashboard.
      const answer = await call(target, { method: 'POST', headers: JSON_TYPE, body: '{}' })
      expect([400, 404, 405]).toContain(answer.status)
      expect(answer.body.error).toBeDefined()
    },
  )

  test.each([
    ['a method that no operation has', '/api/trpc/auth.me', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a preflight', '/api/trpc/auth.signIn', { method: 'OPTIONS' }, 405, 'method_not_allowed'],
    [
      'an Authorization header',
      '/api/trpc/auth.me',
      { headers: { authorization: 'Bearer x' } },
      401,
      'session_required',
    ],
    ['a body over the limit', '/api/trpc/auth.signIn', { method: 'POST', body: 'x'.repeat(5_000) }, 413, undefined],
    [
      'a body of unknown length over the limit',
      '/api/trpc/auth.signIn',
      { method: 'POST', body: Array(5).fill(Buffer.alloc(1_000, 'x')) },
      413,
      'request_body_too_large',
    ],
  ] as const)('%s is refused', async (_, target, given, status, code) => {
    const { headers, ...sent } = given as Sent
    const answer = await call(target, { ...sent, headers: { ...JSON_TYPE, ...headers } })
    expect(answer.status).toBe(status)
    if (code) expect(answer.body.error?.data).toMatchObject({ code, httpStatus: status })
  })
})

describe('the address', () => {
  test('is the socket’s, whatever the headers contain', async () => {
    const headers = {
      ...JSON_TYPE,
      'x-forwarded-for': '6.6.6.6',
      'x-client-address': '6.6.6.6',
      'x-real-ip': '6.6.6.6',
    }
    const { cookie } = await viaFront('/api/trpc/auth.signIn', {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: owner.email, password: PASSWORD }),
    })
    const listed = await viaFront('/api/trpc/account.sessions.list', {
      headers: { cookie: String(cookie).split(';')[0] as string },
    })
    expect(JSON.stringify(listed.body)).not.toContain('6.6.6.6')
  })
})
