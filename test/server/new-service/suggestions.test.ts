import { describe, expect, test } from 'vitest'
import { assertionText } from '#server/language/builder/assertion-words.ts'
import { NEW_STEP, type Step } from '#server/language/builder/steps.ts'
import { writeSteps } from '#server/language/builder/write-steps.ts'
import type { DraftResult } from '#server/schemas/new-service/drafts.ts'
import { errorWarning, suggestAssertions } from '#server/schemas/new-service/suggestions.ts'
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

/** The script of one step. */
function scriptOf(url: string, assertions: Step['assertions']): string {
  return writeSteps([{ ...NEW_STEP, url, assertions }])
}

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
  ['an error', { status: 503, type: 'text/html', body: '<title>Oops</title>' }, ['status-below-400']],
  [
    'a page that is missing',
    { status: 404, type: 'application/json', body: '{"status": "lost"}' },
    ['status-below-400'],
  ],
]

describe('the suggestions', () => {
  test.each(RESPONSES)('for %s', (_, response, ids) => {
    expect(suggestAssertions(shown(response)).map(({ id }) => id)).toEqual(ids)
  })

  test.each(RESPONSES)('for %s hold when the same response comes again', async (_, response) => {
    await using target = await startTarget((_request, answer) => {
      answer.writeHead(response.status ?? 200, response.type === '' ? {} : { 'content-type': response.type })
      answer.end(response.body)
    })
    const suggestions = suggestAssertions(shown(response, 4_000))
    const script = scriptOf(
      `${target.url}/`,
      suggestions.map(({ assertion }) => assertion),
    )
    validate(script)
    const result = await run(script)
    // What is suggested for an error does not hold for the error.
    const expected = (response.status ?? 200) < 400 ? 'passed' : 'failed'
    expect(result.calls[0]?.assertions.map(({ outcome }) => outcome)).toEqual(suggestions.map(() => expected))
  })

  test('for a page do not hold for another page', async () => {
    await using target = await startTarget((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<title>Maintenance</title>')
    })
    const ticked = suggestAssertions(shown({ type: 'text/html', body: '<title>Shop</title>' }))
      .filter(({ isTicked }) => isTicked)
      .map(({ assertion }) => assertion)
    expect(await run(scriptOf(`${target.url}/`, ticked))).toMatchObject({ outcome: 'failure' })
  })

  test('the limit of the time is twice the measured one, rounded up', () => {
    const limit = (ms: number) =>
      suggestAssertions(shown({ type: '', body: '' }, ms)).flatMap(({ assertion }) =>
        assertion.kind === 'scope' && assertion.scope === 'totalDelayMs' ? Number(assertion.value) : [],
      )
    expect([3, 125, 126, 480, 501, 5_001].map((ms) => limit(ms)[0])).toEqual([250, 250, 260, 960, 1_100, 11_000])
  })

  test('there are none without a response', () => {
    expect(suggestAssertions({ steps: [], bodies: [] })).toEqual([])
  })
})

test('a response with an error has a warning, and no suggestion to expect it', () => {
  expect(errorWarning(500)).toBe(
    'The target answers 500 now: the service will fail until it answers with a status below 400.',
  )
  expect([200, 302, null].map(errorWarning)).toEqual([null, null, null])
  const [suggestion, ...others] = suggestAssertions(shown({ status: 500, type: '', body: '' }))
  expect(suggestion && assertionText(suggestion.assertion)).toBe('The status is below 400')
  expect(suggestion?.isTicked).toBe(true)
  expect(others).toEqual([])
})

test('each suggestion has its words', () => {
  const body = '{"status": "ok", "deep": {"up": true}}'
  const texts = (response: Response) =>
    suggestAssertions(shown(response)).map(({ assertion }) => assertionText(assertion))
  expect(texts({ type: 'application/json', body })).toEqual([
    'The status is 200',
    'The field status is "ok"',
    'The field deep.up is true',
    'A response slower than 250 ms is recorded, without failing the run',
    'The content type is application/json',
  ])
  expect(texts({ type: '', body: '<title>“A” "B"</title>' })).toContain('The body contains ““A” "B"”')
})
