// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bodyFiles } from '#server/language/lace/body-files.ts'
import { systemClock } from '#server/language/lace/executor/clock.ts'
import { runScript } from '#server/language/lace/executor.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import type { ExpectScopeAssertion } from '#server/language/lace/result.ts'
import type { Transport } from '#server/language/lace/transport.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createTransport } from '#worker/http/client.ts'
import { resultProblem } from './conformance/schemas.ts'
import { type Answer, answerJson, answerText, LOOPBACK, run, startTarget } from './server.ts'

const silence: Answer = () => undefined

describe('expect scopes', () => {
  /** Returns the scopes of `.check()` as name, operator and outcome. */
  async function check(scopes: string, answer: Answer, options: Parameters<typeof run>[1] = {}) {
    await using target = await startTarget(answer)
    const { calls } = await run(`get("${target.url}").check(${scopes})`, options)
    expect(calls[0]!.error).toBeNull()
    return (calls[0]!.assertions as ExpectScopeAssertion[]).map((one) => [one.scope, one.op, one.outcome].join(' '))
  }

  test('have a default operator each', async () => {
    const scopes =
      'status: 200, body: "hello", headers: { "X-A": "1" }, bodySize: "1k", totalDelayMs: 60000, dns: 60000, connect: 60000, tls: 1, ttfb: 60000, transfer: 60000, size: 5, redirects: "/x"'
    expect(await check(scopes, answerText('hello', { 'x-a': '1' }))).toEqual([
      'status eq passed',
      'body eq passed',
      'headers eq passed',
      'bodySize lt passed',
      'totalDelayMs lt passed',
      'dns lt passed',
      'connect lt passed',
      // No `tls`: without TLS the scope is skipped.
      'ttfb lt passed',
      'transfer lt passed',
      'size eq passed',
      'redirects eq failed',
    ])
  })

  test.each([
    ['status: [500, 200]', 'status eq passed'],
    ['status: [500, 404]', 'status eq failed'],
    ['status: { value: [500, 404], op: "neq" }', 'status neq passed'],
    ['status: { value: [500, 200], op: "neq" }', 'status neq failed'],
    ['status: { value: 300, op: "lt" }', 'status lt passed'],
    ['status: "200"', 'status eq failed'],
    ['status: $none', 'status eq failed'],
    ['status: { value: $none, op: "lt" }', 'status lt indeterminate'],
    ['size: { value: 5, op: "gte" }', 'size gte passed'],
    ['size: $five', 'size eq passed'],
    ['size: "five"', 'size eq failed'],
    ['ttfb: $none', 'ttfb lt indeterminate'],
    ['bodySize: "5"', 'bodySize lt failed'],
    ['bodySize: { value: "5", op: "lte" }', 'bodySize lte passed'],
    ['bodySize: "${$five}b"', 'bodySize lt failed'],
    ['body: $text', 'body eq passed'],
    ['body: "Hello"', 'body eq failed'],
    ['body: { value: "Hello", op: "neq" }', 'body neq passed'],
    ['body: $none', 'body eq failed'],
    ['headers: { "X-A": "1", "x-B": "2" }', 'headers eq passed'],
    ['headers: { "X-A": 1 }', 'headers eq passed'],
    ['headers: { "X-A": "2" }', 'headers eq failed'],
    ['headers: { "X-None": "2" }', 'headers eq failed'],
    ['headers: { value: { "X-None": "2" }, op: "neq" }', 'headers neq passed'],
    ['headers: { value: { "X-A": "2" }, op: "lt" }', 'headers lt passed'],
    ['headers: "X-A"', 'headers eq failed'],
    ['headers: { "Set-Cookie": "b=2" }', 'headers eq passed'],
  ])('%s', async (scope, expected) => {
    const answer: Answer = (_, response) => {
      response.writeHead(200, { 'X-A': '1', 'X-b': '2', 'Set-Cookie': ['a=1', 'b=2'] }).end('hello')
    }
    expect(await check(scope, answer, { variables: { five: '5', text: 'hello' } })).toEqual([expected])
  })

  test('compare a body as a string, and with an array or object as JSON', async () => {
    const answer = answerText('{ "a": [1] }', { 'content-type': 'application/json' })
    expect(await check('body: "{ \\"a\\": [1] }"', answer)).toEqual(['body eq passed'])
    expect(await check('body: "{\\"a\\":[1]}"', answer)).toEqual(['body eq failed'])
    expect(await check('body: { a: [1] }', answer)).toEqual(['body eq passed'])
    expect(await check('body: { a: [2] }', answer)).toEqual(['body eq failed'])
    expect(await check('body: 5', answerText('5'))).toEqual(['body eq passed'])
  })

  test('decode a body by its charset', async () => {
    const latin: Answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0xe4]))
    }
    expect(await check('body: "ä"', latin)).toEqual(['body eq passed'])
    expect(await check('body: "ä"', answerText('ä', { 'content-type': 'text/plain; charset=none' }))).toEqual([
      'body eq passed',
    ])
  })

  test('record their options, or null', async () => {
    await using target = await startTarget(answerText('ok'))
    const { calls } = await run(
      `get("${target.url}").expect(status: { value: 200, options: { a: $v, b: { "c": [tpl("x", 1)] } } }, size: 2)
        .assert({ check: [{ condition: true, options: { d: this.status } }, true] })`,
      { variables: { v: 'w' } },
    )
    expect(calls[0]!.assertions.map((one) => one.options)).toEqual([
      { a: 'w', b: { c: [{ kind: 'funcCall', name: 'tpl', args: ['x', 1] }] } },
      null,
      { d: 200 },
      null,
    ])
  })
})

describe('schemas', () => {
  const schema = { type: 'object', properties: { user: { type: 'object', properties: { id: { type: 'integer' } } } } }

  async function match(scope: string, answer: Answer, variables: Parameters<typeof run>[1] = {}) {
    await using target = await startTarget(answer)
    const { outcome, calls } = await run(`get("${target.url}").check(body: ${scope})`, variables)
    const [assertion] = calls[0]!.assertions as ExpectScopeAssertion[]
    return { outcome, assertion: assertion!.outcome, actual: assertion!.actual, expected: assertion!.expected }
  }

  test('can be a value or a JSON string', async () => {
    for (const s of [schema, JSON.stringify(schema)]) {
      expect(await match('schema($s)', answerJson({ user: { id: 1 } }), { variables: { s } })).toMatchObject({
        outcome: 'success',
        assertion: 'passed',
        expected: 'schema($s)',
      })
      expect(await match('schema($s)', answerJson({ user: { id: 'x' } }), { variables: { s } })).toMatchObject({
        outcome: 'success',
        assertion: 'failed',
        actual: { path: '.user.id', detail: 'expected integer, got string' },
      })
    }
  })

  test('with strict allow no undeclared field at any level', async () => {
    const answer = answerJson({ user: { id: 1, name: 'x' } })
    expect(await match('{ value: schema($s), mode: "loose" }', answer, { variables: { s: schema } })).toMatchObject({
      assertion: 'passed',
    })
    expect(await match('{ value: schema($s), mode: "strict" }', answer, { variables: { s: schema } })).toMatchObject({
      assertion: 'failed',
      actual: { path: '.user.name', detail: 'unexpected field' },
    })
  })

  test.each([
    ['null', null, 'the variable of the schema is null'],
    ['no JSON', 'type: object', 'is not a JSON Schema document'],
    ['no schema', '5', 'is an object or a boolean'],
    ['a wrong schema', '{"type":"objekt"}', '#/type has the wrong type'],
    ['a reference to elsewhere', '{"$ref":"https://schemas.example/a"}', 'points outside the document'],
    ['a pattern that needs backtracking', '{"pattern":"(?=a)b"}', 'linear time'],
    ['endless', '{"$ref":"#"}', 'refers to itself endlessly'],
  ])('a schema that is %s stops the run, in .check() too', async (_, s, reason) => {
    const verdict = await match('schema($s)', answerJson('a'), { variables: { s } })
    expect(verdict).toMatchObject({
      outcome: 'failure',
      assertion: 'failed',
      actual: { detail: expect.stringContaining(reason) },
    })
  })

  test('stop the run when the body is not JSON', async () => {
    expect(await match('schema($s)', answerText('<html>'), { variables: { s: true } })).toMatchObject({
      outcome: 'failure',
      actual: { detail: 'the body is not valid JSON' },
    })
    // The content of the body decides, not its content type.
    expect(await match('schema($s)', answerText('{}'), { variables: { s: true } })).toMatchObject({
      assertion: 'passed',
    })
  })

  test('outside of the body scope, schema() returns the value of its variable', async () => {
    await using target = await startTarget(answerText('ok'))
    const source = `get("${target.url}").assert({ expect: [schema($s) eq 5] })`
    expect((await run(source, { variables: { s: 5 } })).outcome).toBe('success')
    expect((await run(source)).calls[0]).toMatchObject({
      outcome: 'failure',
      error: 'the variable of `schema` is null',
    })
  })
})

describe('failures', () => {
  test('a hard failure stops the run after all checks of the call are recorded', async () => {
    await using target = await startTarget(answerJson({ a: 1 }))
    const result = await run(`
      get("${target.url}").expect(status: 1, size: 1, body: "x").check(status: 200)
        .assert({ expect: [this.body.a eq 1] }).store({ $$a: 1 }).wait(5000)
      get("${target.url}").wait(0)`)
    expect(result).toMatchObject({ outcome: 'failure', runVars: {}, actions: {} })
    expect(result.calls[0]!.assertions.map((one) => [one.method, one.outcome])).toEqual([
      ...Array(3).fill(['expect', 'failed']),
      ['check', 'passed'],
      ['assert', 'passed'],
    ])
    expect(result.calls[1]).toEqual({
      ...{ index: 1, outcome: 'skipped', startedAt: null, endedAt: null, request: null, response: null, error: null },
      ...{ redirects: [], assertions: [], config: {}, warnings: [] },
    })
    expect(target.requests).toHaveLength(1)
  })

  test('a hard condition stops the run after all conditions are recorded', async () => {
    await using target = await startTarget(answerText('ok'))
    const { outcome, calls } = await run(
      `get("${target.url}").assert({ check: [1 eq 2], expect: [1 eq 2, null gt 1, 1 eq 1] }).store({ a: 1 })`,
    )
    expect(outcome).toBe('failure')
    expect(calls[0]!.assertions.map((one) => one.method === 'assert' && [one.kind, one.index, one.outcome])).toEqual([
      ['expect', 0, 'failed'],
      ['expect', 1, 'indeterminate'],
      ['expect', 2, 'passed'],
      ['check', 0, 'failed'],
    ])
  })

  test('soft failures and indeterminate conditions do not fail a run', async () => {
    await using target = await startTarget(answerText('ok'))
    const result = await run(
      `get("${target.url}").check(status: 1).assert({ check: [1 eq 2], expect: [null gt 1] }).store({ "$a": 1 })`,
    )
    expect(result).toMatchObject({ outcome: 'success', actions: { variables: { a: 1 } } })
  })

  test('a script that does not validate is not run', async () => {
    const result = await run('get("u").expect(status: 1).expect(status: 2)')
    expect(result).toMatchObject({ outcome: 'failure', calls: [], runVars: {}, actions: {} })
    expect(result.error).toMatch(/^validation failed: CHAIN_DUPLICATE /)
    expect(await run('get(').then((one) => one.error)).toMatch(/^validation failed: PARSE_ERROR \(line 1: /)
  })

  test('a tree is validated and run like its source', async () => {
    await using target = await startTarget(answerText('ok'))
    const { ast } = parseScript(`get("${target.url}").expect(status: 200)`)
    const transport = createTransport({ allowedNetworks: parseNetworks(LOOPBACK) })
    expect(await runScript({ ast: ast!, transport })).toMatchObject({ outcome: 'success' })
    ast!.calls[0]!.config = { cookieJar: 'none' }
    expect((await runScript({ ast: ast!, transport })).error).toMatch(/^validation failed: COOKIE_JAR_FORMAT \(`none`/)
  })

  test.each([
    ['get("not a url").wait(0)', 'the URL is not valid'],
    ['get("http://127.0.0.1:1/").wait(0)', /./],
    ['get("http://10.0.0.1/").wait(0)', /blocked_probe_target/],
    ['get("file:///etc/passwd").wait(0)', /blocked_probe_target/],
    ['get("http://127.0.0.1:9/$$a", { headers: { "a b": "1" } }).wait(0)', /./],
  ])('%s', async (source, error) => {
    const { outcome, calls } = await run(source)
    expect(outcome).toBe('failure')
    expect(calls[0]).toMatchObject({ outcome: 'failure', response: null, assertions: [] })
    expect(calls[0]!.error).toMatch(error)
  })
})

describe('redirects', () => {
  /** `/STATUS/HOPS` redirects to `/STATUS/HOPS-1`; `/STATUS/0` responds with 200. */
  const chain: Answer = (request, response) => {
    const [, status, hops] = request.url!.split('/')
    if (hops === '0') response.writeHead(200, { 'content-type': 'text/plain' }).end(request.method)
    else response.writeHead(Number(status), { location: `/${status}/${Number(hops) - 1}` }).end()
  }

  test.each([
    ['post', 301, 'GET', ''],
    ['post', 302, 'GET', ''],
    ['post', 303, 'GET', ''],
    ['post', 307, 'POST', 'x=1'],
    ['post', 308, 'POST', 'x=1'],
    ['put', 301, 'PUT', 'x=1'],
    ['put', 303, 'GET', ''],
    ['delete', 302, 'DELETE', 'x=1'],
    ['get', 303, 'GET', 'x=1'],
  ])('%s after %i becomes %s', async (method, status, then, body) => {
    await using target = await startTarget(chain)
    const { calls } = await run(
      `${method}("${target.url}/${status}/1", { body: form({ x: 1 }) }).expect(body: "${then}")`,
    )
    expect(calls[0]!.outcome).toBe('success')
    expect(target.requests[1]).toMatchObject({ method: then, body })
    expect(target.requests[1]!.headers['content-type']).toBe(body ? 'application/x-www-form-urlencoded' : undefined)
  })

  test('are recorded, and compared by URL or path', async () => {
    await using target = await startTarget(chain)
    const { outcome, calls } = await run(`get("${target.url}/302/3")
      .expect(redirects: "/302/1")
      .check(redirects: { value: "${target.url}/302/2", match: "first" })
      .assert({ expect: [count(this.redirects) eq 3] })`)
    expect(outcome).toBe('success')
    expect(calls[0]!.redirects).toEqual([2, 1, 0].map((hop) => `${target.url}/302/${hop}`))
    expect(calls[0]!.assertions.map((one) => one.outcome)).toEqual(['passed', 'passed', 'passed'])
    expect(calls[0]!.assertions[0]).toMatchObject({ match: 'any', expected: '/302/1' })
    expect(calls[0]!.request!.url).toBe(`${target.url}/302/3`)
  })

  test.each([
    ['{ value: "/302/0", match: "last" }', 'passed'],
    ['{ value: "/302/0", match: "first" }', 'failed'],
    ['{ value: "/302/9", op: "neq" }', 'passed'],
    ['{ value: "/302/0", op: "neq" }', 'failed'],
  ])('redirects: %s', async (scope, outcome) => {
    await using target = await startTarget(chain)
    const { calls } = await run(`get("${target.url}/302/2").check(redirects: ${scope})`)
    expect(calls[0]!.assertions[0]!.outcome).toBe(outcome)
  })

  test('fail `first` and `last` when there is no redirect', async () => {
    await using target = await startTarget(answerText('ok'))
    const { calls } = await run(
      `get("${target.url}").check(redirects: { value: "/", match: "first" }).assert({ check: [this.redirects eq []] })`,
    )
    expect(calls[0]!.assertions.map((one) => one.outcome)).toEqual(['failed', 'passed'])
  })

  test('stop the run when there are too many, with any timeout action', async () => {
    await using target = await startTarget(chain)
    const source = (max: string) =>
      `get("${target.url}/302/11", { timeout: { action: "warn" }${max} }).expect(status: 200)`
    const { calls } = await run(source(''))
    expect(calls[0]).toMatchObject({ outcome: 'failure', response: null, error: 'more than 10 redirects' })
    expect(calls[0]!.redirects).toHaveLength(10)
    const none = await run(source(', redirects: { max: 0 }'))
    expect(none.calls[0]).toMatchObject({ outcome: 'failure', redirects: [], error: 'more than 0 redirects' })
    const limited = await run(source(''), { limits: { maxRedirects: 2 } })
    expect(limited.calls[0]!.error).toBe('more than 2 redirects')
  })

  test('are not followed with follow: false', async () => {
    await using target = await startTarget(chain)
    const { calls } = await run(
      `get("${target.url}/308/2", { redirects: { follow: false } }).expect(status: 308, headers: { location: "/308/1" })`,
    )
    expect(calls[0]).toMatchObject({ outcome: 'success', redirects: [] })
  })

  test.each([
    ['http://[', 'the URL of the redirect is not valid'],
    ['javascript:alert(1)', 'blocked_probe_target'],
    ['file:///etc/passwd', 'blocked_probe_target'],
    ['http://10.1.2.3/', 'blocked_probe_target'],
    ['http://169.254.169.254/latest/', 'blocked_probe_target'],
  ])('a redirect to %s fails', async (location, error) => {
    await using target = await startTarget((_, response) => response.writeHead(302, { location }).end())
    const { calls } = await run(`get("${target.url}").expect(status: 200)`)
    expect(calls[0]).toMatchObject({ outcome: 'failure', response: null })
    expect(calls[0]!.error).toContain(error)
  })

  test('are followed as the bytes that the Location header has', async () => {
    const locations = ['/caf\u00c3\u00a9?q=\u00c3\u00a9', '/latin-\u00e9']
    await using target = await startTarget((_, response) => {
      const location = locations.shift()
      if (location) response.writeHead(302, { location }).end()
      else response.end('ok')
    })
    const { calls } = await run(`get("${target.url}/").expect(body: "ok")`)
    expect(calls[0]!.redirects).toEqual([`${target.url}/caf%C3%A9?q=%C3%A9`, `${target.url}/latin-%E9`])
    expect(target.requests.map(({ url }) => url)).toEqual(['/', '/caf%C3%A9?q=%C3%A9', '/latin-%E9'])
  })

  test('are not followed to a URL with user information, and say so', async () => {
    await using target = await startTarget((request, response) => {
      response.writeHead(302, { location: `http://me:secret@${request.headers.host}/home` }).end()
    })
    const { calls } = await run(`get("${target.url}/").expect(status: 200)`)
    expect(calls[0]!.error).toBe(
      'blocked_probe_target: the redirect leads to a URL with user information (a name or a password before the host), ' +
        'which probes do not send',
    )
    expect(target.requests).toHaveLength(1)
  })

  test('are not followed without a Location header', async () => {
    await using target = await startTarget((_, response) => response.writeHead(302).end())
    expect((await run(`get("${target.url}").expect(status: 302)`)).outcome).toBe('success')
  })

  test('drop headers that may carry a credential on the way to another origin, for all later hops', async () => {
    await using other = await startTarget((request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${home.port}/home?${request.url}` }).end()
    })
    const home = await startTarget((request, response) => {
      if (request.url !== '/') response.end('ok')
      else response.writeHead(307, { location: `${other.url}/other`, 'set-cookie': 'jar=1' }).end()
    })
    const { calls } = await run(`get("${home.url}/", {
      headers: { Authorization: "Bearer x", "X-Api-Key": "k", Accept: "text/plain", "User-Agent": "me", Cookie: "h=1" },
      cookies: { c: "1" }
    }).expect(body: "ok")`)
    await home[Symbol.asyncDispose]()
    expect(calls[0]!.outcome).toBe('success')
    expect(home.requests[0]!.headers).toMatchObject({ authorization: 'Bearer x', 'x-api-key': 'k', cookie: 'h=1; c=1' })
    const kept = { accept: 'text/plain', 'user-agent': 'me', connection: 'close' }
    // Cookies ignore ports, so the jar sends its cookie to every port of the host.
    expect(other.requests[0]!.headers).toEqual({ ...kept, host: `127.0.0.1:${other.port}`, cookie: 'jar=1' })
    expect(home.requests[1]!.headers).toEqual({ ...kept, host: `127.0.0.1:${home.port}`, cookie: 'jar=1' })
    expect(calls[0]!.warnings).toEqual([
      `not sent on to ${other.url}: Authorization, X-Api-Key, Cookie, the cookies of the call`,
    ])
  })

  test.each([
    ['post', 307, ''],
    ['put', 302, 'max: 3'],
    ['post', 308, 'resendBody: "true"'],
    ['patch', 307, 'resendBody: true'],
  ])(
    'do not resend the body of a %s after %i to another origin, unless the script allows it: %s',
    async (method, status, how) => {
      await using other = await startTarget(answerText('there'))
      await using home = await startTarget((_, response) => response.writeHead(status, { location: other.url }).end())
      const config = how === '' ? '' : `, redirects: { ${how} }`
      const source = `${method}("${home.url}", { body: json({ x: 1 })${config} }).expect(body: "there")`
      const { calls } = await run(source)
      if (how === 'resendBody: true') {
        expect(calls[0]).toMatchObject({ outcome: 'success', config: { redirects: { resendBody: true } } })
        expect(other.requests[0]).toMatchObject({ method: method.toUpperCase(), body: '{"x":1}' })
      } else {
        const error = `the redirect to ${other.url} would resend the body to another origin; this needs \`redirects: { resendBody: true }\``
        expect(calls[0]).toMatchObject({ outcome: 'failure', error, redirects: [`${other.url}/`] })
        expect(other.requests).toEqual([])
      }
    },
  )

  test('to another origin are followed without a body', async () => {
    await using other = await startTarget(answerText('there'))
    await using home = await startTarget((request, response) =>
      response.writeHead(Number(request.url?.slice(1)), { location: other.url }).end(),
    )
    for (const [call, status] of [
      ['post', 307],
      ['delete', 308],
    ] as const) {
      const { outcome } = await run(`${call}("${home.url}/${status}").expect(body: "there")`)
      expect(outcome).toBe('success')
    }
    const { outcome } = await run(`post("${home.url}/302", { body: "x" }).expect(body: "there")`)
    expect(outcome).toBe('success')
    expect(other.requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', ''],
      ['DELETE', ''],
      ['GET', ''],
    ])
  })

  test('never resend a body from https to http', async () => {
    const sent: string[] = []
    const transport: Transport = async ({ url }) => {
      sent.push(url.href)
      return {
        status: 307,
        statusText: '',
        headers: { location: 'http://example.com/' },
        body: Buffer.alloc(0),
        sizeBytes: 0,
        timings: { responseTimeMs: 0, dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, transferMs: 0 },
        dns: { resolvedIps: [], resolvedIp: null },
        tls: null,
        tlsWarning: null,
      }
    }
    const source = 'post("https://example.com/", { body: "x", redirects: { resendBody: true } }).expect(status: 200)'
    const { calls } = await run(source, { transport })
    expect(calls[0]?.error).toBe('the redirect to http://example.com would resend the body without encryption')
    expect(sent).toEqual(['https://example.com/'])
  })

  test('add up the times of all hops', async () => {
    await using target = await startTarget((request, response) => {
      setTimeout(() => chain(request, response), 30)
    })
    const { calls } = await run(`get("${target.url}/302/2").wait(0)`)
    const { responseTimeMs, dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = calls[0]!.response!
    expect(ttfbMs).toBeGreaterThanOrEqual(85)
    expect(Math.abs(responseTimeMs - (dnsMs + connectMs + tlsMs + ttfbMs + transferMs))).toBeLessThanOrEqual(15)
  })
})

describe('cookies', () => {
  /** `/set?a=1` sets `a=1`; every response body is the received `Cookie` header. */
  const jar: Answer = (request, response) => {
    const url = new URL(request.url!, 'http://x')
    if (url.pathname === '/set')
      response.setHeader('set-cookie', url.search.slice(1).split('&').map(decodeURIComponent))
    response.setHeader('content-type', 'text/plain')
    response.end(request.headers.cookie ?? '')
  }

  async function cookies(...calls: string[]) {
    await using target = await startTarget(jar)
    const result = await run(calls.map((call) => `${call.replace('(/', `("${target.url}/`)}.wait(0)`).join('\n'))
    expect(result.outcome).toBe('success')
    return target.requests.map((request) => request.headers.cookie ?? '')
  }

  test('are shared by all calls', async () => {
    expect(await cookies('get(/set?a=1&b=2")', 'get(/x")', 'get(/x", { cookieJar: "inherit" })')).toEqual([
      '',
      'a=1; b=2',
      'a=1; b=2',
    ])
  })

  test('with escapes in their path are sent to this path', async () => {
    const paths = ['/my%20app', '/caf%C3%A9', '/my app', '/caf\u00c3\u00a9', '/a%2Fb', '/100%25']
    await using target = await startTarget((request, response) => {
      if (request.url === '/')
        response.setHeader(
          'set-cookie',
          paths.map((path, nth) => `c${nth}=1; Path=${path}`),
        )
      else if (request.url === '/deep%20er/set') response.setHeader('set-cookie', 'own=1')
      response.end()
    })
    const called = ['/', '/my%20app/x', '/caf%C3%A9', '/a%2Fb', '/a/b', '/100%25', '/deep%20er/set', '/deep%20er/x']
    await run(called.map((path) => `get("${target.url}${path}").expect(status: 200)`).join('\n'))
    const sent = target.requests.map(({ headers }) => headers.cookie ?? '')
    expect(sent).toEqual(['', 'c0=1; c2=1', 'c1=1; c3=1', 'c4=1', '', 'c5=1', '', 'own=1'])
  })

  test('of a response may be many; those beyond the bound of a jar are a warning', async () => {
    await using target = await startTarget((request, response) => {
      const count = Number(request.url?.slice(1))
      if (count > 0)
        response.setHeader(
          'set-cookie',
          Array.from({ length: count }, (_, nth) => `c${nth}=1`),
        )
      response.end(`${request.headers.cookie?.split('; ').length ?? 0} received`)
    })
    const { outcome, calls } = await run(`get("${target.url}/60").expect(status: 200)
      get("${target.url}/0").expect(body: "60 received")
      get("${target.url}/1001", { cookieJar: "fresh" }).expect(status: 200)`)
    expect(outcome).toBe('success')
    expect(calls.map(({ warnings }) => warnings)).toEqual([
      [],
      [],
      ['1 of the 1001 cookies of a response were not kept: a jar takes 1000 cookies in a run, of 8192 characters'],
    ])
  })

  test('are cleared by fresh', async () => {
    expect(await cookies('get(/set?a=1")', 'get(/set?b=2", { cookieJar: "fresh" })', 'get(/x")')).toEqual([
      '',
      '',
      'b=2',
    ])
  })

  test('of named jars are separate', async () => {
    expect(
      await cookies(
        'get(/set?a=1", { cookieJar: "named:one" })',
        'get(/set?b=2")',
        'get(/x", { cookieJar: "named:two" })',
        'get(/x", { cookieJar: "named:one" })',
        'get(/x")',
      ),
    ).toEqual(['', '', '', 'a=1', 'b=2'])
  })

  test('are cleared by name', async () => {
    expect(
      await cookies('get(/set?a=1&b=2")', 'get(/x", { cookieJar: "selective_clear", clearCookies: ["a", "z"] })'),
    ).toEqual(['', 'b=2'])
    expect(
      await cookies(
        'get(/set?a=1")',
        'get(/set?a=2&b=3", { cookieJar: "named:n" })',
        'get(/x", { cookieJar: "n:selective_clear", clearCookies: ["a"] })',
        'get(/x", { cookieJar: "default:selective_clear", clearCookies: ["none"] })',
      ),
    ).toEqual(['', '', 'b=3', 'a=1'])
    expect(
      await cookies(
        'get(/set?a=1", { cookieJar: "named:selective_clear" })',
        'get(/x", { cookieJar: "selective_clear", clearCookies: ["a"] })',
        'get(/x", { cookieJar: "named:selective_clear" })',
      ),
    ).toEqual(['', '', 'a=1'])
  })

  test('of the call override those of the jar and are not stored', async () => {
    expect(await cookies('get(/set?a=1&b=2")', 'get(/x", { cookies: { b: "own", c: "3" } })', 'get(/x")')).toEqual([
      '',
      'a=1; b=own; c=3',
      'a=1; b=2',
    ])
    expect(await cookies('get(/set?a=1")', 'get(/x", { headers: { cookie: "a=0; h=9" } })')).toEqual(['', 'h=9; a=1'])
  })

  test('respect path, expiry and domain', async () => {
    const set = ['a=1; Path=/deep', 'c=3; Max-Age=0', 'd=4; Domain=example.com', 'e=5; Path=/', 'f', 'g=6; HttpOnly']
      .map(encodeURIComponent)
      .join('&')
    expect(await cookies(`get(/set?${set}")`, 'get(/x")', 'get(/deep/er")')).toEqual([
      '',
      'e=5; f; g=6',
      'a=1; e=5; f; g=6',
    ])
  })

  test('work for localhost too', async () => {
    await using target = await startTarget(jar)
    const host = `http://localhost:${target.port}`
    await run(`get("${host}/set?a=1").wait(0) get("${host}/x").wait(0) get("${target.url}/x").wait(0)`)
    expect(target.requests.map((request) => request.headers.cookie)).toEqual([undefined, 'a=1', undefined])
  })

  test('are set and sent in redirects', async () => {
    await using target = await startTarget((request, response) => {
      if (request.url === '/login')
        response.writeHead(302, { location: '/home', 'set-cookie': 'sid=1; Path=/home' }).end()
      else response.end(request.headers.cookie ?? 'none')
    })
    expect(
      (await run(`post("${target.url}/login").expect(body: "sid=1") get("${target.url}/x").expect(body: "none")`))
        .outcome,
    ).toBe('success')
  })
})

describe('time', () => {
  test('a timeout ends the run, unless it only warns', async () => {
    await using target = await startTarget((request, response) =>
      request.url === '/slow' ? undefined : response.end('ok'),
    )
    const calls = (
      action: string,
    ) => `get("${target.url}/slow", { timeout: { ms: 60, action: "${action}" } }).expect(status: 200).store({ a: 1 }).wait(9000)
      get("${target.url}/fast").expect(status: 200)`
    // With a stopped clock, the message has the full 60 ms on a busy machine too.
    const failed = await run(calls('fail'), { clock: { ...systemClock, elapsed: () => 0 } })
    expect(failed.outcome).toBe('timeout')
    expect(failed.calls.map((call) => [call.outcome, call.response === null])).toEqual([
      ['timeout', true],
      ['skipped', true],
    ])
    expect(failed.calls[0]!.error).toContain('60 ms')
    const sleeps: number[] = []
    const clock = { ...systemClock, sleep: async (ms: number) => void sleeps.push(ms) }
    const warned = await run(calls('warn'), { clock })
    expect(warned).toMatchObject({ outcome: 'success', actions: {} })
    // The wait between two calls protects the target, whether or not the first call got a response.
    expect(sleeps).toEqual([9000])
    expect(warned.calls.map((call) => [call.outcome, call.error])).toEqual([
      ['timeout', null],
      ['success', null],
    ])
  })

  test('retries are attempts after the first', async () => {
    let left = 2
    await using target = await startTarget((_, response) => (left-- > 0 ? undefined : response.end('ok')))
    const source = (retries: number) =>
      `get("${target.url}", { timeout: { ms: 500, action: "retry", retries: ${retries} } }).expect(body: "ok")`
    const timeouts: unknown[] = []
    const onTimeout = (timeout: unknown) => void timeouts.push(timeout)
    const enough = await run(source(2), { onTimeout })
    expect(enough.calls[0]).toMatchObject({ outcome: 'success', error: null })
    expect(target.requests).toHaveLength(3)
    left = 9
    expect(timeouts).toEqual([])
    const tooFew = await run(source(1), { onTimeout })
    expect(tooFew).toMatchObject({ outcome: 'timeout' })
    expect(tooFew.calls[0]!.error).toContain('in each of 2 attempts')
    expect(target.requests).toHaveLength(5)
    // Only the end of a call is reported, not each attempt.
    expect(timeouts).toEqual([{ callIndex: 0, phase: 'ttfb' }])
  })

  test('only timeouts are retried', async () => {
    await using target = await startTarget((request) => request.socket.destroy())
    const { calls } = await run(`get("${target.url}", { timeout: { action: "retry", retries: 3 } }).wait(0)`)
    expect(calls[0]!.outcome).toBe('failure')
    expect(target.requests).toHaveLength(1)
  })

  test('redirects share the timeout of their call', async () => {
    await using target = await startTarget((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 60)
    })
    const { calls } = await run(`get("${target.url}", { timeout: { ms: 150 } }).wait(0)`)
    expect(calls[0]!.outcome).toBe('timeout')
    expect(calls[0]!.redirects.length).toBeLessThan(4)
  })

  test('the run has its own limit', async () => {
    await using target = await startTarget(silence)
    const source = `get("${target.url}", { timeout: { action: "warn" } }).wait(0) get("${target.url}").wait(0)`
    const timeouts: unknown[] = []
    const onTimeout = (timeout: unknown) => void timeouts.push(timeout)
    const result = await run(source, { limits: { runTimeoutMs: 80 }, onTimeout })
    expect(result.outcome).toBe('timeout')
    expect(result.calls.map((call) => [call.outcome, call.error])).toEqual([
      ['timeout', 'the run exceeded its limit of 80 ms (waiting for the response)'],
      ['skipped', null],
    ])
    expect(timeouts).toEqual([{ callIndex: 0, phase: 'ttfb' }])
  })

  test('waits count, and end at the limit of the run', async () => {
    await using target = await startTarget(answerText('ok'))
    const sleeps: number[] = []
    const clock = { ...systemClock, sleep: async (ms: number) => void sleeps.push(ms) }
    const source = `get("${target.url}").wait(70) get("${target.url}").wait(99999999999)`
    const cut = await run(source, { clock, limits: { runTimeoutMs: 5000 } })
    expect(cut).toMatchObject({ outcome: 'timeout', calls: [{ outcome: 'success' }, { outcome: 'success' }] })
    expect(sleeps[0]).toBe(70)
    expect(sleeps[1]).toBeLessThanOrEqual(5000)
    const late = await run(`get("${target.url}").wait(60000) get("${target.url}").wait(0)`, {
      limits: { runTimeoutMs: 100 },
    })
    expect(late).toMatchObject({ outcome: 'timeout', calls: [{ outcome: 'success' }, { outcome: 'skipped' }] })
  })

  test('an aborted run rejects with the reason', async () => {
    await using target = await startTarget(silence)
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stopping')), 30)
    await expect(run(`get("${target.url}").wait(0)`, { signal: controller.signal })).rejects.toThrow('stopping')
    const waiting = new AbortController()
    await using quick = await startTarget(answerText('ok'))
    setTimeout(() => waiting.abort(new Error('stopping')), 30)
    await expect(run(`get("${quick.url}").wait(60000)`, { signal: waiting.signal })).rejects.toThrow('stopping')
    await expect(
      run(`get("${quick.url}").wait(0)`, { signal: AbortSignal.abort(new Error('before')) }),
    ).rejects.toThrow('before')
  })
})

describe('bodies', () => {
  test('are stored on request, named by call and content type', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lace-'))
    await using target = await startTarget((request, response) => {
      response.setHeader('content-type', decodeURIComponent(request.url!.slice(1)))
      response.end('x')
    })
    const types = [
      'application/json; charset=utf-8',
      'text/html',
      'application/ld+json',
      'image/png',
      'a/b',
      'application/x+xml',
    ]
    const source = types.map((type) => `get("${target.url}/${encodeURIComponent(type)}").wait(0)`).join('\n')
    const { calls } = await run(source, { bodies: bodyFiles(join(directory, 'new')) })
    const names = ['json', 'html', 'json', 'png', 'bin', 'xml'].map((ext, index) =>
      join(directory, 'new', `call_${index}_response.${ext}`),
    )
    expect(calls.map((call) => call.response!.bodyPath)).toEqual(names)
    expect(calls.every((call) => !('bodyNotCapturedReason' in call.response!))).toBe(true)
    expect(await readFile(names[0]!, 'utf8')).toBe('x')
    await rm(directory, { recursive: true })
  })

  test('are not stored without a request, when empty, and when larger than bodySize', async () => {
    await using target = await startTarget(answerText('0123456789'))
    await using empty = await startTarget(answerText(''))
    const kept: number[] = []
    const bodies = async ({ callIndex }: { callIndex: number }) => {
      kept.push(callIndex)
      return callIndex === 2 ? null : `stored:${callIndex}`
    }
    const source = `get("${target.url}").check(bodySize: "9").wait(0)
      get("${target.url}").expect(bodySize: { value: "10", op: "lte" })
      get("${target.url}").wait(0)
      get("${empty.url}").wait(0)`
    const { calls } = await run(source, { bodies })
    expect(calls.map((call) => [call.response!.bodyPath, call.response!.bodyNotCapturedReason])).toEqual([
      [null, 'bodyTooLarge'],
      ['stored:1', undefined],
      [null, 'notRequested'],
      [null, 'notRequested'],
    ])
    expect(kept).toEqual([1, 2])
    expect((await run(source)).calls[1]!.response).toMatchObject({
      bodyPath: null,
      bodyNotCapturedReason: 'notRequested',
    })
  })

  test('over the limit are not read: assertions on them fail, others do not', async () => {
    await using target = await startTarget(answerJson({ big: 'x'.repeat(5000) }))
    const options = { transportOptions: { maxBodyBytes: 1000 }, bodies: async () => 'stored' }
    const { outcome, calls } = await run(
      `get("${target.url}").expect(status: 200, headers: { "content-type": "application/json" })
        .check(body: "x", bodySize: "1k", size: 3).assert({ check: [this.status eq 200, this.body.big gt 1, true or this.body eq 1, count(this.body) eq 1] })`,
      options,
    )
    expect(outcome).toBe('success')
    expect(calls[0]!.assertions.map((one) => one.outcome)).toEqual([
      'passed',
      'passed',
      'failed',
      'failed',
      'failed',
      'passed',
      'failed',
      'passed',
      'failed',
    ])
    expect(calls[0]!.response).toMatchObject({ bodyPath: null, bodyNotCapturedReason: 'bodyTooLarge' })
    expect(calls[0]!.warnings).toEqual([expect.stringContaining('the body exceeds the size limit')])
    for (const chain of [
      '.assert({ expect: [this.body.big eq 1] })',
      '.expect(body: schema($s))',
      '.store({ a: this.body })',
    ]) {
      const result = await run(`get("${target.url}")${chain}`, { ...options, variables: { s: true } })
      expect(result.outcome).toBe('failure')
    }
  })

  test('that nest too deeply are used as strings', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    await using target = await startTarget(answerText(deep, { 'content-type': 'application/json' }))
    const { outcome, calls } = await run(
      `get("${target.url}").assert({ expect: [count(this.body) eq 1, includes("[[", this.body)] })`,
    )
    expect(outcome).toBe('success')
    expect(calls[0]!.warnings).toEqual([expect.stringContaining('nests deeper than 500 levels')])
  })

  test('declared as JSON that are not JSON are strings; a byte order mark is skipped', async () => {
    await using target = await startTarget((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(request.url === '/bom' ? '\uFEFF{"a":1}' : request.url === '/none' ? '' : '{oops')
    })
    const { outcome } = await run(`get("${target.url}").assert({ expect: [this.body eq "{oops"] })
      get("${target.url}/none").assert({ expect: [this.body eq ""] })
      get("${target.url}/bom").assert({ expect: [this.body.a eq 1] })`)
    expect(outcome).toBe('success')
  })
})

describe('results', () => {
  test('contain no characters that a database or a JSON parser rejects', async () => {
    await using target = await startTarget(
      answerText('{"a":"\\u0000\\ud800","n":1e400,"\\u0000k":{"__proto__":1}}', { 'content-type': 'application/json' }),
    )
    const result = await run(
      `get("${target.url}").store({ "$$a": this.body.a, all: this.body, n: this.body.n }).wait(0)`,
    )
    expect(result.runVars).toEqual({ a: '\uFFFD\uFFFD' })
    expect(result.actions.variables!.n).toBeNull()
    expect(JSON.stringify(result.actions)).toBe(
      '{"variables":{"all":{"a":"\uFFFD\uFFFD","n":null,"\uFFFDk":{"__proto__":1}},"n":null}}',
    )
    expect(resultProblem(result)).toBeNull()
  })

  test('record the request as it was sent', async () => {
    await using target = await startTarget(answerText('ok'))
    const { calls } = await run(
      `post("${target.url}/x", { headers: { "X-A": "1" }, body: json({}), cookies: { a: "1" }, timeout: { ms: 500, note: 5 }, mine: [1] }).wait(0)
      get("${target.url}", { headers: { "user-agent": "mine" } }).wait(0)`,
      { userAgent: 'fleet/1' },
    )
    expect(calls[0]!.request).toEqual({
      url: `${target.url}/x`,
      method: 'post',
      headers: { 'User-Agent': 'fleet/1', 'X-A': '1', 'Content-Type': 'application/json', Cookie: 'a=1' },
    })
    expect(calls[0]!.config).toEqual({
      timeout: { ms: 500, action: 'fail', retries: 0, note: 5 },
      redirects: { follow: true, max: 10 },
      security: { rejectInvalidCerts: true },
      mine: [1],
    })
    expect(calls[1]!.request!.headers).toEqual({ 'user-agent': 'mine' })
    expect(target.requests[1]!.headers['user-agent']).toBe('mine')
  })

  test('contain the warnings of the validator', async () => {
    await using target = await startTarget(answerText('ok'))
    const source = `get("${target.url}").assert({ check: [prev.outcome eq "success"] })`
    expect((await run(source)).validationWarnings).toMatchObject([
      { code: 'PREV_WITHOUT_RESULTS', callIndex: 0, chainMethod: 'assert' },
    ])
    expect(await run(source, { prev: { outcome: 'success' } })).not.toHaveProperty('validationWarnings')
  })

  test('take their times from the clock', async () => {
    await using target = await startTarget(answerText('ok'))
    const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 2) }
    const result = await run(`get("${target.url}").wait(0)`, { clock })
    expect(result).toMatchObject({ startedAt: '2026-01-02T00:00:00.000Z', endedAt: '2026-01-02T00:00:00.000Z' })
  })
})
