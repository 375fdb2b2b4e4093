// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of the script language
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importText } from '#server/language/script-import/import.ts'
import { toScript } from '#server/language/script-import/to-script.ts'
import { startReceiver } from '#test/support/cli/sent-request.ts'

// An operation becomes a request to the server that the document names for it, with what the document requires.

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

type Given = { operation?: object; item?: object; document?: object; method?: string; path?: string }

function importOne({ operation = {}, item = {}, document = {}, method = 'get', path = '/a' }: Given) {
  const paths = { [path]: { ...item, [method]: { responses: { 200: {} }, ...operation } } }
  const given = { openapi: '3.1.0', servers: [{ url: `http://${receiver.host}` }], paths, ...document }
  const { choices, notes } = importText(JSON.stringify(given))
  const written = toScript(choices.map(({ request }) => request()))
  return { ...written, notes: [...notes, ...written.notes] }
}

async function sentBy(given: Given, values: Record<string, string> = {}) {
  const { script } = importOne(given)
  const [sent] = await receiver.send(script, { s: values })
  return sent
}

describe('the server', () => {
  const server = (name: string) => [{ url: `https://${name}.example.com` }]

  test.each([
    [
      'of the operation',
      { operation: { servers: server('c') }, item: { servers: server('b') } },
      'https://c.example.com/a',
    ],
    ['of the path', { item: { servers: server('b') } }, 'https://b.example.com/a'],
    ['of the document', { document: { servers: server('a') } }, 'https://a.example.com/a'],
    [
      'of Swagger 2, over TLS if it can',
      { document: { host: 'd.example.com', schemes: ['http', 'https'] } },
      'https://d.example.com/a',
    ],
    ['that is relative', { operation: { servers: [{ url: '/v1' }] } }, '$s.base/v1/a'],
  ])('%s', (_, given, url) => {
    expect(importOne(given).script).toContain(`get("${url}"`)
  })

  test('is the first of several, and a note says so', () => {
    const { notes } = importOne({ document: { servers: [...server('a'), ...server('b')] } })
    expect(notes.map(({ what }) => what)).toEqual(['1 further servers'])
  })
})

describe('parameters', () => {
  const query = (name: string, more: object) => ({ name, in: 'query', required: true, ...more })
  const list = { schema: { type: 'array', items: { type: 'string' }, example: ['a b', 'c'] } }
  const object = { schema: { type: 'object', example: { x: 1, y: 'z' } } }

  test.each([
    ['a list', query('q', list), '/a?q=a%20b&q=c'],
    ['a list in one', query('q', { ...list, explode: false }), '/a?q=a%20b,c'],
    ['a list with spaces', query('q', { ...list, style: 'spaceDelimited' }), '/a?q=a%20b%20c'],
    ['a list with pipes', query('q', { ...list, style: 'pipeDelimited' }), '/a?q=a%20b|c'],
    ['an object', query('q', object), '/a?x=1&y=z'],
    ['a deep object', query('q', { ...object, style: 'deepObject' }), '/a?q%5Bx%5D=1&q%5By%5D=z'],
    ['JSON', query('q', { content: { 'application/json': { example: { x: [1] } } } }), '/a?q=%7B%22x%22%3A%5B1%5D%7D'],
    ['a list of Swagger 2', query('q', { type: 'array', items: { type: 'string' }, default: ['a', 'b'] }), '/a?q=a,b'],
    [
      'several of Swagger 2',
      query('q', { type: 'array', default: ['a', 'b'], collectionFormat: 'multi' }),
      '/a?q=a&q=b',
    ],
  ])('%s', async (_, parameter, url) => {
    expect((await sentBy({ operation: { parameters: [parameter] } }))?.url).toBe(url)
  })

  test('of the operation override those of the path', async () => {
    const of = (example: number) => [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', example } }]
    const given = { path: '/a/{id}', item: { parameters: of(1) }, operation: { parameters: of(2) } }
    expect((await sentBy(given))?.url).toBe('/a/2')
    const page = (more: object) => [query('page', { schema: { type: 'integer', default: 3 }, ...more })]
    const optional = { item: { parameters: page({}) }, operation: { parameters: page({ required: false }) } }
    expect((await sentBy(optional))?.url).toBe('/a')
  })

  test('of the path in their styles, in headers and in cookies', async () => {
    const all = [
      { name: 'id', in: 'path', required: true, schema: { example: ['a', 'b'] }, style: 'matrix' },
      { name: 'X-Ids', in: 'header', required: true, schema: { example: [1, 2] } },
      { name: 'lang', in: 'cookie', required: true, schema: { example: 'de' } },
    ]
    const { script, suggestions } = importOne({ path: '/a/{id}', operation: { parameters: all } })
    const [sent] = await receiver.send(script, { s: { cookie: 'lang=de' } })
    expect([sent?.url, sent?.headers['x-ids'], sent?.headers.cookie]).toEqual(['/a/;id=a,b', '1,2', 'lang=de'])
    expect(suggestions).toEqual([{ key: 'cookie', from: 'the header Cookie' }])
  })

  test('whose value is guessed, or that is not described, have a note', () => {
    const parameters = [query('q', { schema: { type: 'string' } })]
    const { notes } = importOne({ path: '/a/{id}', operation: { parameters } })
    expect(notes.map(({ what }) => what)).toEqual(['the query parameter q', 'the path parameter {id}'])
  })
})

describe('credentials', () => {
  const signIn = (securitySchemes: object, more: object = {}) => ({
    document: { components: { securitySchemes } },
    operation: { security: [Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, []]))], ...more },
  })

  test('in the query, in a cookie and in a header of any name are secrets', async () => {
    const given = signIn({
      q: { type: 'apiKey', in: 'query', name: 'appid' },
      c: { type: 'apiKey', in: 'cookie', name: 'sid' },
      h: { type: 'apiKey', in: 'header', name: 'X-Who' },
    })
    const { suggestions } = importOne(given)
    expect(suggestions.map(({ key, isPlain }) => [key, isPlain])).toEqual([
      ['x_who', undefined],
      ['cookie', undefined],
      ['appid', undefined],
    ])
    const sent = await sentBy(given, { appid: 'k', cookie: 'sid=s', x_who: 'w' })
    expect(sent).toMatchObject({ url: '/a?appid=k', headers: { cookie: 'sid=s', 'x-who': 'w' } })
  })

  test.each([
    [{ d: { type: 'http', scheme: 'digest' } }, 'the security scheme d'],
    [{ m: { type: 'mutualTLS' } }, 'the security scheme m'],
  ])('that a script cannot make are none, with a note: %j', (schemes, what) => {
    const { script, notes } = importOne(signIn(schemes))
    expect(script).not.toContain('Authorization')
    expect(notes.map((note) => note.what)).toEqual([what])
  })
})

describe('the body', () => {
  const body = (content: object) => ({ method: 'put', operation: { requestBody: { content } } })
  const swagger = (parameters: object[], more: object = {}) => ({
    method: 'post',
    operation: { parameters, ...more },
    document: { swagger: '2.0', host: receiver.host, schemes: ['http'] },
  })

  test.each<[string, () => Given, string, string]>([
    ['a list', () => body({ 'application/json': { example: [1, { a: null }] } }), '[1,{"a":null}]', 'application/json'],
    ['one value', () => body({ 'application/json': { example: 'x' } }), '"x"', 'application/json'],
    [
      'JSON of another type',
      () => body({ 'application/merge-patch+json': { example: { a: 1 } } }),
      '{"a":1}',
      'application/merge-patch+json',
    ],
    ['XML', () => body({ 'application/xml': { example: '<a/>' } }), '<a/>', 'application/xml'],
    [
      'a form with a list',
      () => body({ 'application/x-www-form-urlencoded': { example: { a: [1, 2], b: 'x y' } } }),
      'a=1&a=2&b=x%20y',
      'application/x-www-form-urlencoded',
    ],
    [
      'formData',
      () =>
        swagger([
          { name: 'a', in: 'formData', type: 'string', required: true, default: 'x y' },
          { name: 'b', in: 'formData', type: 'string' },
        ]),
      'a=x+y',
      'application/x-www-form-urlencoded',
    ],
    [
      'a type of Swagger 2',
      () =>
        swagger([{ name: 'a', in: 'body', schema: { example: { a: 1 } } }], { consumes: ['application/vnd.a+json'] }),
      '{"a":1}',
      'application/vnd.a+json',
    ],
  ])('%s', async (_, given, text, type) => {
    const sent = await sentBy(given())
    expect([sent?.body, sent?.headers['content-type']]).toEqual([text, type])
  })

  test.each<[string, () => Given]>([
    ['multipart', () => body({ 'multipart/form-data': { schema: { type: 'object' } } })],
    ['XML without a text', () => body({ 'application/xml': { schema: { type: 'object' } } })],
    ['a file of Swagger 2', () => swagger([{ name: 'a', in: 'formData', type: 'file' }])],
  ])('of %s is a note', (_, given) => {
    const { script, notes } = importOne(given())
    expect(script).not.toContain('body:')
    expect(notes.map(({ what }) => what)).toEqual(['the body'])
  })

  test('with a number beyond 2^53 has a note', () => {
    const { notes } = importOne(body({ 'application/json': { example: { a: 2 ** 60 } } }))
    expect(notes.map(({ what }) => what)).toEqual(['a number of the body'])
  })
})

describe('the answer', () => {
  const answers = (responses: object) => importOne({ operation: { responses } })

  test.each([
    [{ 201: {}, 404: {} }, 'status: 201', []],
    [{ 204: {}, 200: {} }, 'status: 200', ['the responses with 204']],
    [{ '2XX': {} }, 'status: { value: 0, op: "gt" }', []],
    [{ 302: {} }, 'status: 302', []],
    [{ default: {} }, 'status: 200', ['the status']],
    [{ 200: { content: { 'text/html': {} } } }, 'status: 200', ['the response body']],
  ])('of %j', (responses, status, notes) => {
    const { script, notes: found } = answers(responses)
    expect(script).toContain(status)
    expect(script).toContain('redirects: { follow: false }')
    expect(found.map(({ what }) => what)).toEqual(notes)
  })

  test('has the schema of the document, which stands alone', () => {
    const schema = { $ref: '#/components/schemas/Tree' }
    const components = {
      schemas: {
        Tree: {
          type: 'object',
          required: ['default', 'secret'],
          properties: {
            default: { $ref: '#/components/schemas/Name' },
            secret: { type: 'string', writeOnly: true },
            kids: { type: 'array', items: schema },
          },
        },
        Name: { type: 'string', nullable: true, enum: ['a'] },
      },
    }
    const responses = { 200: { content: { 'application/json': { schema } } } }
    const { script, suggestions } = importOne({ operation: { responses }, document: { openapi: '3.0.0', components } })
    expect(script).toContain('.expect(status: 200, body: schema($s.answer_schema))')
    const [suggestion] = suggestions
    expect(suggestion).toMatchObject({ key: 'answer_schema', isPlain: true })
    expect(JSON.parse(suggestion?.value ?? '')).toEqual({
      $ref: '#/$defs/d0',
      $defs: {
        d0: {
          type: 'object',
          required: ['default'],
          properties: {
            default: { $ref: '#/$defs/d1' },
            secret: { type: 'string', writeOnly: true },
            kids: { type: 'array', items: { $ref: '#/$defs/d0' } },
          },
        },
        d1: { type: ['string', 'null'], enum: ['a', null] },
      },
    })
  })

  test.each([
    ['refers to another document', { $ref: 'https://example.com/a.json' }],
    ['is longer than a variable', { enum: ['x'.repeat(5_000)] }],
  ])('whose schema %s is a note', (_, schema) => {
    const { script, notes } = answers({ 200: { content: { 'application/json': { schema } } } })
    expect(script).not.toContain('schema(')
    expect(notes.map(({ what }) => what)).toEqual(['the schema of the response'])
  })
})

test('operations beyond the bound, and those that scripts do not have, are notes', () => {
  const paths = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`/${at}`, { get: {} }]))
  const { choices, notes } = importText(JSON.stringify({ openapi: '3.1.0', paths: { '/h': { head: {} }, ...paths } }))
  expect(choices).toHaveLength(500)
  expect(notes.map(({ what }) => what)).toEqual(['the operation HEAD /h', '200 of 700 operations'])
})
