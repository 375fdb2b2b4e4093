// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { describe, expect, test } from 'vitest'
import type { DraftResult } from '#server/schemas/new-service/drafts.ts'
import { NewServiceFields } from '#server/schemas/new-service/fields.ts'
import { type ProbeRequest, writeProbeScript } from '#server/schemas/new-service/probe-script.ts'
import { suggestAssertions } from '#server/schemas/new-service/suggestions.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { validateForEnable } from '#server/scripts/validation.ts'
import { NO_VARIABLES } from '#server/scripts/variable-scopes.ts'
import { LOOPBACK, run, startTarget } from '#test/lace/server.ts'

type Response = { status?: number; type: string; body: string; isCut?: boolean }

/** Every script that the page writes passes the validation of a service that is switched on. */
function validate(script: string): void {
  const trust = { allowedNetworks: [parseNetworks(LOOPBACK)], verifiedDomains: new Set<string>(), trustsAll: true }
  validateForEnable({ script, schedule: '*/5 * * * *', isActive: true, scopes: NO_VARIABLES, trust })
}

/** What a test run shows of a response. */
function shown({ status = 200, type, body, isCut = false }: Response, responseTimeMs = 40) {
  const step = { id: 'one', statusCode: status, headers: { 'content-type': type }, responseTimeMs }
  const bodies = [{ stepId: 'one', content: body, contentType: type, encoding: null, isCut }]
  return { steps: [step], bodies } as unknown as Pick<DraftResult, 'steps' | 'bodies'>
}

const get: ProbeRequest = { method: 'get', url: 'https://example.com/', body: '' }

const REQUESTS: [string, Partial<ProbeRequest>][] = [
  ['a plain URL', {}],
  ['a URL with a dollar sign', { url: 'https://example.com/?$filter=$s.name' }],
  ['a URL with quotes and a backslash', { url: 'https://example.com/"a"\\b?c=“d”' }],
  ['a URL with spaces around it', { url: '  https://example.com/  ' }],
  ['a JSON body', { method: 'post', body: '{"a": ["b\\n", "\\"c\\""]}' }],
  ['a text body with line breaks', { method: 'put', body: 'one\ntwo\t"three"\\' }],
  ['a deletion', { method: 'delete' }],
  ['a patch', { method: 'patch', body: '[]' }],
]

const RESPONSES: [string, Response, string[]][] = [
  [
    'a page',
    { type: 'text/html', body: '<html><title>\n Shop & more </title>' },
    ['status-200', 'title', 'delay', 'type'],
  ],
  ['a page without a title', { type: 'text/html', body: '<p>x</p>' }, ['status-200', 'delay', 'type']],
  [
    'a title with a variable',
    { type: 'text/html', body: '<title>Buy for $s.price</title>' },
    ['status-200', 'title', 'delay', 'type'],
  ],
  [
    'a title with quotes',
    { type: 'text/html', body: '<title>“A” "B" \\ C</title>' },
    ['status-200', 'title', 'delay', 'type'],
  ],
  [
    'JSON',
    {
      type: 'application/json; charset=utf-8',
      body: '{"id": 7, "status": "ok", "deep": {"up": true}, "a-b": 1, "list": [1], "none": null}',
    },
    ['status-200', 'field-status', 'field-deep.up', 'field-id', 'delay', 'type'],
  ],
  [
    'JSON that is cut',
    { type: 'application/json', body: '{"status": "o', isCut: true },
    ['status-200', 'delay', 'type'],
  ],
  [
    'JSON with numbers that have exponents',
    { type: 'application/json', body: '{"a": 1e30, "b": -0.5}' },
    ['status-200', 'field-b', 'delay', 'type'],
  ],
  [
    'JSON with texts that the language reads otherwise',
    { type: 'application/vnd.x+json', body: '{"a": "$s.x", "b": "x\\ny", "c": "z"}' },
    ['status-200', 'field-c', 'delay', 'type'],
  ],
  ['an error', { status: 503, type: '', body: '' }, ['status-200', 'status-503', 'delay']],
]

describe('a script of one request', () => {
  test.each(REQUESTS)('with %s passes the validator', (_, given) => {
    validate(writeProbeScript({ ...get, ...given }, [{ kind: 'status', value: 200 }]))
  })

  test.each(['"', '\\', '\\"', '").expect(status: 1)', '\n', '\r\n', '\t', '$$a', '\\$'])(
    'with %j in its URL stays one',
    (text) => {
      validate(writeProbeScript({ ...get, url: `https://example.com/${text}` }, []))
    },
  )

  test('with several assertions has them in the order of the language', () => {
    const script = writeProbeScript(get, [
      { kind: 'delay', ms: 500 },
      { kind: 'condition', expression: 'includes("a", this.body)' },
      { kind: 'header', name: 'Content-Type', value: 'text/html' },
      { kind: 'status', value: 200 },
    ])
    expect(script).toBe(`get("https://example.com/")
.expect(status: 200, headers: { "Content-Type": "text/html" })
.check(totalDelayMs: 500)
.assert({
  expect: [
    includes("a", this.body)
  ]
})
`)
    validate(script)
  })

  test('without assertions fails only when no response arrives', async () => {
    await using target = await startTarget((_, response) => response.writeHead(500).end())
    expect(await run(writeProbeScript({ ...get, url: target.url }, []))).toMatchObject({ outcome: 'success' })
  })
})

describe('the suggestions', () => {
  test.each(RESPONSES)('for %s', (_, response, ids) => {
    expect(suggestAssertions(shown(response)).map(({ id }) => id)).toEqual(ids)
  })

  test.each(RESPONSES)('for %s hold when the same response comes again', async (_, response) => {
    await using target = await startTarget((_request, answer) => {
      answer.writeHead(response.status ?? 200, response.type === '' ? {} : { 'content-type': response.type })
      answer.end(response.body)
    })
    const status = response.status ?? 200
    const holding = suggestAssertions(shown(response, 4_000)).filter(
      ({ assertion }) => assertion.kind !== 'status' || assertion.value === status,
    )
    const script = writeProbeScript(
      { ...get, url: `${target.url}/` },
      holding.map(({ assertion }) => assertion),
    )
    validate(script)
    const result = await run(script)
    expect(result.calls[0]?.assertions.map(({ outcome }) => outcome)).toEqual(holding.map(() => 'passed'))
  })

  test('for a page do not hold for another page', async () => {
    await using target = await startTarget((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<title>Maintenance</title>')
    })
    const ticked = suggestAssertions(shown({ type: 'text/html', body: '<title>Shop</title>' }))
      .filter(({ isTicked }) => isTicked)
      .map(({ assertion }) => assertion)
    expect(await run(writeProbeScript({ ...get, url: `${target.url}/` }, ticked))).toMatchObject({ outcome: 'failure' })
  })

  test('the limit of the time is twice the measured one, rounded up', () => {
    const limit = (ms: number) =>
      suggestAssertions(shown({ type: '', body: '' }, ms)).flatMap(({ assertion }) =>
        assertion.kind === 'delay' ? assertion.ms : [],
      )
    expect([3, 125, 126, 480, 501, 5_001].map((ms) => limit(ms)[0])).toEqual([250, 250, 260, 960, 1_100, 11_000])
  })

  test('there are none without a response', () => {
    expect(suggestAssertions({ steps: [], bodies: [] })).toEqual([])
  })
})

test.each([
  ['{"price": {"$gt": 5}}', true],
  ['${name}', true],
  ['${$name}', true],
  ['costs $5 or 5$', false],
])('a body of %s is refused if the script would read a variable', (body, isRefused) => {
  const names = { name: 'a', label: '', workspaceName: '', projectName: '' }
  const places = { workspaceId: 'one', projectId: 'two', schedule: '*/5 * * * *', timezone: '' }
  const fields = { method: 'post', url: 'https://example.com/', body, hasRequest: true, ...names, ...places }
  const { error } = NewServiceFields.safeParse(fields)
  expect(error?.issues.map(({ path }) => path)).toEqual(isRefused ? [['body']] : undefined)
  if (!isRefused) validate(writeProbeScript({ ...get, method: 'post', body }, []))
})
