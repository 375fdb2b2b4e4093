import { createHash, randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import zlib from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TransportError, TransportRequest, TransportResponse } from '#server/language/lace/transport.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { countDials } from '#test/support/targets/canary.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { startSilent } from '#test/support/targets/silent.ts'
import { createTransport } from '#worker/http/client.ts'

const allowedNetworks = parseNetworks(['127.0.0.1'])
const transport = createTransport({ allowedNetworks })

let target: HttpTarget
let answer: (request: IncomingMessage, response: ServerResponse) => void
beforeAll(async () => {
  target = await startHttpTarget((request, response) => answer(request, response))
})
afterAll(() => target.close())
beforeEach(() => {
  answer = (_request, response) => response.end('ok')
})

const call = (path = '/', changes: Partial<TransportRequest> = {}) => transport(get(target.url + path, changes))
const failed = async (exchange: Promise<TransportResponse>) => (await outcomeOf(exchange)) as TransportError

describe('the request', () => {
  test('has the given method, path, query, headers and body, and closes the connection', async () => {
    const seen: { method?: string; url?: string; rawHeaders?: string[]; body?: Buffer } = {}
    answer = async (request, response) => {
      Object.assign(seen, { method: request.method, url: request.url, rawHeaders: request.rawHeaders })
      seen.body = await readAll(request)
      response.end()
    }
    const body = randomBytes(300_000)
    const headers: TransportRequest['headers'] = [
      ['X-First', '1'],
      ['accept', 'text/html; q=0.5'],
      ['X-FIRST', 'again'],
      ['X-Latin', 'caf\u00e9'],
      ['X-Empty', ''],
    ]
    await call('/a%20b/%C3%BC?x=1&y=%26#fragment', { method: 'PUT', headers, body })
    expect(seen.body?.equals(body)).toBe(true)
    expect(seen).toMatchObject({ method: 'PUT', url: '/a%20b/%C3%BC?x=1&y=%26' })
    expect(seen.rawHeaders).toEqual(
      [['Host', `localhost:${target.port}`], ...headers, ['Content-Length', '300000'], ['Connection', 'close']].flat(),
    )
  })

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s without a body and with one', async (method) => {
    const lengths: (string | undefined)[] = []
    const bodies: string[] = []
    answer = async (request, response) => {
      lengths.push(request.headers['content-length'])
      expect(request.headers['transfer-encoding']).toBeUndefined()
      bodies.push(String(await readAll(request)))
      response.end()
    }
    await call('/', { method })
    await call('/', { method, body: Buffer.from('hello') })
    expect(bodies).toEqual(['', 'hello'])
    expect(lengths).toEqual([method === 'GET' || method === 'DELETE' ? undefined : '0', '5'])
  })

  test('accepts a Host header equal to the host of the URL, and ignores headers about the connection', async () => {
    let headers: IncomingMessage['headers'] = {}
    answer = (request, response) => {
      headers = request.headers
      response.end()
    }
    const own: TransportRequest['headers'] = [
      ['Connection', 'keep-alive, upgrade'],
      ['Upgrade', 'websocket'],
      ['Content-Length', '999'],
      ['Transfer-Encoding', 'chunked'],
      ['Expect', '100-continue'],
      ['TE', 'trailers'],
      ['Proxy-Connection', 'keep-alive'],
      ['host', `LocalHost:${target.port}`],
    ]
    await call('/', { method: 'POST', headers: own, body: Buffer.from('x') })
    expect(headers).toEqual({ host: `LocalHost:${target.port}`, 'content-length': '1', connection: 'close' })
  })

  test('is rejected before sending when Host is repeated or differs from the host of the URL', async () => {
    const counter = countDials()
    const refused = async (...hosts: TransportRequest['headers']) =>
      (await failed(call('/', { headers: hosts }))).message
    const right = `localhost:${target.port}`
    expect(await refused(['Host', right], ['hOST', right])).toBe('the request has more than one Host header')
    const wrong = ['virtual.example', 'localhost', `localhost:${target.port}/`, `x@${right}`, `${right}, ${right}`, '']
    for (const host of wrong) {
      expect(await refused(['Host', host]), host).toBe('the Host header is not the host of the URL')
    }
    counter.stop()
    expect(counter.dials()).toBe(0)
  })

  test.each([
    ['X-A', 'two\r\nX-Injected: 1'],
    ['X-A', 'line\nbreak'],
    ['X-A', 'nul\0'],
    ['X-A', 'snow \u2603'],
    ['X-A', '\ud800'],
  ])(
    'is rejected before sending when a header value is not valid, and the message does not quote it: %j %j',
    async (name, value) => {
      const counter = countDials()
      const error = await failed(call('/', { headers: [[name, value]] }))
      counter.stop()
      expect(error).toMatchObject({
        failure: 'protocol',
        message: 'the value of header X-A contains a character that is not allowed in headers',
      })
      expect(counter.dials()).toBe(0)
    },
  )

  test.each(['', 'X A', 'X:A', 'X\r\n', 'Ünder', '(x)'])(
    'is rejected when a header name is not valid: %j',
    async (name) => {
      const error = await failed(call('/', { headers: [[name, 'x']] }))
      expect(error).toMatchObject({ failure: 'protocol', message: `${JSON.stringify(name)} is not a header name` })
    },
  )

  test('uses a new connection each time', async () => {
    const ports = new Set<number | undefined>()
    answer = (request, response) => {
      ports.add(request.socket.remotePort)
      response.end()
    }
    for (let nth = 0; nth < 5; nth += 1) await call()
    expect(ports.size).toBe(5)
  })
})

describe('the response', () => {
  test('has status, text, headers and body', async () => {
    answer = (_request, response) => {
      response.writeHead(
        418,
        "I'm a Teapot",
        [
          ['X-Name', 'Mixed Case'],
          ['Set-Cookie', 'a=1; Path=/'],
          ['X-Many', 'one'],
          ['set-cookie', 'b=2'],
          ['x-many', 'two'],
        ].flat(),
      )
      response.end('short and stout')
    }
    const response = await call()
    expect(response).toMatchObject({
      status: 418,
      statusText: "I'm a Teapot",
      sizeBytes: 15,
      tls: null,
      tlsWarning: null,
    })
    expect(response.body?.toString()).toBe('short and stout')
    expect(response.headers).toMatchObject({
      'x-name': 'Mixed Case',
      'set-cookie': ['a=1; Path=/', 'b=2'],
      'x-many': ['one', 'two'],
    })
    expect(Object.keys(response.headers).slice(0, 3)).toEqual(['x-name', 'set-cookie', 'x-many'])
  })

  test.each([204, 304])('%i has no body', async (status) => {
    answer = (_request, response) => response.writeHead(status, { 'Content-Encoding': 'gzip' }).end()
    const response = await call()
    expect(response).toMatchObject({ status, sizeBytes: 0 })
    expect(response.body?.length).toBe(0)
  })

  test('interim responses are skipped', async () => {
    answer = (_request, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.writeProcessing()
      response.end('final')
    }
    expect((await call()).body?.toString()).toBe('final')
  })

  test('a redirect is not followed', async () => {
    answer = (_request, response) => response.writeHead(302, { Location: 'http://10.0.0.1/' }).end()
    expect(await call()).toMatchObject({ status: 302, headers: { location: 'http://10.0.0.1/' } })
  })

  test('headers with names of object members are ordinary headers', async () => {
    answer = (_request, response) =>
      response.writeHead(200, ['__proto__', 'a', '__proto__', 'b', 'toString', 'c']).end()
    const { headers } = await call()
    expect(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value).toEqual(['a', 'b'])
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
    expect(headers.tostring).toBe('c')
  })

  test('thousands of short headers are all kept', async () => {
    answer = (_request, response) => {
      response.writeHead(200, Array.from({ length: 3_000 }, (_, index) => [`X-${index}`, '1']).flat())
      response.end()
    }
    const { headers } = await call()
    expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toHaveLength(3_000)
  })

  test('any number of cookies, and headers just under the limit, are accepted', async () => {
    answer = (_request, response) => {
      response.setHeader('Set-Cookie', Array(600).fill('a'))
      response.setHeader('X-Large', 'x'.repeat(50_000))
      response.end()
    }
    const { headers } = await call()
    expect(headers['set-cookie']).toHaveLength(600)
    expect(headers['x-large']).toHaveLength(50_000)
  })
})

describe('folded header lines', () => {
  /** Answers with these bytes, in pieces that arrive one by one. */
  async function answered(...pieces: string[]) {
    const server = createServer((socket) => {
      socket.setNoDelay(true)
      // The client closes the connection when it has read enough.
      socket.on('error', () => {})
      socket.once('data', async () => {
        for (const piece of pieces) {
          await new Promise((sent) => socket.write(piece, 'latin1', sent))
          await new Promise((wake) => setTimeout(wake, 5))
        }
        socket.end()
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
    return outcomeOf(transport(get(`http://127.0.0.1:${port}/`)))
  }
  const FOLDED =
    'HTTP/1.1 200 OK\r\nX-One: a\r\n  b\r\n\tc\r\nX-Two: d\r\n \r\nContent-Length: 12\r\n\r\nkeep\r\n these'

  test('are joined with a space, and the body is left as it is', async () => {
    const response = await answered(FOLDED)
    expect(response).toMatchObject({ status: 200, headers: { 'x-one': 'a b c', 'x-two': 'd' } })
    expect((response as TransportResponse).body?.toString()).toBe('keep\r\n these'.slice(0, 12))
  })

  test('are joined wherever the packets end, after interim responses too', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>;\r\n rel=preload\r\n\r\n'
    const response = await answered(...early, ...FOLDED)
    expect(response).toMatchObject({ status: 200, headers: { 'x-one': 'a b c', 'x-two': 'd' } })
  })

  test('are as large as other headers at most', async () => {
    const response = await answered('HTTP/1.1 200 OK\r\nX-One: a\r\n', ' '.repeat(200_000), ' '.repeat(200_000))
    expect(response).toMatchObject({ failure: 'protocol', message: 'the response headers are larger than 65536 bytes' })
  })

  test('do not make other faults valid', async () => {
    for (const start of [
      'HTTP/1.1 200 OK\r\n X-One: a',
      'HTTP/1.1 200 OK\r\nX One: a',
      'HTTP/1.1 200 OK\r\nX-One : a',
    ]) {
      const response = await answered(`${start}\r\nContent-Length: 0\r\n\r\n`)
      expect(response, start).toMatchObject({ failure: 'protocol', message: /not valid HTTP/ })
    }
  })
})

describe('content codings', () => {
  const text = Buffer.from('déjà vu, '.repeat(5_000))
  test.each<[string, Buffer]>([
    ['gzip', zlib.gzipSync(text)],
    ['x-gzip', zlib.gzipSync(text)],
    ['GZip', Buffer.concat([zlib.gzipSync(text.subarray(0, 100)), zlib.gzipSync(text.subarray(100))])],
    ['deflate', zlib.deflateSync(text)],
    ['deflate', zlib.deflateRawSync(text)],
    ['br', zlib.brotliCompressSync(text)],
    ['zstd', zlib.zstdCompressSync(text)],
    ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))],
    ['identity, gzip', zlib.gzipSync(text)],
    ['identity', text],
    ['utf-8', text],
    ['', text],
  ])('%s is decoded', async (coding, sent) => {
    answer = (_request, response) => {
      response.setHeader('Content-Encoding', coding)
      response.end(sent)
    }
    const response = await call()
    expect(response.body?.equals(text)).toBe(true)
    expect(response.sizeBytes).toBe(text.length)
  })

  test('an unknown coding ends the decoding', async () => {
    answer = (_request, response) => {
      response.setHeader('Content-Encoding', 'rot13, gzip')
      response.end(zlib.gzipSync('uryyb'))
    }
    expect((await call()).body?.toString()).toBe('uryyb')
  })

  test('three codings are rejected', async () => {
    answer = (_request, response) => {
      response.setHeader('Content-Encoding', 'gzip, gzip, gzip')
      response.end(zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(text))))
    }
    expect(await failed(call())).toMatchObject({ failure: 'protocol', message: /3 content codings/ })
  })
})

describe('the body limit', () => {
  const small = createTransport({ allowedNetworks, maxBodyBytes: 1_000 })
  const send = (body: Buffer, headers: Record<string, string> = {}) => {
    answer = (_request, response) => response.writeHead(200, headers).end(body)
    return small(get(target.url))
  }

  test('a body of exactly the limit is read; one byte more is not', async () => {
    expect(await send(Buffer.alloc(1_000))).toMatchObject({ sizeBytes: 1_000, body: Buffer.alloc(1_000) })
    const over = await send(Buffer.alloc(1_001))
    expect(over).toMatchObject({ status: 200, body: null })
    expect(over.sizeBytes).toBeGreaterThan(1_000)
  })

  test('applies to decoded bytes too', async () => {
    const gzip = { 'Content-Encoding': 'gzip' }
    expect(await send(zlib.gzipSync(Buffer.alloc(1_000)), gzip)).toMatchObject({ sizeBytes: 1_000 })
    expect(await send(zlib.gzipSync(Buffer.alloc(1_001)), gzip)).toMatchObject({ sizeBytes: 1_000, body: null })
  })

  test('a large body in many chunks is read completely', async () => {
    const large = randomBytes(9 * 1024 * 1024)
    answer = (_request, response) => {
      for (let at = 0; at < large.length; at += 10_007) response.write(large.subarray(at, at + 10_007))
      response.end()
    }
    const { body, sizeBytes } = await call()
    const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex')
    expect([sizeBytes, digest(body!)]).toEqual([large.length, digest(large)])
  })
})

describe('phases', () => {
  test('are integer milliseconds, and add up to the response time', async () => {
    const waited = { headersMs: 0, bodyMs: 0 }
    answer = (_request, response) => {
      const askedAt = performance.now()
      setTimeout(() => {
        // The rest is sent after the client has the headers, so that a stall cannot shift time between phases.
        onceReceived(() => {
          const receivedAt = performance.now()
          setTimeout(() => {
            waited.bodyMs = performance.now() - receivedAt
            response.end('y')
          }, 80)
        })
        waited.headersMs = performance.now() - askedAt
        response.write('x')
      }, 120)
    }
    const { timings } = await call()
    expect(Object.values(timings).every(Number.isInteger)).toBe(true)
    expect(timings.tlsMs).toBe(0)
    expect(timings.ttfbMs).toBeGreaterThanOrEqual(Math.floor(waited.headersMs))
    expect(timings.transferMs).toBeGreaterThanOrEqual(Math.floor(waited.bodyMs))
    expect(timings.connectMs).toBeLessThan(timings.responseTimeMs)
    const { responseTimeMs, dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = timings
    expect(Math.abs(responseTimeMs - (dnsMs + connectMs + tlsMs + ttfbMs + transferMs))).toBeLessThanOrEqual(3)
  })

  test('include the DNS lookup', async () => {
    let waitedMs = 0
    const slow = createTransport({
      allowedNetworks,
      resolver: async () => {
        const askedAt = performance.now()
        await new Promise((wake) => setTimeout(wake, 60))
        waitedMs = performance.now() - askedAt
        return ['127.0.0.1']
      },
    })
    const { timings, dns } = await slow(get(`http://status.example.com:${target.port}/`))
    expect(timings.dnsMs).toBeGreaterThanOrEqual(Math.floor(waitedMs))
    expect(dns).toEqual({ resolvedIps: ['127.0.0.1'], resolvedIp: '127.0.0.1' })
  })
})

describe('timeouts and aborts', () => {
  test('a timeout error names the limit and the phase', async () => {
    answer = () => {}
    const error = await failed(call('/', { timeoutMs: 50 }))
    expect(error).toMatchObject({ failure: 'timeout', message: /^no complete response within 50 ms \(.+\)$/ })
  })

  test('a DNS lookup that hangs ends at the timeout, and so do its queries', async () => {
    let hasEnded = () => false
    const hanging = createTransport({
      allowedNetworks,
      resolver: (_host, { signal }) => {
        hasEnded = () => signal.aborted
        return new Promise(() => {})
      },
    })
    const error = await failed(hanging(get('http://status.example.com/', { timeoutMs: 50 })))
    expect(error).toMatchObject({ failure: 'timeout', message: /looking up the host name/ })
    expect(hasEnded()).toBe(true)
  })

  test('an abort ends the request, before or during the exchange, and removes all listeners', async () => {
    expect(await failed(call('/', { signal: AbortSignal.abort() }))).toMatchObject({ failure: 'aborted' })
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...args)
    }
    await call('/', { signal })
    answer = () => controller.abort()
    expect(await failed(call('/', { signal }))).toMatchObject({
      failure: 'aborted',
      message: 'the request was aborted',
    })
    expect(listeners).toBe(0)
  })

  test('a refused connection has its own message', async () => {
    // No other process can listen here on all addresses, because the target has this port on another address.
    const all = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']) })
    expect(await failed(all(get(`http://127.0.0.9:${target.port}/`)))).toMatchObject({
      failure: 'connection',
      message: `127.0.0.9:${target.port} refused the connection`,
    })
  })
})

describe('several addresses', () => {
  test('the next is tried when one refuses, and the result has the address that was used', async () => {
    const both = createTransport({
      allowedNetworks: parseNetworks(['127.0.0.0/8']),
      resolver: async () => ['127.0.0.3', '127.0.0.1'],
    })
    const { dns } = await both(get(`http://status.example.com:${target.port}/`))
    expect(dns).toEqual({ resolvedIps: ['127.0.0.3', '127.0.0.1'], resolvedIp: '127.0.0.1' })
  })

  test('the next is tried in parallel when one is silent', async () => {
    const silent = await startSilent('127.0.0.6', target.port)
    onTestFinished(silent.close)
    const both = createTransport({
      allowedNetworks: parseNetworks(['127.0.0.0/8']),
      resolver: async () => ['127.0.0.6', '127.0.0.1'],
    })
    const { dns } = await both(get(`http://status.example.com:${target.port}/`))
    expect(dns).toEqual({ resolvedIps: ['127.0.0.6', '127.0.0.1'], resolvedIp: '127.0.0.1' })

    const alone = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']) })
    const error = await failed(alone(get(`http://127.0.0.6:${target.port}/`, { timeoutMs: 400 })))
    expect(error).toMatchObject({ failure: 'timeout', message: 'no complete response within 400 ms (connecting)' })
  })

  test('when all refuse, the request fails once', async () => {
    const none = createTransport({
      allowedNetworks: parseNetworks(['127.0.0.0/8']),
      resolver: async () => ['127.0.0.3', '127.0.0.4', '127.0.0.5'],
    })
    const error = await failed(none(get(`http://status.example.com:${target.port}/`)))
    expect(error).toMatchObject({ failure: 'connection', message: /^status\.example\.com:\d+ refused the connection$/ })
  })
})

/** Calls `callback` once the client has the headers of the next response. */
function onceReceived(callback: () => void): void {
  const received = () => {
    unsubscribe('http.client.response.finish', received)
    // The client takes the time of the headers after this message, in the same turn of the event loop.
    setImmediate(callback)
  }
  subscribe('http.client.response.finish', received)
}
