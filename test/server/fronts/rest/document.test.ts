import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { GET, HEAD, POST } from '#app/api/openapi/public/v1.json/route.ts'
import { buildDocument } from '#server/fronts/rest/document.ts'
import { createDocument, withLinks } from '#server/fronts/rest/document-front.ts'
import type { JsonSchema, Operation } from '#server/fronts/rest/document-types.ts'
import { ERROR_CODES, ERRORS, type ErrorCode, PUBLIC_ERROR_CODES } from '#server/schemas/errors/error-table.ts'
import { buildRequest, type CallOptions, readAnswer, testApi, testRuntime } from '#test/support/api/api.ts'
import { bodySchemaOf } from '#test/support/api/body-schema.ts'
import { checkHelp, KEY_ERRORS } from '#test/support/api/contract.ts'

const api = testApi()
const PATH = '/api/openapi/public/v1.json'
const document = buildDocument()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

type BodySchema = { properties: Record<string, JsonSchema>; required?: string[] }

/** Every row of the contract. */
const ROWS = `
GET /key
GET /workspaces
POST /workspaces
GET /workspaces/{id}
PATCH /workspaces/{id}
DELETE /workspaces/{id}
PATCH /workspaces/{id}/services-toggle
GET /projects
POST /projects
GET /projects/{id}
PATCH /projects/{id}
DELETE /projects/{id}
PATCH /projects/{id}/services-toggle
POST /workspaces/{id}/run
POST /projects/{id}/run
GET /batches/{id}
GET /services
POST /services
GET /services/{id}
PATCH /services/{id}
DELETE /services/{id}
PATCH /services/{id}/script
GET /services/{id}/snapshot
PATCH /services/{id}/toggle
POST /services/{id}/run
GET /services/{id}/runs
GET /services/{id}/runs/{runId}
DELETE /services/{id}/runs/{runId}
GET /services/{id}/alerting
GET /services/{id}/agents
PUT /services/{id}/agents
GET /agents
GET /agents/{id}/health
GET /agents/{id}/history
GET /variables
POST /variables
PATCH /variables/{varId}
DELETE /variables/{varId}
GET /workspaces/{id}/variables
POST /workspaces/{id}/variables
PATCH /workspaces/{id}/variables/{varId}
DELETE /workspaces/{id}/variables/{varId}
GET /workspaces/{id}/variables/hierarchy
GET /projects/{id}/variables
POST /projects/{id}/variables
PATCH /projects/{id}/variables/{varId}
DELETE /projects/{id}/variables/{varId}
GET /projects/{id}/variables/hierarchy
GET /services/{id}/variables
POST /services/{id}/variables
PATCH /services/{id}/variables/{varId}
DELETE /services/{id}/variables/{varId}
GET /services/{id}/variables/hierarchy
GET /services/{id}/results
GET /services/{id}/results/{resultId}
GET /services/{id}/results/{resultId}/steps/{stepId}/body
GET /incidents
GET /incidents/{id}
PATCH /incidents/{id}
POST /incidents/acknowledge
POST /incidents/unacknowledge
POST /incidents/{id}/acknowledge
DELETE /incidents/{id}/acknowledge
GET /incidents/{id}/assignees
POST /incidents/{id}/notes
GET /services/{id}/metrics
GET /services/{id}/metrics/history
GET /services/{id}/metrics/statistics
GET /services/{id}/metrics/statistics/endpoint-series
GET /services/{id}/metrics/statistics/assertions
GET /services/{id}/metrics/statistics/failure-heatmap
GET /projects/{id}/metrics
GET /projects/{id}/metrics/history
GET /workspaces/{id}/metrics
GET /workspaces/{id}/metrics/history
GET /maintenances
POST /maintenances
GET /maintenances/{id}
PATCH /maintenances/{id}
DELETE /maintenances/{id}
GET /silences
POST /silences
GET /silences/{id}
PATCH /silences/{id}
DELETE /silences/{id}
GET /access/{resourceType}/{resourceId}
PUT /access/{resourceType}/{resourceId}
DELETE /access/{resourceType}/{resourceId}/{principalType}/{principalId}
GET /members
GET /groups
GET /webhooks
GET /webhooks/bindings
POST /webhooks/bindings
PATCH /webhooks/bindings/{id}
DELETE /webhooks/bindings/{id}`
  .trim()
  .split('\n')

/** The body fields of each row of the contract; required ones have a star. */
const BODIES: Record<string, string> = {
  'POST /workspaces': 'name*',
  'PATCH /workspaces/{id}': 'name*',
  'PATCH /workspaces/{id}/services-toggle': 'isActive*',
  'POST /projects': 'workspaceId* name*',
  'PATCH /projects/{id}': 'name*',
  'PATCH /projects/{id}/services-toggle': 'isActive*',
  'POST /services':
    'projectId* name* label labels schedule timezone saveResponseBodies sendTraceparent script isActive',
  'PATCH /services/{id}':
    'name label labels schedule timezone probeMode queuePolicy serviceWindow saveResponseBodies sendTraceparent script version',
  'PATCH /services/{id}/script': 'script* version*',
  'PATCH /services/{id}/toggle': 'isActive*',
  'PUT /services/{id}/agents': 'slugs*',
  'POST /variables': 'key* value* type allowedHosts',
  'PATCH /variables/{varId}': 'value* allowedHosts',
  'POST /workspaces/{id}/variables': 'key* value* type allowedHosts',
  'PATCH /workspaces/{id}/variables/{varId}': 'value* allowedHosts',
  'POST /projects/{id}/variables': 'key* value* type allowedHosts',
  'PATCH /projects/{id}/variables/{varId}': 'value* allowedHosts',
  'POST /services/{id}/run': 'variables note',
  'POST /projects/{id}/run': 'variables note label state',
  'POST /workspaces/{id}/run': 'variables note label state',
  'POST /services/{id}/variables': 'key* value* type allowedHosts',
  'PATCH /services/{id}/variables/{varId}': 'value* allowedHosts',
  'PATCH /incidents/{id}': 'assigneeId severity postMortem',
  'POST /incidents/acknowledge': 'ids*',
  'POST /incidents/unacknowledge': 'ids*',
  'POST /incidents/{id}/notes': 'text*',
  'POST /maintenances': 'workspaceId projectId serviceId label mode startsAt endsAt minutes rule timezone note',
  'PATCH /maintenances/{id}': 'endsAt minutes end note',
  'POST /silences': 'channel* workspaceId projectId serviceId config quietHours',
  'PATCH /silences/{id}': 'channel config quietHours',
  'PUT /access/{resourceType}/{resourceId}': 'principalType* principalId* permissions* notify',
  'POST /webhooks/bindings': 'webhookId* enabled',
  'PATCH /webhooks/bindings/{id}': 'enabled*',
}

describe('the document', () => {
  test('has exactly the rows of the contract', () => {
    const present = operations.map(
      ({ path, method }) => `${method.toUpperCase()} ${path.replace('/api/public/v1', '')}`,
    )
    expect(present.sort()).toEqual(ROWS.toSorted())
  })

  // With addresses, as an installation that has one serves it.
  const served = JSON.stringify(withLinks(document, 'https://soundline.example.com'))

  test('passes the strict rules of Redocly', async () => {
    const directory = await workDirectory()
    try {
      const file = join(directory, 'v1.json')
      await writeFile(file, served)
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--format=json', '--extends=recommended-strict'],
        { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
      ).catch((failed: { stdout: string }) => failed)
      const { problems, totals } = JSON.parse(stdout)
      expect(problems).toEqual([])
      expect(totals).toMatchObject({ errors: 0, warnings: 0 })
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  test('is the same every time it is built', () => {
    expect(JSON.stringify(buildDocument())).toBe(JSON.stringify(document))
  })

  test('names every operation once, and every reference resolves', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/)
    for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer?.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document)
      expect(target, pointer).toBeDefined()
    }
  })

  test('describes the bodies of the contract, and lists their enum values', () => {
    const bodies = operations.flatMap(({ path, method, operation }) => {
      const schema = bodySchemaOf(document, operation) as BodySchema | undefined
      return schema ? [{ row: `${method.toUpperCase()} ${path.replace('/api/public/v1', '')}`, schema }] : []
    })
    const fields = ({ properties, required = [] }: BodySchema) =>
      Object.keys(properties).map((name) => (required.includes(name) ? `${name}*` : name))
    expect(Object.fromEntries(bodies.map(({ row, schema }) => [row, fields(schema).join(' ')]))).toEqual(BODIES)
    const values = (row: string, field: string) =>
      bodies.find((body) => body.row === row)?.schema.properties[field]?.enum
    expect(values('POST /silences', 'channel')).toEqual(['email', 'all', 'quiet-hours'])
    expect(values('PATCH /silences/{id}', 'channel')).toEqual(['email', 'all', 'quiet-hours'])
    expect(values('PUT /access/{resourceType}/{resourceId}', 'principalType')).toEqual(['user', 'group'])
    expect(values('POST /variables', 'type')).toEqual(['variable', 'secret', 'metric'])
    expect(values('PATCH /services/{id}', 'probeMode')).toEqual(['consecutive', 'simultaneous', 'random'])
    expect(values('PATCH /services/{id}', 'queuePolicy')).toEqual(['skip', 'enqueue_once'])
  })

  test('lists every code that the API and the front before it answer with', () => {
    expect(document.components.schemas.Error).toMatchObject({
      properties: { error: { 'x-extensible-enum': PUBLIC_ERROR_CODES } },
    })
    const front = [
      'bad_request',
      'method_not_allowed',
      'request_timeout',
      'length_required',
      'request_headers_too_large',
    ]
    expect(PUBLIC_ERROR_CODES).toEqual(expect.arrayContaining(front))
  })

  test('answers every limit that is reached with one status', () => {
    const limits = ERROR_CODES.filter((code) => code.endsWith('_limit_reached'))
    expect(limits.length).toBeGreaterThan(4)
    expect([...new Set(limits.map((code) => ERRORS[code].status))]).toEqual([400])
  })

  test('gives each size limit its own cap as the example', () => {
    const examples = document.components.responses.ContentTooLarge?.content?.['application/json'].examples
    expect(examples).toMatchObject({
      body_too_large: { value: { details: { maxBytes: 4 * 1024 ** 2 } } },
      request_body_too_large: { value: { details: { maxBytes: 1024 ** 2 } } },
    })
  })

  test.each([
    ['how percentiles are ranked', 'nearest rank'],
    ['which runs percentiles leave out', 'Skipped runs, runs without any response and runs with values of their own'],
    ['what windows consist of', 'consists of whole UTC hours'],
    ['that HEAD is answered', 'HEAD works wherever GET does'],
    ['what the last status is after skipped runs', 'after skipped runs alone it is null'],
    ['how a maintenance window is removed', 'An empty text or null removes it.'],
  ])('says %s', (_, sentence) => {
    expect(JSON.stringify(document)).toContain(sentence)
  })

  test('asks for Webhooks write alone to change and remove a binding', () => {
    for (const method of ['patch', 'delete']) {
      const operation = document.paths['/api/public/v1/webhooks/bindings/{id}']?.[method]
      expect(operation?.description).toMatch(/Permission: Write on Webhooks\.$/)
    }
  })

  test('does not restrict clients more than the contract does', () => {
    const text = JSON.stringify(document)
    expect(text).not.toContain('"additionalProperties":false')
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER))
    expect(document.servers).toEqual([{ url: '/' }])
    expect(document.security).toEqual([{ apiKey: [] }])
    for (const { path, operation } of operations) {
      expect(path).toMatch(/^\/api\/public\/v1\//)
      expect(operation).not.toHaveProperty('security')
    }
  })

  test.each(operations.map((each) => [each.operation.operationId, each] as const))(
    '%s describes its parameters, responses, errors and headers',
    (_, { path, method, operation }) => {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
      expect(operation.tags).toHaveLength(1)
      expect(document.tags).toContainEqual(expect.objectContaining({ name: operation.tags[0] }))
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      const described = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name)
      expect(described.sort()).toEqual(inPath.sort())
      expect(operation.requestBody !== undefined).toBe(takesBody(method, path))
      const success = Object.keys(operation.responses).filter((status) => status < '300')
      expect(success.length).toBeGreaterThan(0)
      for (const status of success) expect(schemaOf(operation, status) !== undefined).toBe(status !== '204')
      for (const status of Object.keys(operation.responses)) expectHeaders(operation, status)
      const codes = codesByStatus(operation)
      for (const [status, list] of codes) for (const code of list) expect(ERRORS[code].status).toBe(status)
      const all = [...codes.values()].flat()
      for (const code of COMMON) expect(all).toContain(code)
      expect(all.includes('api_key_read_only')).toBe(method !== 'get')
      expect(all.includes('request_body_too_large')).toBe(method !== 'get')
      for (const code of all) expect(PUBLIC_ERROR_CODES).toContain(code)
    },
  )
})

/** Inside the project, so that its packages are found. */
async function workDirectory(): Promise<string> {
  const parent = new URL('../../../../.test/', import.meta.url).pathname
  await mkdir(parent, { recursive: true })
  return mkdtemp(join(parent, 'document-'))
}

const COMMON: ErrorCode[] = [
  'invalid_path',
  ...KEY_ERRORS,
  'totp_enrollment_required',
  'rate_limited',
  'too_many_unknown_keys',
  'internal_error',
]

function takesBody(method: string, path: string): boolean {
  return ['post', 'put', 'patch'].includes(method) && !/\{id\}\/acknowledge$/.test(path)
}

function responseOf(operation: Operation, status: string) {
  const given = operation.responses[status]
  if (!given) throw new Error(`no ${status}`)
  return '$ref' in given ? document.components.responses[given.$ref.split('/').at(-1) ?? ''] : given
}

function schemaOf(operation: Operation, status: string) {
  return responseOf(operation, status)?.content?.['application/json'].schema
}

function expectHeaders(operation: Operation, status: string): void {
  const names = Object.keys(responseOf(operation, status)?.headers ?? {})
  expect(names).toEqual(expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Request-Id']))
  // Of the 409s, only those of a POST have it, but all 409s share one response.
  expect(names.includes('Retry-After')).toBe(['409', '429', '503'].includes(status))
}

function codesByStatus(operation: Operation): Map<number, ErrorCode[]> {
  return new Map(Object.entries(operation['x-error-codes']).map(([status, codes]) => [Number(status), codes]))
}

async function errorOf(response: Response): Promise<[status: number, code: string]> {
  const answer = await readAnswer(response)
  checkHelp(response.url, answer)
  return [answer.status, (answer.body as { error: string }).error]
}

describe('GET /api/openapi/public/v1.json', () => {
  const ask = (options: CallOptions) =>
    createDocument(api.runtime)(buildRequest(null, 'GET', PATH, options), { address: '192.0.2.1' })

  test('200 without a key', async () => {
    const answer = await readAnswer(
      await createDocument(api.runtime)(buildRequest(null, 'GET', PATH), { address: '192.0.2.1' }),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test.each([
    ['br', 'gzip, deflate, br', (bytes: Buffer) => brotliDecompressSync(bytes)],
    ['gzip', 'gzip;q=1.0, br;q=0', (bytes: Buffer) => gunzipSync(bytes)],
    [null, 'identity', (bytes: Buffer) => bytes],
    [null, null, (bytes: Buffer) => bytes],
  ])('200 in the coding %s for Accept-Encoding %s', async (coding, accepted, decode) => {
    const headers: Record<string, string> = accepted === null ? {} : { 'Accept-Encoding': accepted }
    const answer = await ask({ headers })
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, coding])
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(JSON.parse(decode(bytes).toString())).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test('304 for a client that has it, by a strong ETag for each coding', async () => {
    const [plain, compressed] = [await ask({}), await ask({ headers: { 'Accept-Encoding': 'gzip' } })]
    const etag = plain.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect(compressed.headers.get('etag')).not.toBe(etag)
    const known = await ask({ headers: { 'If-None-Match': `"other", ${etag}` } })
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, ''])
    const other = await ask({ headers: { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' } })
    expect(other.status).toBe(200)
  })

  test('HEAD has the length of GET and no body', async () => {
    const handle = createDocument(api.runtime)
    const get = await handle(buildRequest(null, 'GET', PATH), { address: '192.0.2.1' })
    const head = await handle(buildRequest(null, 'HEAD', PATH), { address: '192.0.2.1' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  })

  test('405 for another method, 404 for another path', async () => {
    const handle = createDocument(api.runtime)
    const wrong = await handle(buildRequest(null, 'POST', PATH), { address: '192.0.2.1' })
    expect([wrong.headers.get('allow'), await errorOf(wrong)]).toEqual(['GET, HEAD', [405, 'method_not_allowed']])
    for (const path of ['/api/openapi/public/v2.json', `${PATH}/`, '/api/openapi']) {
      const absent = await handle(buildRequest(null, 'GET', path), { address: '192.0.2.1' })
      expect(await errorOf(absent)).toEqual([404, 'not_found'])
    }
  })

  test('429 rate_limited over the limit of an address, with Retry-After', async () => {
    const handle = createDocument(testRuntime(api.db, { RATE_LIMIT_DOCUMENT_MAX: '3' }))
    const ask = (address: string) => handle(buildRequest(null, 'GET', PATH), { address })
    // The window may end once in between.
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('192.0.2.9')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(await errorOf(answer)).toEqual([429, 'rate_limited'])
    }
    expect((await ask('192.0.2.10')).status).toBe(200)
  })

  test("Next's route handler responds in the same way", async () => {
    Object.assign(globalThis, { [Symbol.for('soundline.runtime')]: api.runtime })
    expect((await GET(buildRequest(null, 'GET', PATH))).status).toBe(200)
    expect((await HEAD(buildRequest(null, 'HEAD', PATH))).status).toBe(200)
    expect((await POST(buildRequest(null, 'POST', PATH))).status).toBe(405)
  })
})
