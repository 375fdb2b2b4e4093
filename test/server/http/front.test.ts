import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createFront, type FrontOptions } from '#server/http/front.ts'
import { testApi } from '#test/support/api/api.ts'
import { checkHelp } from '#test/support/api/contract.ts'
import { type RawAnswer, requestText, sendAndVanish, sendRaw } from '#test/support/api/raw-http.ts'
import type { Key } from '#test/support/factories.ts'

const api = testApi({ settings: { TRUSTED_PROXY_HOPS: '1' } })
const forwarded: { url: string; headers: Record<string, unknown> }[] = []
let front: Server
let port: number
let key: Key

beforeAll(async () => {
  front = await listening({
    next: (request, response) => {
      forwarded.push({ url: request.url ?? '', headers: { ...request.headers } })
      response.end('a page')
    },
  })
  port = portOf(front)
  key = await api.create.key((await api.create.organization()).owner)
})
afterAll(() => closing(front))

async function listening(options: Partial<FrontOptions>): Promise<Server> {
  const server = createFront({
    runtime: api.runtime,
    api: api.facade,
    document: createDocument(api.runtime),
    health: createHealth(api.runtime),
    ...options,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function closing(server: Server): Promise<unknown> {
  return new Promise((resolve) => server.close(resolve))
}

function ask(method: string, target: string, headers: string[] = []): Promise<RawAnswer> {
  return sendRaw(port, [requestText(method, target, [`Authorization: Bearer ${key.token}`, ...headers])])
}

function errorOf(answer: RawAnswer): string {
  return JSON.parse(answer.body).error
}

describe('request targets', () => {
  const INVALID = [
    '/api/public/v1/../v1/key',
    '/api/public/v1/./key',
    '/api/public/v1/%2e%2e/v1/key',
    '/api/public/v1/%2E/key',
    '/api/public/v1/.%2e/key',
    '/api/public/v1/%2e./key',
    '/api/public/v1/%252e%252e/key',
    '/api/public/v1//key',
    '/api/public//v1/key',
    '//api/public/v1/key',
    '/api//public/v1/key',
    '/api/public/v1/key/',
    '/api/public/',
    '/api/public/v1/',
    '/api/public/v1/k%65y',
    '/api/%70ublic/v1/key',
    '/%61pi/public/v1/key',
    '/api/public%2fv1/key',
    '/api/public%5cv1/key',
    '/api%2fpublic%2fv1%2fkey',
    '/api/public/v1/workspaces/a%2Fb',
    '/api/public/v1/workspaces/a%5Cb',
    '/api/public/v1/workspaces/%00',
    '/api/public/v1/workspaces/%zz',
    '/api/public/v1/workspaces/%E0%A4%A',
    '/api/public/v1/workspaces/%',
    '/api/public/v1\\key',
    '\\api\\public\\v1\\key',
    '/api\\public/v1/key',
    '/x/../api/public/v1/key',
    '/x/%2e%2e/api/public/v1/key',
    '/./api/public/v1/key',
    '/api/./public/v1/key',
    '/api/trpc/../public/v1/key',
    '/api/public/../trpc/auth.me',
    '/api/public/v1/%2e%2e/%2e%2e/health',
    '/api/public/..',
    '/api/public/v1/key#fragment',
    '/api/public/v1/key;a=b/..',
    'https://evil.example//api/public/v1/key',
    'http://user@localhost/api/public/v1/key',
    'ftp://localhost/api/public/v1/key',
    '/API/public/v1/%6bey',
  ]
  test.each(INVALID)('%s is invalid_path', async (target) => {
    const answer = await ask('GET', target)
    expect(answer.status).toBe(400)
    expect(errorOf(answer)).toBe('invalid_path')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('bytes beyond ASCII in a path are invalid_path', async () => {
    const answer = await sendRaw(port, [Buffer.from('GET /api/public/v1/k\u00e9y HTTP/1.1\r\nHost: localhost\r\n\r\n')])
    expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_path'])
  })

  test('the canonical form is served, whatever its query contains', async () => {
    for (const target of ['/api/public/v1/key', '/api/public/v1/key?', '/api/public/v1/key?a=../..//%zz\\%2f']) {
      expect((await ask('GET', target)).status).toBe(200)
    }
  })

  test.each([
    '/api/public',
    '/api/public/v1',
    '/api/public/v2/key',
    '/API/PUBLIC/v1/key',
    '/api/public/v1/KEY',
    '/api/public/v1/nothing',
    '/api/publicly',
    '/api',
    '/api/',
    '/api/nothing',
    '/api/openapi/public/v1.json/',
    '/api/openapi/public/%76%31.json',
    '//api/openapi/public/v1.json',
    '/api/openapi/public/../public/v1.json',
    '/api/openapi/',
    '/api/health/',
    '/api/../api/health',
    '/api/%68ealth',
  ])('%s is not_found in JSON', async (target) => {
    const answer = await ask('GET', target)
    expect([answer.status, errorOf(answer)]).toEqual([404, 'not_found'])
  })

  test('a page whose encoding cannot be decoded is refused before it reaches Next', async () => {
    const answer = await ask('GET', '/workspaces/%zz')
    expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_path'])
  })

  test('an absolute target is served, and its host is that of the links', async () => {
    for (const target of ['http://one.example/api/public/v1/key', 'https://one.example:8443/api/health']) {
      expect([target, (await ask('GET', target)).status]).toEqual([target, 200])
    }
    const answer = await ask('GET', 'http://one.example:8080/api/public/v1/nothing')
    expect([answer.status, JSON.parse(answer.body).doc]).toEqual([
      404,
      'http://one.example:8080/docs/guide#code-not_found',
    ])
  })

  test('an absolute target of a page does not reach Next, which would redirect to its host', async () => {
    const answer = await ask('GET', 'http://evil.example/workspaces')
    expect(answer.status).toBe(400)
    expect(answer.headers.location).toBeUndefined()
  })
})

describe('methods', () => {
  test.each(['TRACE', 'PROPFIND', 'QUERY', 'OPTIONS', 'PUT', 'LOCK'])('%s is 405 with Allow', async (method) => {
    const answer = await ask(method, '/api/public/v1/key')
    expect([answer.status, errorOf(answer)]).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.allow).toBe('GET, HEAD')
  })

  test('a method that no parser knows is 405', async () => {
    for (const method of ['FOO', 'get', 'BREW']) {
      const answer = await ask(method, '/api/public/v1/key')
      expect([answer.status, errorOf(answer)]).toEqual([405, 'method_not_allowed'])
    }
  })

  test('CONNECT is 405', async () => {
    const answer = await ask('CONNECT', 'localhost:80')
    expect([answer.status, errorOf(answer)]).toEqual([405, 'method_not_allowed'])
  })

  test.each(['TRACE', 'POST', 'PUT', 'OPTIONS'])('%s of a page is refused', async (method) => {
    // Next would look for a server action, and read a body for it.
    const answer = await ask(method, '/workspaces', ['Next-Action: 0', 'Content-Length: 0'])
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('HEAD has the headers of GET and no body', async () => {
    for (const target of ['/api/public/v1/key', '/api/openapi/public/v1.json', '/api/health']) {
      const get = await ask('GET', target)
      const text = (
        await sendRaw(port, [requestText('HEAD', target, [`Authorization: Bearer ${key.token}`, 'Connection: close'])])
      ).text
      expect(text).toMatch(/^HTTP\/1.1 200 /)
      expect(text.toLowerCase()).toContain(`content-length: ${get.headers['content-length']}`)
      expect(text.endsWith('\r\n\r\n')).toBe(true)
    }
  })
})

describe('broken requests', () => {
  const token = () => `Authorization: Bearer ${key.token}`
  test.each<[string, () => (string | Buffer)[], number]>([
    ['no HTTP at all', () => ['hello\r\n\r\n'], 400],
    ['a TLS greeting', () => [Buffer.from('16030100c8010000c40303', 'hex'), Buffer.alloc(64, 1)], 400],
    [
      'two hosts',
      () => [`GET /api/public/v1/key HTTP/1.1\r\nHost: localhost\r\nhost: other.example\r\n${token()}\r\n\r\n`],
      400,
    ],
    ['the same host twice', () => ['GET /api/health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n'], 400],
    ['a missing Host', () => [`GET /api/public/v1/key HTTP/1.1\r\n${token()}\r\n\r\n`], 400],
    ['an unknown version', () => ['GET /api/public/v1/key HTTP/9.9\r\nHost: a\r\n\r\n'], 400],
    [
      'both lengths',
      () => [
        'POST /api/public/v1/workspaces HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      400,
    ],
    [
      'two lengths',
      () => ['POST /api/public/v1/workspaces HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
      400,
    ],
    [
      'a negative length',
      () => ['POST /api/public/v1/workspaces HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
      400,
    ],
    [
      'an odd transfer coding',
      () => ['POST /api/public/v1/workspaces HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n'],
      400,
    ],
    ['a header without a name', () => ['GET /api/public/v1/key HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'], 400],
    ['a folded header', () => ['GET /api/public/v1/key HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n'], 400],
    ['a space in the target', () => ['GET /api/public/v1/ key HTTP/1.1\r\nHost: a\r\n\r\n'], 400],
    ['headers past 16 KiB', () => [requestText('GET', '/api/public/v1/key', [`X: ${'a'.repeat(17_000)}`])], 431],
    ['a target past 16 KiB', () => [requestText('GET', `/api/public/v1/${'a'.repeat(17_000)}`)], 431],
  ])('%s is refused in JSON', async (_, parts, status) => {
    const answer = await sendRaw(port, parts())
    expect(answer.status).toBe(status)
    const { error, ...help } = JSON.parse(answer.body)
    checkHelp(parts().join(), { status, headers: new Headers(), body: { error }, help })
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('an interrupted chunk is 400, not an error in the log', async () => {
    const head = requestText('POST', '/api/public/v1/workspaces', [
      token(),
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ])
    const answer = await sendRaw(port, [head, 'zz\r\n'])
    expect(answer.status).toBe(400)
  })
})

describe('clients that disconnect', () => {
  test.each([0, 1, 5, 20])('after %d ms, at any stage, do not affect the server', async (afterMs) => {
    const body = ['Content-Type: application/json', `Authorization: Bearer ${key.token}`]
    const post = (length: number, token = body) =>
      requestText('POST', '/api/public/v1/workspaces', [...token, `Content-Length: ${length}`])
    await Promise.all(
      [
        ['GET /api/pub'],
        [requestText('GET', '/api/public/v1/workspaces', body)],
        [post(1_000), '{"name":'],
        [post(1_000_000), 'x'.repeat(500_000)],
        [post(10_000_000), 'x'.repeat(100_000)],
        [post(500_000, ['Authorization: Bearer x']), 'x'.repeat(100_000)],
        [requestText('CONNECT', 'localhost:80')],
        ['nonsense\r\n\r\n'],
        [requestText('GET', '/workspaces')],
      ].map((parts) => sendAndVanish(port, parts, afterMs)),
    )
    expect((await ask('GET', '/api/public/v1/key')).status).toBe(200)
  })
})

describe('bodies', () => {
  const max = 1_048_576
  const head = (headers: string[]) =>
    requestText('POST', '/api/public/v1/workspaces', [
      `Authorization: Bearer ${key.token}`,
      'Content-Type: application/json',
      ...headers,
    ])
  const padded = (name: string, length: number) => {
    const text = JSON.stringify({ name, padding: '' })
    return text.replace('""', `"${'a'.repeat(length - text.length)}"`)
  }
  const chunked = (body: string, size = 60_000) => {
    const parts: string[] = []
    for (let at = 0; at < body.length; at += size) {
      const chunk = body.slice(at, at + size)
      parts.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    }
    return [...parts, '0\r\n\r\n']
  }

  test('a body of exactly the limit is read, with a length and in chunks', async () => {
    const known = await sendRaw(port, [head([`Content-Length: ${max}`]), padded('by length', max)])
    expect([known.status, JSON.parse(known.body).name]).toEqual([200, 'by length'])
    const streamed = await sendRaw(port, [head(['Transfer-Encoding: chunked']), ...chunked(padded('by chunks', max))])
    expect([streamed.status, JSON.parse(streamed.body).name]).toEqual([200, 'by chunks'])
  })

  test('one byte more is 413, with a length and in chunks', async () => {
    for (const parts of [
      [head([`Content-Length: ${max + 1}`]), padded('x', max + 1)],
      [head(['Transfer-Encoding: chunked']), ...chunked(padded('x', max + 1))],
    ]) {
      const answer = await sendRaw(port, parts)
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        413,
        expect.objectContaining({ error: 'request_body_too_large', details: { maxBytes: max } }),
      ])
      expect(answer.headers['x-ratelimit-limit']).toBeDefined()
    }
  })

  test('a Content-Length over the limit is refused before the body is sent', async () => {
    const answer = await sendRaw(port, [head(['Content-Length: 10000000000'])])
    expect([answer.status, errorOf(answer)]).toEqual([413, 'request_body_too_large'])
  })

  test('an endless body is cut off shortly past the limit', async () => {
    const counting = await listening({})
    const closed = new Promise<number>((resolve) => {
      counting.on('connection', (socket) => socket.on('close', () => resolve(socket.bytesRead)))
    })
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
    const endless = Array.from({ length: 200 }, () => chunk)
    const parts = [head(['Transfer-Encoding: chunked']), ...endless]
    const answer = await sendRaw(portOf(counting), parts, { untilClose: true })
    expect(answer.status).toBe(413)
    const read = await closed
    expect(read).toBeGreaterThan(max)
    // Bytes in the kernel's buffer count too.
    expect(read).toBeLessThan(1.3 * max)
    await closing(counting)
  })

  test('the body of a request with a refused key is not read', async () => {
    const answer = await sendRaw(port, [
      requestText('POST', '/api/public/v1/workspaces', [
        'Authorization: Bearer sl_unknown',
        'Content-Type: application/json',
        'Content-Length: 900000',
      ]),
    ])
    expect([answer.status, errorOf(answer)]).toEqual([401, 'invalid_api_key'])
  })

  test('an operation without a body checks one like any other operation', async () => {
    const answer = await sendRaw(port, [
      requestText('DELETE', '/api/public/v1/variables/00000000-0000-0000-0000-000000000001', [
        `Authorization: Bearer ${key.token}`,
        'Content-Length: 5',
      ]),
      'hello',
    ])
    expect([answer.status, errorOf(answer)]).toEqual([400, 'invalid_request_body'])
  })

  test('one connection serves several requests', async () => {
    const body = '{"name":"first of two"}'
    const last = requestText('GET', '/api/public/v1/key', [`Authorization: Bearer ${key.token}`, 'Connection: close'])
    const { text } = await sendRaw(port, [head([`Content-Length: ${body.length}`]), body, last], { untilClose: true })
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  })
})

describe('pages', () => {
  test("reach Next with the client that the front determined, and without the client's own claims", async () => {
    const answer = await ask('GET', '/workspaces?page=2', [
      'X-Forwarded-For: 6.6.6.6, 203.0.113.9',
      'X-Forwarded-Host: evil.example',
      'X-Client-Address: 6.6.6.6',
      'X-Middleware-Subrequest: pages/_middleware',
      'X-Nonce: mine',
      'Content-Security-Policy: none',
    ])
    expect([answer.status, answer.body]).toEqual([200, 'a page'])
    const { url, headers } = forwarded.at(-1) ?? { url: '', headers: {} }
    expect(url).toBe('/workspaces?page=2')
    expect(headers['x-client-address']).toBe('203.0.113.9')
    for (const name of [
      'x-forwarded-for',
      'x-forwarded-host',
      'x-middleware-subrequest',
      'x-nonce',
      'content-security-policy',
    ]) {
      expect(headers[name]).toBeUndefined()
    }
  })

  test('refuse a body over the limit or of unknown length', async () => {
    expect((await ask('GET', '/workspaces', ['Content-Length: 1048577'])).status).toBe(413)
    expect((await ask('GET', '/workspaces', ['Transfer-Encoding: chunked'])).status).toBe(411)
  })

  test('are not_found without a dashboard', async () => {
    const bare = await listening({})
    const answer = await sendRaw(portOf(bare), [requestText('GET', '/')])
    expect([answer.status, errorOf(answer)]).toEqual([404, 'not_found'])
    await closing(bare)
  })

  test('a failure of the page server is a 500 in JSON without details', async () => {
    const broken = await listening({
      next: () => {
        throw new Error('secret')
      },
    })
    const answer = await sendRaw(portOf(broken), [requestText('GET', '/')])
    expect([answer.status, Object.keys(JSON.parse(answer.body))]).toEqual([500, ['error', 'message', 'doc']])
    expect(answer.body).not.toContain('secret')
    await closing(broken)
  })
})

describe('the dashboard', () => {
  test('is called by the front, with the raw target, when the front has one', async () => {
    const seen: string[] = []
    const server = await listening({
      dashboard: async (request, client) => {
        seen.push(
          `${request.method} ${client.target?.path}?${client.target?.query} ${client.address} ${await request.text()}`,
        )
        return new Response('{}', { headers: { 'Set-Cookie': 'a=b; Path=/' } })
      },
    })
    const head = requestText('POST', '/api/trpc/auth.signIn?x=1', [
      'Content-Type: application/json',
      'Content-Length: 2',
    ])
    const answer = await sendRaw(portOf(server), [head, '{}', requestText('GET', '/', ['Connection: close'])], {
      untilClose: true,
    })
    expect(seen).toEqual(['POST /api/trpc/auth.signIn?x=1 127.0.0.1 {}'])
    expect(answer.headers['set-cookie']).toBe('a=b; Path=/')
    for (const target of ['/api/trpc', '/api/trpc/', '/api/trpc//x', '/api/trpc/../trpc/x', '//api/trpc/x']) {
      const refused = await sendRaw(portOf(server), [requestText('GET', target)])
      expect([target, refused.status]).toEqual([target, 404])
    }
    expect(seen).toHaveLength(1)
    await closing(server)
  })

  test('gets the posts of mail programs that unsubscribe, at exactly one address', async () => {
    const seen: string[] = []
    const server = await listening({
      dashboard: async (request, client) => {
        seen.push(`${request.method} ${client.target?.path} ${await request.text()}`)
        return new Response('stopped')
      },
    })
    const body = 'List-Unsubscribe=One-Click'
    const head = requestText('POST', '/api/unsubscribe?token=x', [
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ])
    expect((await sendRaw(portOf(server), [head, body])).status).toBe(200)
    expect(seen).toEqual([`POST /api/unsubscribe ${body}`])
    for (const target of ['/api/unsubscribe/', '/api/unsubscribe/x', '/api/unsubscribed', '/api//unsubscribe']) {
      const refused = await sendRaw(portOf(server), [requestText('GET', target)])
      expect([target, refused.status]).toEqual([target, 404])
    }
    await closing(server)
  })

  test('is served by Next otherwise', async () => {
    expect((await ask('GET', '/api/trpc/auth.me')).body).toBe('a page')
  })
})

describe('upgrades', () => {
  const headers = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13']

  test('of pages reach Next in development; others are refused', async () => {
    const server = await listening({
      upgrade: (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    })
    expect((await sendRaw(portOf(server), [requestText('GET', '/_next/webpack-hmr', headers)])).status).toBe(101)
    for (const target of ['/api/public/v1/key', '/api/trpc/x', 'http://169.254.169.254/']) {
      const refused = await sendRaw(portOf(server), [requestText('GET', target, headers)])
      expect([refused.status, errorOf(refused)]).toEqual([404, 'not_found'])
    }
    await closing(server)
  })

  test('are ordinary requests in production', async () => {
    const answer = await ask('GET', '/api/public/v1/key', headers)
    expect(answer.status).toBe(200)
  })
})

test('every response has the id of its request', async () => {
  for (const target of ['/api/public/v1/key', '/api/health', '/api/nothing', '/workspaces', '/workspaces/%zz']) {
    expect((await ask('GET', target)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
  for (const parts of ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /api/health HTTP/1.1\r\n\r\n']) {
    expect((await sendRaw(port, [parts])).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

describe('under a BASE_URL of https', () => {
  let strict: Server
  beforeAll(async () => {
    const settings = { ...api.runtime.settings, BASE_URL: 'https://probes.example.com' }
    strict = await listening({
      runtime: { settings: { ...settings, RATE_LIMIT_PAGES_MAX: 3, RATE_LIMIT_HEALTH_MAX: 5 } },
      next: (_request, response) => response.end('a page'),
    })
  })
  afterAll(() => closing(strict))

  const get = (target: string, host: string, from = '198.51.100.7') => {
    const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, `X-Forwarded-For: ${from}`, 'Connection: close', '', '']
    return sendRaw(portOf(strict), [lines.join('\r\n')], { untilClose: true })
  }
  const HSTS = 'max-age=31536000'

  test('pages are served for its host only, and the refusal says why', async () => {
    for (const host of ['probes.example.com', 'PROBES.example.com:443']) {
      const page = await get('/workspaces', host, `198.51.100.${host.length}`)
      expect([page.status, page.body]).toEqual([200, expect.stringContaining('a page')])
    }
    for (const host of ['127.0.0.1', 'localhost:3000', 'rebound.example', 'probes.example.com:80']) {
      const page = await get('/workspaces', host)
      expect([page.status, page.body]).toEqual([421, expect.stringContaining('BASE_URL')])
    }
  })

  test('the public API, its document and health are served for any host', async () => {
    expect((await get('/api/health', '127.0.0.1')).status).toBe(200)
    expect((await get('/api/openapi/public/v1.json', '127.0.0.1')).status).toBe(200)
    expect((await get('/api/public/v1/key', 'anything.example')).status).toBe(401)
  })

  test('every response tells browsers to use https only', async () => {
    const answers = await Promise.all([
      get('/workspaces', 'probes.example.com', '203.0.113.1'),
      get('/workspaces', 'rebound.example'),
      get('/api/public/v1/key', 'localhost'),
      get('/api/health', 'localhost', '203.0.113.1'),
      get('/api/nowhere', 'localhost'),
      sendRaw(portOf(strict), ['nonsense\r\n\r\n']),
      sendRaw(portOf(strict), ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']),
    ])
    expect(answers.map(({ headers }) => headers['strict-transport-security'])).toEqual(answers.map(() => HSTS))
    const plain = await ask('GET', '/api/health')
    expect(plain.headers['strict-transport-security']).toBeUndefined()
  })

  test('pages and health have a rate limit per address that does not count static files', async () => {
    const statuses = async (target: string, times: number, from: string) => {
      const answers: RawAnswer[] = []
      for (let time = 0; time < times; time++) answers.push(await get(target, 'probes.example.com', from))
      return answers.map(({ status }) => status)
    }
    expect(await statuses('/_next/static/a.js', 5, '192.0.2.1')).toEqual([200, 200, 200, 200, 200])
    expect(await statuses('/workspaces', 4, '192.0.2.1')).toEqual([200, 200, 200, 429])
    expect(await statuses('/api/health', 6, '192.0.2.1')).toEqual([200, 200, 200, 200, 200, 429])
    expect(await statuses('/workspaces', 1, '192.0.2.2')).toEqual([200])
    // Who scrapes too often does not make the process seem not ready. This front has neither.
    expect(await statuses('/api/metrics', 6, '192.0.2.3')).toEqual([404, 404, 404, 404, 404, 429])
    expect(await statuses('/api/ready', 1, '192.0.2.3')).toEqual([404])
    const refused = await get('/workspaces', 'probes.example.com', '192.0.2.1')
    expect([errorOf(refused), Number(refused.headers['retry-after'])]).toEqual(['rate_limited', expect.any(Number)])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
})
