// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConditionAssertion } from '#server/language/lace/result.ts'
import { containsText } from '#server/language/lace/values/text-search.ts'
import { answerJson, answerText, run, startTarget } from './server.ts'

const body = {
  items: [1, 2, 3],
  name: 'Ada',
  nested: { deep: [{ id: 7 }] },
  zero: 0,
  no: false,
  nothing: null,
  text: '',
}

/** Evaluates conditions on a response with this body, and returns their assertions. */
async function evaluate(conditions: string[], options: Parameters<typeof run>[1] = {}, answer = answerJson(body)) {
  await using target = await startTarget(answer)
  const result = await run(`get("${target.url}").assert({ check: [${conditions.join(', ')}] })`, options)
  expect(result.error).toBeUndefined()
  expect(result.calls[0]!.error).toBeNull()
  return result.calls[0]!.assertions as ConditionAssertion[]
}

async function outcomes(table: [condition: string, outcome: string][], options: Parameters<typeof run>[1] = {}) {
  const assertions = await evaluate(
    table.map(([condition]) => condition),
    options,
  )
  expect(assertions.map((one, index) => [table[index]![0], one.outcome])).toEqual(table)
}

describe('comparisons', () => {
  test('equality compares by value and does not convert', () =>
    outcomes([
      ['1 eq 1.0', 'passed'],
      ['1 eq "1"', 'failed'],
      ['1 neq "1"', 'passed'],
      ['"a" eq "a"', 'passed'],
      ['null eq null', 'passed'],
      ['null eq false', 'failed'],
      ['this.body.nothing eq null', 'passed'],
      ['this.body.nowhere eq null', 'passed'],
      ['[1, { a: [null] }] eq [1, { a: [null] }]', 'passed'],
      ['{ a: 1, b: 2 } eq { b: 2, a: 1 }', 'passed'],
      ['{ a: 1 } eq { a: 1, b: 2 }', 'failed'],
      ['{ a: null } eq { b: null }', 'failed'],
      ['[1] eq { "0": 1 }', 'failed'],
      ['this.body.items eq [1, 2, 3]', 'passed'],
      ['[] neq [0]', 'passed'],
    ]))

  test('ordered comparisons', () =>
    outcomes([
      ['1 lt 2', 'passed'],
      ['2 lte 2', 'passed'],
      ['2 gt 2', 'failed'],
      ['3 gte 2', 'passed'],
      ['"a" lt "b"', 'passed'],
      ['"10" lt "9"', 'passed'],
      ['"10" lt 9', 'failed'],
      ['9 lt "10"', 'passed'],
      ['1 lt "x"', 'failed'],
      ['true lt 2', 'failed'],
      ['[1] lt [2]', 'failed'],
      ['null lt 1', 'indeterminate'],
      ['1 gte null', 'indeterminate'],
      ['$missing lte $missing', 'indeterminate'],
    ]))

  test('a numeric string next to a number counts as a number', () =>
    outcomes(
      [
        ['this.responseTime lt $sla', 'passed'],
        ['$count + 1 eq 42', 'passed'],
        ['$count eq 41', 'failed'],
        ['$name + 1 eq null', 'passed'],
      ],
      { variables: { sla: '60000', count: '41', name: 'x' } },
    ))
})

describe('arithmetic', () => {
  test('numbers', () =>
    outcomes([
      ['1 + 2 * 3 - 4 / 2 eq 5', 'passed'],
      ['7 / 2 eq 3.5', 'passed'],
      ['7 % 3 eq 1', 'passed'],
      ['-7 % 3 eq -1', 'passed'],
      ['7 % -3 eq 1', 'passed'],
      ['5.5 % 2 eq 1.5', 'passed'],
      ['-(2 - 5) eq 3', 'passed'],
      ['0 * -1 eq 0', 'passed'],
    ]))

  test('operands that are not numbers, and undefined results, are null', () =>
    outcomes([
      ['1 / 0 eq null', 'passed'],
      ['1 % 0 eq null', 'passed'],
      [`${'9'.repeat(300)} * ${'9'.repeat(300)} eq null`, 'passed'],
      ['null + 1 eq null', 'passed'],
      ['true + 1 eq null', 'passed'],
      ['[1] * 2 eq null', 'passed'],
      ['-"a" eq null', 'passed'],
      ['1 / 0 gt 5', 'indeterminate'],
      ['1 + null', 'indeterminate'],
    ]))

  test('plus concatenates two strings', () =>
    outcomes([
      ['"a" + "b" eq "ab"', 'passed'],
      ['"1" + "2" eq "12"', 'passed'],
    ]))
})

describe('logical operators', () => {
  test('combine true, false, null and indeterminate', () =>
    outcomes([
      ['true and true', 'passed'],
      ['true and false', 'failed'],
      ['false and null', 'failed'],
      ['null and false', 'failed'],
      ['null and true', 'failed'],
      ['true and null', 'failed'],
      ['(null lt 1) and true', 'indeterminate'],
      ['true and (1 + null)', 'indeterminate'],
      ['(null lt 1) and null', 'failed'],
      ['(null lt 1) and false', 'failed'],
      ['false or true', 'passed'],
      ['null or true', 'passed'],
      ['null or false', 'failed'],
      ['(null lt 1) or false', 'indeterminate'],
      ['(null lt 1) or null', 'failed'],
      ['false or false', 'failed'],
      ['not true', 'failed'],
      ['not false', 'passed'],
      ['not null', 'failed'],
      ['not (null lt 1)', 'indeterminate'],
      ['null', 'failed'],
      ['this.body.missing', 'failed'],
      ['not this.body.missing', 'failed'],
      ['($missing lt 5) or true', 'passed'],
    ]))

  test('accept only true as true', () =>
    outcomes([
      ['1', 'failed'],
      ['"ok"', 'failed'],
      ['[]', 'failed'],
      ['this.body.name and true', 'failed'],
      ['not 1', 'failed'],
    ]))

  test('do not evaluate the right operand when the left one decides', async () => {
    const assertions = await evaluate(['true or schema($missing) eq 1', 'false and schema($missing) eq 1'])
    expect(assertions.map((one) => [one.outcome, one.actualRhs])).toEqual([
      ['passed', null],
      ['failed', null],
    ])
  })
})

describe('the record of a condition', () => {
  test('has both operands, or only the value', async () => {
    const assertions = await evaluate(['this.body.items eq [1]', 'not (1 eq 2)', 'this.body.name', '1 eq 1 and 2 gt 3'])
    expect(assertions.map((one) => [one.actualLhs, one.actualRhs])).toEqual([
      [[1, 2, 3], [1]],
      [true, null],
      ['Ada', null],
      [true, false],
    ])
  })

  test('has the printed expression, with quotes only around keys that are not identifiers', async () => {
    const assertions = await evaluate([
      'this.body eq { a: 1, "b": { if: 2, "b-c": 3 } }',
      'json({a:1}) eq "{\\"a\\":1}"',
      '( (1+2) )*3 eq 9',
    ])
    expect(assertions.map((one) => one.expression)).toEqual([
      'this.body eq {a: 1, b: {if: 2, "b-c": 3}}',
      'json({a: 1}) eq "{\\"a\\":1}"',
      '(1 + 2) * 3 eq 9',
    ])
  })

  test('truncates a large value', async () => {
    const large = 'x'.repeat(100_000)
    const assertions = await evaluate(['this.body eq 1', '[this.body] eq 1'], {}, answerText(large))
    expect(assertions[0]!.actualLhs).toBe(`${large.slice(0, 8192)}…`)
    expect(assertions[1]!.actualLhs).toBe(`["${large.slice(0, 8190)}…`)
  })

  test('masks a secret that crosses the limit before it truncates', async () => {
    const secret = 'hush'.repeat(500)
    const answer = answerText(`${'x'.repeat(8000)}${secret}${'y'.repeat(100_000)}`)
    const maskPrefix = async (text: string, length: number) => {
      const at = text.indexOf(secret)
      return at + secret.length > length && at < length ? `${text.slice(0, at)}••••••` : text.slice(0, length)
    }
    const [assertion] = await evaluate(
      ['this.body eq 1'],
      { secrets: { maxLength: secret.length, maskPrefix } },
      answer,
    )
    expect(assertion!.actualLhs).toMatch(/^x{8000}••••••…$/)
  })
})

describe('count and includes', () => {
  test('count returns the length of an array, and 1 for other values', () =>
    outcomes([
      ['count(this.body.items) eq 3', 'passed'],
      ['count([]) eq 0', 'passed'],
      ['count(this.body) eq 1', 'passed'],
      ['count("abc") eq 1', 'passed'],
      ['count(null) eq 1', 'passed'],
      ['count(5) eq 1', 'passed'],
      ['count(this.body.nowhere) eq 1', 'passed'],
    ]))

  test('includes searches the string form of a value', () =>
    outcomes([
      ['includes("d", this.body.name)', 'passed'],
      ['includes("D", this.body.name)', 'failed'],
      ['includes("", this.body.name)', 'passed'],
      ['includes("a", null)', 'failed'],
      ['includes("", null)', 'passed'],
      ['includes(null, this.body.name)', 'failed'],
      ['includes(this.body.missing, "")', 'failed'],
      ['includes("[1,2,3]", this.body.items)', 'passed'],
      ['includes("\\"deep\\":[{\\"id\\":7}]", this.body)', 'passed'],
      ['includes(2, this.body.items)', 'passed'],
      ['includes("rue", true)', 'passed'],
      ['includes("20", this.status)', 'passed'],
      ['not includes("x", this.body.name)', 'passed'],
    ]))

  test('record their result, not their arguments', async () => {
    const assertions = await evaluate(['includes("d", this.body.name)', 'count(this.body.items) gt 3'])
    expect(assertions.map((one) => [one.expression, one.actualLhs, one.actualRhs])).toEqual([
      ['includes("d", this.body.name)', true, null],
      ['count(this.body.items) gt 3', 3, 3],
    ])
  })
})

describe('paths', () => {
  test('read own fields only', () =>
    outcomes(
      [
        ['this.body.nested.deep.length eq null', 'passed'],
        ['count(this.body.nested.deep) eq 1', 'passed'],
        ['$v.a[1].b eq "x"', 'passed'],
        ['$v.a[9].b eq null', 'passed'],
        ['$v.a.length eq null', 'passed'],
        ['$v.a.b eq null', 'passed'],
        ['this.body.constructor eq null', 'passed'],
        ['this.body.__proto__ eq null', 'passed'],
        ['this.body.items.map eq null', 'passed'],
        ['this.body.name.length eq null', 'passed'],
        ['this.toString eq null', 'passed'],
        ['$__proto__ eq null', 'passed'],
        ['$$constructor eq null', 'passed'],
        ['prev.__proto__.x eq null', 'passed'],
        ['prev.calls[0].constructor eq null', 'passed'],
        ['prev.calls[0].status eq 1', 'passed'],
        ['prev eq null', 'failed'],
      ],
      { variables: { v: { a: [0, { b: 'x' }] } }, prev: { calls: [{ status: 1 }] } },
    ))

  test('read own fields with names of inherited members', async () => {
    const answer = answerText('{"__proto__":{"x":1},"constructor":2}', { 'content-type': 'application/json' })
    const assertions = await evaluate(['this.body.__proto__.x eq 1', 'this.body.constructor eq 2'], {}, answer)
    expect(assertions.map((one) => one.outcome)).toEqual(['passed', 'passed'])
  })

  test('read every field of the response', () =>
    outcomes([
      ['this.status eq 200', 'passed'],
      ['this.statusText eq "OK"', 'passed'],
      ['this.headers.date neq null', 'passed'],
      ['this.responseTime gte 0', 'passed'],
      ['this.connect gte 0', 'passed'],
      ['this.ttfb gte 0', 'passed'],
      ['this.transfer gte 0', 'passed'],
      ['this.size gt 50', 'passed'],
      ['this.redirects eq []', 'passed'],
      ['this.dns.resolvedIp eq "127.0.0.1"', 'passed'],
      ['this.dns.resolvedIps eq ["127.0.0.1"]', 'passed'],
      ['this.dnsMs gte 0', 'passed'],
      ['this.tls eq null', 'passed'],
      ['this.tls.protocol eq null', 'passed'],
      ['this.tlsMs eq 0', 'passed'],
      ['this.nothing eq null', 'passed'],
    ]))
})

describe('interpolation', () => {
  test('replaces variables, null with a warning', async () => {
    await using target = await startTarget(answerText('ok'))
    const source = `get("${target.url}/$a", { headers: { X: "$b-\${$a}c", Y: $b, Z: $o } })
      .expect(body: "ok")
      .assert({ check: ["<$a$$r>" eq "<1null>", "\\$a" eq 1, "$o" eq { k: [1] }] })`
    const { calls } = await run(source, { variables: { a: 1, o: { k: [1] } } })
    expect(target.requests[0]).toMatchObject({ url: '/1', headers: { x: 'null-1c', y: 'null', z: '{"k":[1]}' } })
    expect(calls[0]!.warnings).toEqual([
      '$b is null and was written as "null"',
      'header Y is null and was written as "null"',
      '$$r is null and was written as "null"',
    ])
    expect(calls[0]!.assertions.map((one) => one.outcome)).toEqual(['passed', 'passed', 'passed', 'passed'])
  })

  test('treats scope and name as one variable', async () => {
    await using target = await startTarget(answerText('ok'))
    const source = `get("http://$s.host.1:${target.port}/\${$w.path}x", { headers: { A: "$s.n", B: "$o.none" } })
      .assert({ check: [$s.n eq 5, "$s.n" eq 5, "$s.n " eq "5 "] })
      .store({ "$s.seen": $s.n, $other: 1 })`
    const variables = { o: {}, w: { path: 'p' }, p: {}, s: { host: '127.0.0', n: 5 } }
    const result = await run(source, { scopes: ['o', 'w', 'p', 's'], variables })
    expect(target.requests[0]).toMatchObject({ url: '/px', headers: { a: '5', b: 'null' } })
    expect(result.calls[0]!.assertions.map((one) => one.outcome)).toEqual(['passed', 'passed', 'passed'])
    expect(result.actions).toEqual({ variables: { seen: 5, other: 1 } })
  })

  test('works in json and form', async () => {
    await using target = await startTarget(answerText('ok'))
    const source = `
      post("${target.url}", { body: json({ a: $n, "b c": ["$n", "x$n", null, 1.5], o: {} }) }).wait(0)
      post("${target.url}", { body: form({ a: "x y&z", l: [1, true], n: $n, o: { k: 1 }, u: "ä" }) }).wait(0)
      post("${target.url}", { body: "raw $n", headers: { "content-type": "text/x" } }).wait(0)
      post("${target.url}", { body: json({}), headers: { "Content-Type": "application/x+json" } }).wait(0)
      get("${target.url}").assert({ expect: [json({ a: [1] }) eq "{\\"a\\":[1]}", form({ a: "b c" }) eq "a=b+c"] })`
    const { outcome, calls } = await run(source, { variables: { n: 3 } })
    expect(calls.map((call) => call.error)).toEqual([null, null, null, null, null])
    expect(outcome).toBe('success')
    expect(target.requests.map(({ body: sent, headers }) => [sent, headers['content-type']])).toEqual([
      ['{"a":3,"b c":[3,"x3",null,1.5],"o":{}}', 'application/json'],
      ['a=x+y%26z&l=1&l=true&n=3&o=%7B%22k%22%3A1%7D&u=%C3%A4', 'application/x-www-form-urlencoded'],
      ['raw 3', 'text/x'],
      ['{}', 'application/x+json'],
      ['', undefined],
    ])
  })
})

describe('containsText', () => {
  test('takes linear time', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 })
    fc.assert(
      fc.property(few, few, few, fc.nat({ max: 40 }), (one, other, wanted, times) => {
        const text = `${one}${other.repeat(times)}`.repeat(600)
        const long = wanted.repeat(50)
        expect(containsText(text, long)).toBe(text.includes(long))
      }),
      { numRuns: 200 },
    )
    // The built-in search would take minutes.
    const before = process.cpuUsage()
    expect(containsText('a'.repeat(3_000_000), `${'a'.repeat(500_000)}b${'a'.repeat(500_000)}`)).toBe(false)
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
  })
})

describe('limits', () => {
  test('a large body is compared, counted and searched in a thread, and its record is truncated', async () => {
    const list = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `item ${id}` }))
    const source = [
      ...Array(25).fill('this.body eq this.body'),
      ...['this.body eq $list', 'count(this.body) eq 60000', 'includes("item 59999", this.body)', 'this.body neq []'],
    ]
    const assertions = await evaluate(source, { variables: { list } }, answerJson(list))
    expect(assertions.map((one) => one.outcome)).toEqual(source.map(() => 'passed'))
    const text = JSON.stringify(list)
    expect(assertions[0]).toMatchObject({ actualLhs: `${text.slice(0, 8192)}…`, actualRhs: `${text.slice(0, 8192)}…` })
    // All operands together take at most 256 KiB.
    expect(assertions.at(-1)).toMatchObject({ actualLhs: '…', actualRhs: [] })
  })

  test('a string has a maximum length', async () => {
    await using target = await startTarget(answerText('x'.repeat(500_000)))
    const source = `
      get("${target.url}").store({ "$$a": this.body })
      get("${target.url}", { headers: { A: "${'$$a'.repeat(100)}" } }).wait(0)
      get("${target.url}").wait(0)`
    const { outcome, calls } = await run(source)
    expect(outcome).toBe('failure')
    expect(calls.map((call) => [call.outcome, call.error])).toEqual([
      ['success', null],
      ['failure', 'the value of header A grows longer than 16384 characters'],
      ['skipped', null],
    ])
  })

  test('values that share parts are measured before they are serialized', async () => {
    await using target = await startTarget(answerJson(Array.from({ length: 50_000 }, () => 'abcdef')))
    const many = `[${'$$a, '.repeat(2000)}]`
    const source = `get("${target.url}").store({ "$$a": this.body })
      get("${target.url}", { body: json({ a: ${many} }) }).wait(0)`
    expect((await run(source)).calls[1]!.error).toBe('the body grows longer than 10485760 characters')
    const stored = await run(`get("${target.url}").store({ "$$a": this.body })
      get("${target.url}").store({ "$$b": ${many}, "$$c": 1 })`)
    expect(Object.keys(stored.runVars)).toEqual(['a', 'c'])
    expect(stored.calls[1]!.warnings).toEqual([expect.stringContaining('`$$b` was not stored')])
  })

  test('a run has a step budget', async () => {
    await using target = await startTarget(answerJson(Array.from({ length: 100_000 }, (_, i) => `value ${i}`)))
    const source = `get("${target.url}").assert({ check: [${'includes("nowhere", this.body), '.repeat(1900)}] })`
    const { outcome, calls } = await run(source)
    expect(outcome).toBe('timeout')
    expect(calls[0]).toMatchObject({
      outcome: 'timeout',
      error: 'the run exceeded its limit of computing time: its expressions are too expensive',
    })
  })
})
