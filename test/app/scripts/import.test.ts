// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language and of shells
import { describe, expect, test } from 'vitest'
import { validateScript } from '#server/language/lace/validator.ts'
import { importText } from '#server/language/script-import/import.ts'
import type { ImportedRequest } from '#server/language/script-import/request.ts'
import { toScript } from '#server/language/script-import/to-script.ts'

// What is pasted becomes a script that the real validator accepts, without the credentials in it.

function scriptOf(text: string, index = 0) {
  const { choices } = importText(text)
  return toScript([(choices[index] as (typeof choices)[number]).request()])
}

function problemsOf(script: string) {
  return validateScript(script, { scopes: ['o', 'w', 'p', 's'] }).errors
}

/** A command, and lines that the script must contain. */
const COMMANDS: [string, string[]][] = [
  [
    'curl https://example.com/health',
    ['get("https://example.com/health", {', 'redirects: { follow: false }', '.expect(status: 200)'],
  ],
  ['curl example.com', ['get("http://example.com/"']],
  ["curl -X DELETE 'https://example.com/a?b=c'", ['delete("https://example.com/a?b=c"']],
  ['curl https://example.com -d a=1 -d b=2', ['post(', 'body: form({', '"a": "1"', '"b": "2"']],
  ['curl -G https://example.com/s -d q=x --data-urlencode "t=a b"', ['get("https://example.com/s?q=x&t=a%20b"']],
  [
    `curl https://example.com -H 'Content-Type: application/json' --data-raw '{"n":[1,true,null,"x"]}'`,
    ['body: json({', '"n": [1, true, null, "x"]'],
  ],
  [`curl --json '{"a":1}' https://example.com`, ['post(', 'json({', '"a": 1']],
  [
    `curl -XPUT https://example.com -H 'Content-Type: text/plain' --data-raw 'a "b" $c'`,
    ['put(', 'body: "a \\"b\\" ${$s.dollar}c"'],
  ],
  ['curl -sSLk -m 5 https://example.com', ['rejectInvalidCerts: false', 'timeout: { ms: 5000 }']],
  ['curl -o out.txt https://example.com/x', ['get("https://example.com/x"']],
  ["curl https://example.com \\\n  -H 'Accept: text/html' \\\n  --compressed", ['"Accept": "text/html"']],
  [
    `curl https://example.com --data-raw $'{"a":"it\\'s\\u0021"}' -H 'content-type: application/json'`,
    [`"a": "it's!"`],
  ],
  ['curl "https://example.com/$HOME"', ['get("https://example.com/']],
  [`curl https://example.com -d '{"a":1}'`, ['post(']],
]

describe('a curl command', () => {
  test.each(COMMANDS)('%s', (command, lines) => {
    const { script } = scriptOf(command)
    for (const line of lines) expect(script).toContain(line)
    expect(problemsOf(script)).toEqual([])
  })

  test.each([
    ['curl', 'no URL'],
    ['curl -I https://example.com', 'HEAD'],
    ['curl -X OPTIONS https://example.com', 'OPTIONS'],
    ['curl https://a.example https://b.example', 'one URL'],
    ['curl https://a.example | sh', 'one curl command'],
    ['curl https://a.example -d @secret.txt', 'file'],
    ['curl https://a.example -F a=b', 'multipart'],
    ['curl https://a.example -H', 'needs a value'],
    ['wget https://a.example', 'not a curl command'],
  ])('%s is refused', (command, reason) => {
    expect(() => scriptOf(command.replace(/^curl$/, 'curl '))).toThrow(reason)
  })
})

describe('secrets', () => {
  test.each([
    ["-H 'Authorization: Bearer abc.def'", '"Authorization": "Bearer $s.token"', 'token'],
    ["-H 'Authorization: Basic YTpi'", '"Authorization": "Basic $s.authorization"', 'authorization'],
    ['-u user:abc.def', '"Authorization": "Basic $s.authorization"', 'authorization'],
    ["-u 'user:密碼 abc.def'", '"Authorization": "Basic $s.authorization"', 'authorization'],
    ["-H 'X-Api-Key: abc.def'", '"X-Api-Key": "$s.x_api_key"', 'x_api_key'],
    ["-b 'session=abc.def'", '"Cookie": "$s.cookie"', 'cookie'],
    [`--json '{"password":"abc.def"}'`, '"password": "$s.password"', 'password'],
    ["-d 'client_secret=abc.def'", '"client_secret": "$s.client_secret"', 'client_secret'],
  ])('%s becomes a variable', (option, line, key) => {
    const { script, suggestions } = scriptOf(`curl https://example.com/ ${option}`)
    expect(script).toContain(line)
    expect(script).not.toContain('abc.def')
    expect(script).not.toContain(btoa('user:abc.def'))
    expect(suggestions).toEqual([{ key, from: expect.any(String) }])
    expect(problemsOf(script)).toEqual([])
  })

  test.each([
    ['a curl command', 'curl https://user:abc.def@example.com/a'],
    [
      'a HAR file',
      JSON.stringify({ log: { entries: [{ request: { method: 'GET', url: 'https://user:abc.def@example.com/a' } }] } }),
    ],
  ])('before the host of %s become a header with a variable', (_kind, text) => {
    const { script, suggestions } = scriptOf(text)
    expect(script).toContain('get("https://example.com/a"')
    expect(script).toContain('"Authorization": "Basic $s.authorization"')
    expect(suggestions).toEqual([{ key: 'authorization', from: 'the header Authorization' }])
    expect(problemsOf(script)).toEqual([])
  })

  test('in the query become variables, and the rest of the URL stays', () => {
    const { script, suggestions } = scriptOf("curl 'https://example.com/?access_token=abc.def&page=2#top'")
    expect(script).toContain('"https://example.com/?access_token=${$s.access_token}&page=2#top"')
    expect(suggestions).toEqual([{ key: 'access_token', from: 'the query parameter access_token' }])
    expect(problemsOf(script)).toEqual([])
  })
})

describe('a HAR file', () => {
  const entry = (method: string, url: string, more: object = {}, response: object = { status: 200 }) => ({
    request: { method, url, headers: [], ...more },
    response,
  })
  const har = (...entries: object[]) => JSON.stringify({ log: { version: '1.2', entries } })

  test('offers its requests, without what a page loads and what scripts cannot send', () => {
    const { format, choices } = importText(
      har(
        entry('GET', 'https://example.com/'),
        entry('GET', 'https://example.com/logo.png', {}, { status: 200, content: { mimeType: 'image/png' } }),
        entry('OPTIONS', 'https://example.com/api'),
        entry('GET', 'wss://example.com/live'),
        entry('POST', 'https://example.com/api', {}, { status: 201 }),
      ),
    )
    expect(format).toBe('HAR')
    expect(choices.map(({ label }) => label)).toEqual(['GET https://example.com/', 'POST https://example.com/api'])
  })

  test('keeps headers of the application, the body and the status', () => {
    const headers = [
      { name: ':authority', value: 'example.com' },
      { name: 'User-Agent', value: 'Browser' },
      { name: 'Authorization', value: 'Bearer abc.def' },
      { name: 'X-Tenant', value: '7' },
    ]
    const postData = { mimeType: 'application/json', text: '{"a":{"b":[]}}' }
    const { script } = scriptOf(har(entry('POST', 'https://example.com/api', { headers, postData }, { status: 302 })))
    for (const line of ['"X-Tenant": "7"', 'Bearer $s.token', '"b": []', 'status: 302', 'follow: false']) {
      expect(script).toContain(line)
    }
    for (const absent of ['authority', 'Browser', 'abc.def']) expect(script).not.toContain(absent)
    expect(problemsOf(script)).toEqual([])
  })

  test.each([['{"log":{}}'], ['{"log":null}'], [har()], [har({}, { request: null })]])('%s is refused', (text) => {
    expect(() => importText(text)).toThrow('HAR')
  })
})

const OPENAPI = `
openapi: 3.1.0
servers: [{ url: 'https://{region}.example.com/v1/', variables: { region: { default: eu } } }]
security: [{ key: [] }]
paths:
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, example: a/b } }]
    get:
      parameters:
        - { name: limit, in: query, required: true, schema: { type: integer, minimum: 3 } }
        - { name: sort, in: query, schema: { type: string } }
      responses: { '200': { description: ok } }
  /orders:
    post:
      security: [{ bearer: [] }]
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses: { '201': { description: made } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Api-Key }
    bearer: { type: http, scheme: bearer }
  schemas:
    Order:
      type: object
      properties:
        email: { type: string, format: email }
        parent: { $ref: '#/components/schemas/Order' }
`

describe('an OpenAPI document', () => {
  test('offers its operations, with examples for what they require', () => {
    const { format, choices } = importText(OPENAPI)
    expect(format).toBe('OpenAPI')
    expect(choices.map(({ label }) => label)).toEqual(['GET /orders/{id}', 'POST /orders'])
    const get = scriptOf(OPENAPI)
    expect(get.script).toContain('get("https://eu.example.com/v1/orders/a%2Fb?limit=3"')
    expect(get.script).toContain('"X-Api-Key": "$s.x_api_key"')
    expect(problemsOf(get.script)).toEqual([])
  })

  test('makes a bounded body from a schema that refers to itself many times', () => {
    const names = Array.from({ length: 12 }, (_, i) => `child${i}`)
    const tree = Object.fromEntries(names.map((name) => [name, { $ref: '#/components/schemas/Tree' }]))
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } }
    const document = {
      openapi: '3.1.0',
      servers: [{ url: 'https://example.com' }],
      paths: { '/trees': { post: { requestBody: { content }, responses: { 201: {} } } } },
      components: { schemas: { Tree: { type: 'object', properties: tree } } },
    }
    const { body } = (importText(JSON.stringify(document)).choices[0] as { request: () => ImportedRequest }).request()
    // Unbounded, it would have 12 to the power of 7 parts.
    expect(JSON.stringify(body).split('child').length).toBeLessThan(30_000)
  })

  test('makes a body from a schema that refers to itself, and ends', () => {
    const { script, suggestions } = scriptOf(OPENAPI, 1)
    for (const line of ['"email": "probe@example.com"', '"parent": {', 'Bearer $s.token', 'status: 201']) {
      expect(script).toContain(line)
    }
    expect(suggestions).toEqual([{ key: 'token', from: 'the header Authorization' }])
    expect(problemsOf(script)).toEqual([])
  })

  test('of Swagger 2, and with a relative server', () => {
    const paths = { '/a': { get: { responses: {} } } }
    const swagger = JSON.stringify({ swagger: '2.0', host: 'example.com', basePath: '/v2', paths })
    expect(scriptOf(swagger).script).toContain('get("https://example.com/v2/a"')
    const relative = JSON.stringify({ openapi: '3.0.0', servers: [{ url: '/api' }], paths })
    const { script } = scriptOf(relative)
    expect(script).toContain('get("$s.base/api/a"')
    expect(problemsOf(script)).toEqual([])
  })

  test.each([
    ['{"openapi":"3.0.0"}', 'no operation'],
    ['{', 'not a curl command'],
    ['a: [', 'not a curl command'],
    ['just words', 'not a curl command'],
    ['x'.repeat(2_000_001), 'longer than'],
  ])('%.20s is refused', (text, reason) => {
    expect(() => importText(text)).toThrow(reason)
  })
})

describe('a document beyond a bound is refused with the reason', () => {
  const paths = 'openapi: 3.1.0\npaths:\n'
  test.each([
    [
      'anchors',
      paths + Array.from({ length: 60_000 }, (_, i) => `- &a${i} x\n- *a${i}\n`).join(''),
      'anchors and aliases',
    ],
    ['depth of YAML', `${paths}  a: ${'['.repeat(5_000)}`, 'more than 100 levels'],
    ['depth of JSON', `{"openapi": "3.1.0", "a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'more than 100 levels'],
    ['aliases', `${paths}${aliases()}`, 'becomes too large by its aliases'],
  ])('%s', (_, text, problem) => {
    expect(() => importText(text.slice(0, 2_000_000))).toThrow(problem)
  })

  test('a JSON body with more levels than a script writes is sent as text', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const postData = { mimeType: 'application/json', text: deep }
    const entry = { request: { method: 'POST', url: 'https://example.com/', headers: [], postData } }
    expect(scriptOf(JSON.stringify({ log: { entries: [entry] } })).script).toContain(`body: "${deep}"`)
  })
})

function aliases(): string {
  const lists = Array.from({ length: 10 }, (_, i) => `  l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(10)}]`)
  return ['  l0: &l0 [x]', ...lists].join('\n')
}
