import { describe, expect, test } from 'vitest'
import { type ExplainedStep, failedAssertionsOf, failureOf } from '#server/results/results/failure.ts'
import {
  actualText,
  describeFailedAssertion,
  expectedText,
  type ShownAssertion,
} from '#server/schemas/results/assertion-text.ts'
import { RunFailure } from '#server/schemas/results/failures.ts'
import { step } from '#test/support/runs/results.ts'

// The words, from records. test/worker/probe/failures.test.ts checks the failures of real runs.

describe('a failed assertion reads', () => {
  const scope = (name: string, actual: unknown, expected: unknown, op = 'eq'): ShownAssertion => ({
    ...{ scope: name, op, actual, expected },
  })
  const condition = (expression: string, actualLhs: unknown, actualRhs: unknown): ShownAssertion => ({
    ...{ expression, actualLhs, actualRhs },
  })
  const LIMIT = 'limit of 10 characters'
  const HOSTILE = { toString: 1, valueOf: 2 }
  const nested = (levels: number) => Array.from({ length: levels }).reduce((inner) => [inner], 1)

  test.each<[string, ShownAssertion]>([
    ['status 500, expected 200', scope('status', 500, 200)],
    ['status 500, expected ≠ 500', scope('status', 500, 500, 'neq')],
    ['status 500, expected < 400', scope('status', 500, 400, 'lt')],
    ['status 500, expected one of 200, 204', scope('status', 500, [200, 204])],
    ['status 500, expected none of 500, 503', scope('status', 500, [500, 503], 'neq')],
    ['status 500, expected "200"', scope('status', 500, '200')],
    ['status 200, expected null', scope('status', 200, null)],
    ['totalDelayMs 812 ms, expected ≤ 500 ms', scope('totalDelayMs', 812, 500, 'lte')],
    ['ttfb 812 ms, expected < 500 ms', scope('ttfb', 812, 500, 'lt')],
    ['ttfb 812 ms, expected < "soon"', scope('ttfb', 812, 'soon', 'lt')],
    ['bodySize 12000 bytes, expected < 10k', scope('bodySize', 12_000, '10k', 'lt')],
    ['size 11 bytes, expected ≥ 100 bytes', scope('size', 11, 100, 'gte')],
    ['body "no", expected "ok"', scope('body', 'no', 'ok')],
    ['body "no", expected {"ok":true}', scope('body', 'no', { ok: true })],
    ['body .items[0].price: must be a number, expected schema($s.item)', mismatch('.items[0].price')],
    ['body: must be a number, expected schema($s.item)', mismatch('.')],
    ['body: matches the schema, expected ≠ schema($s.item)', { ...mismatch('.', 'matches the schema'), op: 'neq' }],
    ['header X-Id "1", expected "2"', scope('headers', { A: 'x', 'X-Id': '1' }, { A: 'x', 'X-Id': '2' })],
    ['header X-Id null, expected 2', scope('headers', { 'X-Id': null }, { 'X-Id': 2 })],
    ['header Via ["a","b"], expected "c"', scope('headers', { Via: ['a', 'b'] }, { Via: 'c' })],
    ['header B "2", expected ≠ "2"', scope('headers', { A: '1', B: '2' }, { A: 'x', B: '2' }, 'neq')],
    ['header Age "9", expected < "5"', scope('headers', { Age: '9' }, { Age: '5' }, 'lt')],
    ['headers {"a":"1"}, expected "b"', scope('headers', { a: '1' }, 'b')],
    ['redirects none, expected "/new"', scope('redirects', [], '/new')],
    ['redirects none, expected null', scope('redirects', null, null)],
    ['redirects ["http://a/x"], expected "/new"', scope('redirects', ['http://a/x'], '/new')],
    ['ttfb cannot be compared, because the body was too large to be read', scope('ttfb', null, null)],
    ['this.body.count eq 7 is false, got 3', condition('this.body.count eq 7', 3, 7)],
    ['this.body.name eq "a" is false, got null', condition('this.body.name eq "a"', null, 'a')],
    ['7 eq this.body.count is false, got 3', condition('7 eq this.body.count', 7, 3)],
    ['this.body.count eq $count is false, got 3, expected 7', condition('this.body.count eq $count', 3, 7)],
    ['a eq b and c eq d is false, got true and false', condition('a eq b and c eq d', true, false)],
    ['this.body.a gt this.body.b is false, got 1 and 2', condition('this.body.a gt this.body.b', 1, 2)],
    ['includes("7", this.body) is false', condition('includes("7", this.body)', false, null)],
    ['this.body.flag is false, got null', condition('this.body.flag', null, null)],
    [`body "${'x'.repeat(9)}…, expected "ok"`, { ...scope('body', 'x'.repeat(40), 'ok'), match: LIMIT }],
    ['value 1, expected 2', { actual: 1, expected: 2 }],
    ['status 1, expected likes 2', scope('status', 1, 2, 'likes')],
    ['status 1, expected constructor 2', scope('status', 1, 2, 'constructor')],
    ['header x-a null, expected {"toString":1,"valueOf":2}', scope('headers', { 'x-a': null }, { 'x-a': HOSTILE })],
    ['header x-a [{"toString":1,"valueOf":2}], expected "b"', scope('headers', { 'x-a': [HOSTILE] }, { 'x-a': 'b' })],
    ['header toString null, expected "b"', scope('headers', {}, { toString: 'b' })],
    ['header __proto__ null, expected 1', scope('headers', {}, JSON.parse('{"__proto__":1}'))],
    ['a eq b is false, got {"toString":1,"valueOf":2}, expected null', condition('a eq b', HOSTILE, null)],
    [`body ${'['.repeat(10)}…, expected "ok"`, { ...scope('body', nested(100_000), 'ok'), match: LIMIT }],
  ])('%s', (text, assertion) => {
    expect(describeFailedAssertion(assertion, assertion.match === LIMIT ? 10 : undefined)).toBe(text)
  })

  function mismatch(path: string, detail = 'must be a number'): ShownAssertion {
    return scope('body', { path, detail }, 'schema($s.item)')
  }
})

test.each([
  ['this.body.count eq 7', 3, 7, 'this.body.count eq 7', '3'],
  ['"a" eq this.body.name', 'a', 'b', '"a" eq this.body.name', '"b"'],
  ['this.body.count eq $count', 3, 7, 'this.body.count eq $count (7)', '3'],
  ['this.body.a gt this.body.b', 1, 2, 'this.body.a gt this.body.b', '1 and 2'],
])(
  'of a failed %s, pages, mails and the command line show the actual value',
  (...[expression, lhs, rhs, expected, actual]) => {
    const assertion = { expression, actualLhs: lhs, actualRhs: rhs }
    expect([expectedText(assertion), actualText(assertion)]).toEqual([expected, actual])
  },
)

describe('a failure', () => {
  const URL_ = 'https://shop.example/cart'
  const failed = (given: object): object => ({
    method: 'expect',
    scope: 'status',
    op: 'eq',
    outcome: 'failed',
    ...given,
  })
  const explained = (given: Partial<ExplainedStep> = {}) => step({ requestUrl: URL_, ...given })
  const of = (steps: ExplainedStep[], status = 'failure', raw: Record<string, unknown> | null = null) => {
    const failure = failureOf({ status, raw, steps })
    // The API answers with it, and the database has to accept it.
    expect(RunFailure.parse(failure)).toEqual(failure)
    expect(JSON.stringify(failure).isWellFormed()).toBe(true)
    expect(JSON.stringify(failure)).not.toMatch(/\\ud[89a-f]/i)
    return failure as RunFailure
  }

  test('exists only for runs that failed or timed out', () => {
    for (const status of ['success', 'skipped'])
      expect(failureOf({ status, raw: null, steps: [explained()] })).toBe(null)
  })

  test('has the first failing step, the assertion, and how many more failed', () => {
    const checked = failed({ method: 'check', scope: 'ttfb', op: 'lt', actual: 900, expected: 500 })
    const assertionResults = [
      { ...failed({ actual: 200, expected: 200 }), outcome: 'passed' },
      failed({ actual: 500, expected: 200, options: null }),
      failed({ scope: 'size', actual: 1, expected: 2 }),
      { ...failed({}), outcome: 'indeterminate' },
    ]
    const steps = [
      explained({ assertionResults: [checked] }),
      explained({ stepNum: 2, statusCode: 500, outcome: 'failure', assertionResults, excerpt: 'Oops' }),
      explained({ stepNum: 3, requestUrl: null, statusCode: null, outcome: 'skipped' }),
    ]
    expect(of(steps)).toEqual({
      summary: `GET ${URL_}: status 500, expected 200 (2 more failed)`,
      cause: 'status 500, expected 200',
      status: 'failure',
      step: { stepNum: 2, method: 'GET', url: URL_, statusCode: 500 },
      assertion: { stepNum: 2, method: 'expect', scope: 'status', op: 'eq', expected: 200, actual: 500 },
      error: null,
      phase: null,
      moreFailed: 2,
      excerpt: 'Oops',
    })
    expect(failedAssertionsOf(steps).map(({ stepNum, scope }) => [stepNum, scope])).toEqual([
      [1, 'ttfb'],
      [2, 'status'],
      [2, 'size'],
    ])
  })

  test('is an `expect` rather than a `check`, which only records', () => {
    const check = failed({ method: 'check', scope: 'ttfb', op: 'lt', actual: 900, expected: 500 })
    const soft = {
      method: 'assert',
      kind: 'check',
      outcome: 'failed',
      expression: 'a',
      actualLhs: false,
      actualRhs: null,
    }
    const hard = { ...soft, kind: 'expect', expression: 'b' }
    const causeOf = (...assertionResults: object[]) => of([explained({ outcome: 'failure', assertionResults })]).cause
    expect(causeOf(check, soft, hard)).toBe('b is false')
    expect(causeOf(check, failed({ actual: 500, expected: 200 }), hard)).toBe('status 500, expected 200')
    // A `check` fails the run when its schema cannot be used.
    const actual = { path: '.', detail: 'the body is not valid JSON' }
    const unusable = failed({ method: 'check', scope: 'body', expected: 'schema($x)', actual })
    expect(causeOf(check, unusable, soft)).toBe('body: the body is not valid JSON, expected schema($x)')
    // Assertions are omitted from a result that would be too large.
    expect(causeOf()).toBe('the run failed')
  })

  test('is the error of a step without a response, besides failed checks of earlier steps', () => {
    const error = 'no complete response within 50 ms (connecting)'
    const steps = [
      explained({ assertionResults: [failed({ method: 'check', actual: 404, expected: 200 })] }),
      explained({ stepNum: 2, statusCode: null, outcome: 'timeout', error, timeoutPhase: 'connect' }),
    ]
    expect(of(steps, 'timeout')).toMatchObject({
      summary: `GET ${URL_}: ${error} (1 more failed)`,
      ...{ cause: error, status: 'timeout', error, phase: 'connect', assertion: null, moreFailed: 1 },
      step: { stepNum: 2, statusCode: null },
    })
  })

  test('is not a timeout that the script tolerates', () => {
    const steps = [
      explained({ statusCode: null, outcome: 'timeout', timeoutPhase: 'ttfb' }),
      explained({ stepNum: 2, outcome: 'failure', assertionResults: [failed({ actual: 500, expected: 200 })] }),
    ]
    expect(of(steps)).toMatchObject({ step: { stepNum: 2 }, phase: null, cause: 'status 500, expected 200' })
  })

  test('of the whole run has no step', () => {
    const error = 'unverified_domain_interval: status.example.com is not verified'
    expect(of([], 'failure', { error })).toMatchObject({
      summary: error,
      cause: error,
      error,
      step: null,
      assertion: null,
    })
    const steps = [explained(), explained({ stepNum: 2, requestUrl: null, outcome: 'skipped' })]
    const limit = 'the run exceeded its time limit after step 1'
    expect(of(steps, 'timeout')).toMatchObject({ summary: limit, error: limit, step: null })
    expect(of([], 'timeout')).toMatchObject({ summary: 'the run exceeded its time limit' })
    expect(of([], 'failure')).toMatchObject({ summary: 'the run failed', error: null })
  })

  test.each(['', ' \n'])('says that the run failed where an agent sent an error without text: %j', (error) => {
    expect(of([], 'failure', { error })).toMatchObject({ summary: 'the run failed', error: null })
    const failing = explained({ outcome: 'failure', error })
    expect(of([failing], 'failure', { error })).toMatchObject({ cause: 'the run failed', error: null })
  })

  test('names the URL as written when no request was sent', () => {
    const given = {
      requestUrl: null,
      template: '$s.base/cart',
      error: 'the URL is not valid',
      outcome: 'failure' as const,
    }
    expect(of([explained(given)]).summary).toBe('GET $s.base/cart: the URL is not valid')
  })

  test('is one short line that is well-formed, whatever a target sends', () => {
    const smile = '😀'
    for (const shift of ['', 'x']) {
      const long = `${shift}${smile.repeat(3_000)}`
      const assertionResults = [failed({ scope: 'body', actual: long, expected: { [long]: long } })]
      const failure = of([explained({ requestUrl: `https://${long}`, outcome: 'failure', assertionResults })])
      expect(failure.summary.length).toBeLessThan(500)
      expect(String(failure.assertion?.actual).length).toBeLessThanOrEqual(1_025)
      expect(String(failure.assertion?.expected).length).toBeLessThanOrEqual(1_025)
    }
    const forged = of([
      explained({
        outcome: 'failure',
        requestUrl: 'http://a/\r\nBcc: x',
        error: `a\u001b[2J\u2028b\n${'c'.repeat(9_000)}`,
      }),
    ])
    expect(forged.summary).toMatch(/^GET http:\/\/a\/ Bcc: x: a \[2J b c+…$/)
    expect(forged.cause.length).toBeLessThanOrEqual(501)
  })
})
