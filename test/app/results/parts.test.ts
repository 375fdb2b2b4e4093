import { describe, expect, test } from 'vitest'
import { diffBodies } from '#app/components/comparing/line-diff.ts'
import { actualSides } from '#app/components/run-steps/assertion-sides.ts'
import { bodyBytes, hexText, readJson } from '#app/components/run-steps/body-data.ts'
import { indentedJson } from '#app/components/run-steps/indented-json.ts'
import { timelineOf } from '#app/components/run-steps/timeline-rows.ts'
import { resultStep as step } from '#test/support/runs/results.ts'

const START = Date.parse('2026-11-22T12:00:00Z')
const at = (ms: number) => new Date(START + ms).toISOString()

const UNSENT = { statusCode: null, responseTimeMs: null, dnsMs: null, connectMs: null, ttfbMs: null, transferMs: null }

describe('the timeline', () => {
  test('places calls, phases and waits on the scale of the run', () => {
    const { rows, totalMs } = timelineOf({
      startedAt: at(0),
      runDurationMs: 1_000,
      rawResult: {
        startedAt: at(0),
        calls: [
          { startedAt: at(5), endedAt: at(605) },
          { startedAt: at(605), endedAt: at(990) },
          { startedAt: null, endedAt: null },
        ],
      },
      steps: [
        step({ waitMs: 500 }),
        step({ ...UNSENT, stepNum: 2, outcome: 'timeout', error: 'no complete response' }),
        step({ ...UNSENT, stepNum: 3, outcome: 'skipped', requestUrl: null }),
      ],
    })
    expect(totalMs).toBe(1_000)
    expect(rows.map(({ fromMs, ms, waitMs }) => [fromMs, ms, waitMs])).toEqual([
      [5, 100, 500],
      [605, 385, 0],
      [990, 0, 0],
    ])
    expect(rows.map(({ segments }) => segments.map(({ kind, fromMs, ms }) => [kind, fromMs, ms]))).toEqual([
      [
        ['before', 5, 20],
        ['dnsMs', 25, 10],
        ['connectMs', 35, 20],
        ['ttfbMs', 55, 45],
        ['transferMs', 100, 5],
        ['wait', 105, 500],
      ],
      [['none', 605, 385]],
      [],
    ])
    expect(rows[1]?.segments[0]?.label).toBe('Timed out')
  })

  test('shows a wait after the last call', () => {
    const rawResult = { startedAt: at(0), calls: [{ startedAt: at(0), endedAt: at(300) }] }
    const steps = [step({ waitMs: 220 })]
    const { rows } = timelineOf({ startedAt: at(0), runDurationMs: 300, rawResult, steps })
    expect(rows[0]).toMatchObject({ ms: 80, waitMs: 220 })
  })

  test('lets steps follow each other if the result has no times', () => {
    const steps = [step(), step({ stepNum: 2 })]
    const { rows, totalMs } = timelineOf({ startedAt: at(0), runDurationMs: 170, rawResult: null, steps })
    expect(rows.map(({ fromMs, ms }) => [fromMs, ms])).toEqual([
      [0, 80],
      [80, 80],
    ])
    expect(totalMs).toBe(170)
  })
})

describe('the actual value of an assertion', () => {
  const sides = (expression: string, actualLhs: unknown, actualRhs: unknown) =>
    actualSides({ expression, actualLhs, actualRhs })

  test.each([
    ['this.body.count eq 5', 4, 5, ['this.body.count = 4']],
    ['this.body.name eq "a eq b"', 'x', 'a eq b', ['left side = "x"', 'right side = "a eq b"']],
    ['this.body.a lte this.body.b', 2, 1, ['this.body.a = 2', 'this.body.b = 1']],
    ['this.body.ok', false, null, ['this.body.ok = false']],
    ['this.a eq 1 and this.b eq 2', false, true, ['left side = false', 'right side = true']],
    ['this.a or this.b', false, false, ['left side = false', 'right side = false']],
  ])('of %s is named by its sides', (expression, left, right, expected) => {
    expect(sides(expression, left, right)).toEqual(expected)
  })

  test('of a scope is the value itself', () => {
    expect(actualSides({ scope: 'status', op: 'eq', expected: 200, actual: 503 })).toEqual(['503'])
  })
})

describe('a body', () => {
  const text = (content: string) => ({ content, contentType: null, encoding: null })

  test('is JSON only as an object or array of bounded size', () => {
    expect(readJson(' {"a":1}')).toEqual({ a: 1 })
    expect(readJson('[1]')).toEqual([1])
    for (const other of ['"a"', '12', '{', '', `[${'1,'.repeat(500_000)}1]`]) expect(readJson(other)).toBeUndefined()
  })

  test('is dumped in lines of 16 bytes', () => {
    const bytes = bodyBytes({ content: 'iVBORw0KGgoAAAANSUhEUg==', contentType: null, encoding: 'base64' })
    expect(hexText(bytes)).toBe('00000000  89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52  .PNG........IHDR')
    expect(hexText(bodyBytes(text('0123456789abcdefß')))).toBe(
      [
        '00000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef',
        '00000010  c3 9f                                            ..',
      ].join('\n'),
    )
  })

  test('is compared line by line, JSON with a line per value', () => {
    const before = text('{"a":1,"b":{"c":2},"d":3,"e":4,"f":5,"g":6}')
    expect(diffBodies(before, text('{"a":1,"b":{"c":9},"d":3,"e":4,"f":5,"g":6}'))).toEqual({
      kind: 'lines',
      leftOut: [],
      values: { changes: [{ path: '.b.c', before: '2', after: '9' }], leftOut: 0 },
      lines: [
        ...['{', '  "a": 1,', '  "b": {'].map((line) => ({ kind: 'same', text: line })),
        { kind: 'removed', text: '    "c": 2' },
        { kind: 'added', text: '    "c": 9' },
        ...['  },', '  "d": 3,', '  "e": 4,'].map((line) => ({ kind: 'same', text: line })),
      ],
    })
    expect(diffBodies(before, { ...before })).toEqual({ kind: 'same' })
  })

  test('that is deep has no lines for what is deeper, and says so', () => {
    const nested = (depth: number, inner: string) => text(`${'[1,'.repeat(depth)}${inner}${']'.repeat(depth)}`)
    const diff = diffBodies(nested(40_000, '"a"'), nested(40_000, '"b"'))
    expect(diff).toMatchObject({
      kind: 'lines',
      values: null,
      leftOut: [
        'Values more than 30 levels deep are not broken into lines.',
        'Long lines are cut to 1,000 characters.',
      ],
    })
    expect(JSON.stringify(diff).length).toBeLessThan(5_000)
    // The difference is in the part that is shown.
    const changed = diff.kind === 'lines' ? diff.lines.filter(({ kind }) => kind === 'removed' || kind === 'added') : []
    expect(changed.map(({ text }) => text.match(/"."/)?.[0])).toEqual(['"a"', '"b"'])
  })

  test('is indented as it is written, also if it is only the start of JSON', () => {
    const json = '{"a":[1.0,{}, [] ,"x,\\"[",{"b":null}],"c":{"d":true}}'
    expect(indentedJson(json).text.replaceAll('1.0', '1')).toBe(JSON.stringify(JSON.parse(json), null, 2))
    expect(indentedJson('{"a":[1,"x').text).toBe('{\n  "a": [\n    1,\n    "x')
  })

  test('is not compared if that would take too long', () => {
    const lines = (from: number) => text(Array.from({ length: 3_000 }, (_, index) => `${from + index}`).join('\n'))
    expect(diffBodies(text(`${'a'.repeat(200_000)}b`), text('a'.repeat(200_000)))).toEqual({
      kind: 'lines',
      lines: [],
      values: null,
      leftOut: ['Only the first 200,000 characters of each body are compared.', 'The compared parts are the same.'],
    })
    expect(diffBodies(lines(0), lines(10_000))).toEqual({ kind: 'too-different', values: null })
    expect(diffBodies(text('a'), { content: 'AA==', contentType: null, encoding: 'base64' })).toEqual({
      kind: 'binary',
    })
  })
})
