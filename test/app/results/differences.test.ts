import { describe, expect, test } from 'vitest'
import { resultIdIn } from '#app/(dashboard)/services/[serviceId]/results/[resultId]/comparison/result-id-in.ts'
import { comparedVersions, versionsHref } from '#app/client/addresses/versions-href.ts'
import { jsonChanges } from '#app/components/comparing/json-changes.ts'
import { pairSteps } from '#app/components/run-diff/pair-steps.ts'
import { changedHeaders, isSameOutcome, stepDifference } from '#app/components/run-diff/run-diff.ts'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { resultStep } from '#test/support/runs/results.ts'

const STATUS_200 = { method: 'expect', outcome: 'passed', scope: 'status', op: 'eq', expected: 200, actual: 200 }
const STATUS_201 = { ...STATUS_200, expected: 201, actual: 201 }

/** Steps from texts such as `POST /orders`, of one host. */
function steps(...texts: string[]): ResultStep[] {
  return texts.map((text, index) => {
    const [method = 'GET', path = ''] = text.split(' ')
    return resultStep({ stepNum: index + 1, method, urlTemplate: `https://shop.example${path}` })
  })
}

function pairsOf(before: ResultStep[], after: ResultStep[]) {
  return pairSteps(before, after).map((pair) => [pair.before?.stepNum ?? null, pair.after?.stepNum ?? null])
}

describe('the steps of two runs are paired', () => {
  test.each([
    [
      'the same steps',
      ['GET /a', 'POST /b'],
      ['GET /a', 'POST /b'],
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      'a renamed step, which is one pair',
      ['POST /api/cart', 'GET /api/cart/$$cart', 'POST /api/orders'],
      ['POST /api/cart', 'GET /api/cart/$$cart', 'POST /api/v2/orders'],
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    ],
    [
      'a new step before the others',
      ['GET /a', 'GET /b'],
      ['POST /login', 'GET /a', 'GET /b'],
      [
        [null, 1],
        [1, 2],
        [2, 3],
      ],
    ],
    [
      'a step that is gone',
      ['GET /a', 'POST /b', 'GET /c'],
      ['GET /a', 'GET /c'],
      [
        [1, 1],
        [2, null],
        [3, 2],
      ],
    ],
    [
      'a step that was rewritten in its place',
      ['GET /a', 'GET /b', 'GET /c'],
      ['GET /a', 'GET /x', 'GET /c'],
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    ],
    [
      'two steps that changed places',
      ['GET /a', 'POST /b'],
      ['POST /b', 'GET /a'],
      [
        [2, 1],
        [1, 2],
      ],
    ],
    [
      'other methods not',
      ['GET /a', 'GET /b'],
      ['GET /a', 'DELETE /b'],
      [
        [1, 1],
        [2, null],
        [null, 2],
      ],
    ],
    ['nothing', [], ['GET /a'], [[null, 1]]],
  ])('%s', (_, before, after, expected) => {
    expect(pairsOf(steps(...before), steps(...after))).toEqual(expected)
  })

  test('by what they assert, where the address says nothing', () => {
    const [cart, order] = steps('POST /cart', 'POST /orders') as [ResultStep, ResultStep]
    const before = [
      { ...cart, assertionResults: [STATUS_200] },
      { ...order, assertionResults: [STATUS_201] },
    ]
    const [login, checkout] = steps('POST /login', 'POST /checkout') as [ResultStep, ResultStep]
    const failed = { ...STATUS_201, outcome: 'failed', actual: 503 }
    expect(pairsOf(before, [login, { ...checkout, assertionResults: [failed] }])).toEqual([
      [1, 1],
      [2, 2],
    ])
    expect(pairsOf(before, [{ ...checkout, stepNum: 1, assertionResults: [failed] }])).toEqual([
      [1, null],
      [2, 1],
    ])
  })
})

describe('the difference of a step', () => {
  const differenceOf = (before: Partial<ResultStep>, after: Partial<ResultStep>) =>
    stepDifference({ before: resultStep(before), after: resultStep(after) })

  test('has only what differs, and names what is the same', () => {
    const headers = { 'content-type': 'application/json', date: 'Mon', 'x-release': 'v1', server: 'envoy' }
    const failed = { ...STATUS_201, outcome: 'failed', actual: 503 }
    const found = differenceOf(
      { statusCode: 201, headers, assertionResults: [STATUS_201], urlTemplate: '/orders', method: 'POST' },
      {
        ...{ statusCode: 503, headers: { ...headers, date: 'Tue', 'x-release': 'v2' }, assertionResults: [failed] },
        ...{ outcome: 'failure', urlTemplate: '/v2/orders', method: 'POST' },
      },
    )
    expect(found).toEqual({
      values: [
        { label: 'Request', before: 'POST /orders', after: 'POST /v2/orders' },
        { label: 'Outcome', before: 'passed', after: 'failed' },
        { label: 'Status', before: '201', after: '503' },
        { label: 'Failed', before: '–', after: 'status 503, expected 201' },
      ],
      headers: [{ name: 'x-release', before: 'v1', after: 'v2' }],
      perResponse: ['date'],
      same: ['2 headers', 'times'],
    })
    expect(differenceOf({}, {})).toEqual({ values: [], headers: [], perResponse: [], same: ['status 200', 'times'] })
  })

  test.each([
    ['99 ms more', 80, 179, []],
    [
      '100 ms and a quarter more',
      400,
      500,
      [{ label: 'Response time', before: '400\u00a0ms', after: '500\u00a0ms (+100\u00a0ms)' }],
    ],
    ['100 ms, but less than a quarter', 500, 600, []],
    ['faster', 1_250, 250, [{ label: 'Response time', before: '1.25\u00a0s', after: '250\u00a0ms (−1.00\u00a0s)' }]],
    ['no response', 80, null, []],
  ])('has a time where it matters: %s', (_, before, after, expected) => {
    const found = differenceOf({ responseTimeMs: before }, { responseTimeMs: after })
    expect(found.values).toEqual(expected)
  })

  test('compares headers by name in any case', () => {
    const before = { Date: 'Mon', 'x-a': '1', 'set-cookie': ['a=1', 'b=2'], old: 'x' }
    expect(changedHeaders(before, { date: 'Mon', 'X-A': '2', 'set-cookie': ['a=1', 'b=2'], new: 'y' })).toEqual([
      { name: 'new', before: null, after: 'y' },
      { name: 'old', before: 'x', after: null },
      { name: 'x-a', before: '1', after: '2' },
    ])
  })

  test('is open where the outcome or the status differs', () => {
    expect(isSameOutcome({ before: resultStep(), after: resultStep({ statusCode: 500 }) })).toBe(false)
    expect(isSameOutcome({ before: resultStep(), after: resultStep() })).toBe(true)
    expect(isSameOutcome({ before: null, after: resultStep() })).toBe(false)
  })
})

describe('JSON is compared by its values', () => {
  const changesOf = (before: unknown, after: unknown) =>
    jsonChanges(before, after).changes.map(({ path, before, after }) => [path, before, after])

  test('at any depth, whatever the order of the keys', () => {
    const before = { state: 'accepted', cart: { id: 1, items: [{ n: 'Lamp' }, { n: 'Desk' }] }, total: 2 }
    const after = { total: 3, cart: { id: 1, items: [{ n: 'Lamp' }, { n: 'Chair' }] }, error: { code: 'x y' } }
    expect(changesOf(before, after)).toEqual([
      ['.state', '"accepted"', null],
      ['.cart.items[1].n', '"Desk"', '"Chair"'],
      ['.total', '2', '3'],
      ['.error', null, '{"code":"x y"}'],
    ])
    expect(changesOf(before, structuredClone(before))).toEqual([])
  })

  test('without the items that one more moves', () => {
    expect(changesOf([1, 2, 3], [0, 1, 2, 3])).toEqual([['[0]', null, '0']])
    expect(changesOf({ a: [1, 2, 3] }, { a: [1, 3] })).toEqual([['.a[1]', '2', null]])
  })

  test.each([
    ['another type', { a: [] }, { a: {} }, ['.a', '[]', '{}']],
    ['null', { a: null }, { a: 0 }, ['.a', 'null', '0']],
    ['a key that is no word', { 'a b': 1 }, { 'a b': 2 }, ['["a b"]', '1', '2']],
    ['the whole body', [1], { a: 1 }, ['(whole body)', '[1]', '{"a":1}']],
    ['a key of all objects', {}, JSON.parse('{"__proto__":1}'), ['.__proto__', null, '1']],
  ])('%s', (_, before, after, expected) => {
    expect(changesOf(before, after)).toEqual([expected])
  })

  test('up to a number of changes, and with long values cut', () => {
    const many = jsonChanges(
      {},
      Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`k${index}`, 'x'.repeat(1_000)])),
    )
    expect(many).toMatchObject({ changes: { length: 200 }, leftOut: 50 })
    expect(many.changes[0]?.after?.length).toBeLessThan(310)
  })
})

describe('addresses', () => {
  test('a result is named by an id or a link', () => {
    const id = '0198f0c4-1111-7222-8333-444455556666'
    const service = '0198f0c4-aaaa-7222-8333-444455556666'
    const link = `https://x/services/${service}/results/${id}?compare=passing#step-1`
    for (const text of [id, ` ${id.toUpperCase()} `, link]) expect(resultIdIn(text)).toBe(id)
    for (const text of ['', 'x', `${id}0`]) expect(resultIdIn(text)).toBeNull()
  })

  test('the change between two versions of a script has one', () => {
    expect(versionsHref('s', 4, 7)).toBe('/services/s/script?compare=4..7')
    expect(versionsHref('s', null, 7)).toBe('/services/s/script?compare=7')
    expect(comparedVersions('4..7')).toEqual({ before: 4, after: 7 })
    expect(comparedVersions('7')).toEqual({ before: null, after: 7 })
    for (const text of [null, '', '4..', '..7', 'passing', '1234567890123']) expect(comparedVersions(text)).toBeNull()
  })
})
