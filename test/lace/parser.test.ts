// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { describe, expect, test } from 'vitest'
import type { Expr } from '#server/language/lace/ast.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import { printExpression } from '#server/language/lace/print/expression.ts'
import { validateScript } from '#server/language/lace/validator.ts'

function parse(source: string) {
  const { ast, errors } = parseScript(source)
  expect(errors).toEqual([])
  return ast!
}

/** Returns the condition of a script with one condition. */
function condition(text: string): Expr {
  return parse(`get("u").assert({ expect: [${text}] })`).calls[0]!.chain.assert!.expect![0]!.condition
}

/** Returns errors as code and position. */
function problems(source: string) {
  return parseScript(source).errors.map(({ code, line, column }) => `${code} ${line}:${column}`)
}

function detail(source: string): string {
  return parseScript(source).errors[0]!.detail
}

describe('calls', () => {
  test.each(['get', 'post', 'put', 'patch', 'delete'])('%s', (method) => {
    expect(parse(`${method}("u").wait(1)`).calls).toEqual([{ method, url: 'u', chain: { wait: 1 } }])
  })

  test('every field of the config', () => {
    const { config } = parse(`post("u", {
      headers: { Accept: "*/*", "X-Y": $x, body: 1 },
      body: form({ a: 1, "b c": [true, null], }),
      cookies: { sid: "1" },
      cookieJar: "named:a",
      clearCookies: ["x", "y",],
      redirects: { follow: true, max: 3, unit: 1 },
      security: { rejectInvalidCerts: false },
      timeout: { ms: 10, action: "retry", retries: 2, note: template("x"), },
      mine: { a: [1] },
    }).wait(0)`).calls[0]!
    expect(config).toMatchObject({
      body: { type: 'form' },
      cookieJar: 'named:a',
      clearCookies: ['x', 'y'],
      redirects: { follow: true, max: 3, extensions: { unit: { kind: 'literal', value: 1 } } },
      security: { rejectInvalidCerts: false },
      timeout: { ms: 10, action: 'retry', retries: 2, extensions: { note: { kind: 'funcCall', name: 'template' } } },
      extensions: { mine: { kind: 'objectLit' } },
    })
    expect(Object.keys(config!.headers!)).toEqual(['Accept', 'X-Y', 'body'])
    expect(parse('put("u", { body: "a $b" }).wait(0)').calls[0]!.config!.body).toEqual({ type: 'raw', value: 'a $b' })
  })

  test('names of prototype members are ordinary names', () => {
    const { config, chain } = parse(
      'get("u", { headers: { __proto__: "1", constructor: "2" } }).store({ __proto__: 3 })',
    ).calls[0]!
    expect(Object.keys(config!.headers!)).toEqual(['__proto__', 'constructor'])
    expect(Object.keys(chain.store!)).toEqual(['__proto__'])
    expect(JSON.stringify(chain.store)).toContain('"__proto__":{"scope":"writeback"')
  })
})

describe('expect scopes', () => {
  test('have three forms', () => {
    expect(
      parse(
        'get("u").expect(status: 200, ttfb: { value: 5, op: "lte" }, dns: { options: { a: 1, if: { "b": [] } }, value: 1 },)',
      ).calls[0]!.chain.expect,
    ).toMatchObject({
      status: { value: { value: 200 } },
      ttfb: { value: { value: 5 }, op: 'lte' },
      dns: { value: { value: 1 }, options: { a: { value: 1 }, if: { kind: 'objectLit' } } },
    })
  })

  test('braces after headers are the value, unless a field of the long form comes first', () => {
    const { expect: scopes, check } = parse(
      'get("u").expect(headers: { "content-type": "x", vary: "y" }).check(headers: { value: { a: "b" } })',
    ).calls[0]!.chain
    expect(scopes!.headers!.value.kind).toBe('objectLit')
    expect(check!.headers!.value).toMatchObject({ entries: [{ key: 'a' }] })
  })

  test('match and mode accept their own words only', () => {
    expect(
      parse('get("u").expect(redirects: { value: "/a", match: "last" }, body: { value: schema($s), mode: "loose" })')
        .calls[0]!.chain.expect,
    ).toMatchObject({
      redirects: { match: 'last' },
      body: { mode: 'loose' },
    })
    // The validator checks the words.
    expect(problems('get("u").expect(body: { value: "x", mode: "exact" })')).toEqual([])
    const wrong = 'get("u").expect(redirects: { value: "/a", match: "lst" }, body: { value: "x", mode: "exact" })'
    expect(validateScript(wrong).errors).toMatchObject([
      { code: 'PARSE_ERROR', field: 'redirects.match', detail: expect.stringContaining('did you mean `last`') },
      { code: 'PARSE_ERROR', field: 'body.mode' },
    ])
  })

  test.each([
    ['get("u").expect(dnsMs: 1)', 'did you mean `dns`'],
    ['get("u").expect(statsu: 1)', 'did you mean `status`'],
    ['get("u").expect(status: { val: 200 })', 'did you mean `value`'],
    ['get("u").expect(status: { op: "eq" })', 'has no `value`'],
    ['get("u").expect(status: 1, status: 2)', 'given twice'],
    ['get("u").expect(status: { value: 1, value: 2 })', 'given twice'],
  ])('%s', (source, hint) => {
    expect(detail(source)).toContain(hint)
  })
})

describe('expressions', () => {
  test.each([
    ['1 - 2 - 3', '1 - 2 - 3'],
    ['1 - (2 - 3)', '1 - (2 - 3)'],
    ['(1 + 2) * 3 % 4', '(1 + 2) * 3 % 4'],
    ['$a or $b and $c', '$a or $b and $c'],
    ['($a or $b) and $c', '($a or $b) and $c'],
    ['not ($a eq 1)', 'not ($a eq 1)'],
    ['not not $a', 'not not $a'],
    ['-(-1)', '--1'],
    ['1 lt 2 eq true', '1 lt 2 eq true'],
    ['($a eq 1) eq false', '$a eq 1 eq false'],
    ['$a.b[0].if[12]', '$a.b[0].if[12]'],
    ['$$a.status', '$$a.status'],
    ['prev[0].calls', 'prev[0].calls'],
    ['this.body.get.null', 'this.body.get.null'],
    ['count([1, 2,],)', 'count([1, 2])'],
    ['{ a: 1, "b c": { if: [] } } eq {}', '{a: 1, "b c": {if: []}} eq {}'],
    ['1.50 eq 2.0', '1.5 eq 2.0'],
    ['"a\\"\\\\\\n\\t\\r\\$" eq null', '"a\\"\\\\\\n\\t\\r$" eq null'],
    ['0.0000001 lt 100000000000000000000000', '0.0000001 lt 100000000000000000000000'],
  ])('%s', (source, shown) => {
    expect(printExpression(condition(source))).toBe(shown)
  })

  test('a string that consists of one variable is the variable', () => {
    expect(condition('"$a"')).toEqual({ kind: 'scriptVar', name: 'a' })
    expect(condition('"$$a"')).toEqual({ kind: 'runVar', name: 'a' })
    for (const text of ['${$a}', '$a.b', '$a ', ' $a', '$', '$1']) {
      expect(condition(`"${text}"`)).toEqual({ kind: 'literal', valueType: 'string', value: text })
    }
  })

  test('a condition has a long form', () => {
    const source =
      'get("u").assert({ check: [{ condition: 1 eq 1, options: {} }, { "condition": 1 }, {}], expect: [true] })'
    const { check, expect: hard } = parse(source).calls[0]!.chain.assert!
    expect(check!.map((one) => [one.condition.kind, one.options])).toEqual([
      ['binary', {}],
      ['objectLit', undefined],
      ['objectLit', undefined],
    ])
    expect(hard).toHaveLength(1)
  })

  test.each([
    ['a eq b eq c', '`a` is not a value; a variable is written `$a`'],
    ['$a eq $b neq $c', 'comparisons do not chain'],
    ['$a lt $b lte $c', 'comparisons do not chain'],
    ['this', 'a field of the response'],
    ['this.items[0]', '`this` has fields only'],
    ['1 +', 'expected a value, found `]`'],
    ['get("x")', 'expected a value, found `get`'],
    ['and(1)', 'expected a value, found `and`'],
    ['$a[x]', 'an index'],
    ['(1', 'after the expression in parentheses'],
    ['tru', 'did you mean `true`'],
    ['1 2', 'a comma is missing before `2`'],
  ])('%s is not an expression', (source, reason) => {
    const script = `get("u").assert({ expect: [${source}] })`
    expect(detail(script)).toContain(reason)
    expect(problems(script)).toEqual([expect.stringMatching(/^PARSE_ERROR 1:/)])
    // The validator has a separate code for conditions that do not parse.
    expect(validateScript(script).errors.map(({ code, chainMethod }) => [code, chainMethod])).toEqual([
      ['EXPRESSION_SYNTAX', 'assert'],
    ])
  })

  test('numbers out of range are rejected', () => {
    expect(detail(`get("u").expect(size: ${'9'.repeat(400)})`)).toBe('the number is too large')
  })
})

describe('common omissions', () => {
  test.each([
    ['get("u" { body: "x" }).wait(0)', 'a comma is missing between the URL and the config', '1:9'],
    ['get("u", { headers: { a: "b" c: "d" } }).wait(0)', 'a comma is missing before `c`', '1:30'],
    ['get("u").expect(status: 200 body: "x")', 'a comma is missing before `body`', '1:29'],
    ['get("u").assert({ expect: [true] check: [true] })', 'a comma is missing before `check`', '1:34'],
    ['get("u", { headers: { Content-Type: "a" } }).wait(0)', 'in double quotes: `"Content-Type"`', '1:23'],
    ['get("u", { headers: { X-Api-Key: "a" } }).wait(0)', 'in double quotes: `"X-Api-Key"`', '1:23'],
    ['get("http://a).expect(status: 200)\nget("http://b").wait(0)', 'the string is not closed', '1:5'],
    ['get("http://a").wait(0)\nget("http://b).wait(0)', 'the string is not closed', '2:5'],
    ['post("u", { body: "a\nb" }).wait(0)\nget("u", { body: "c).wait(0)\nget("d").wait(0)', 'not closed', '3:18'],
  ])('%s', (source, reason, place) => {
    expect(detail(source)).toContain(reason)
    expect(problems(source)[0]).toBe(`PARSE_ERROR ${place}`)
  })

  test('strings may span lines', () => {
    expect(problems('post("u", { body: "a\nb" }).assert({ expect: ["c\nd" eq "e\nf"] })')).toEqual([])
  })
})

describe('the store', () => {
  test('keys keep their dollar signs', () => {
    const { store } = parse('get("u").store({ $$a: 1, $b: 2, status: 3, "$$c": 4, "d e": 5 })').calls[0]!.chain
    expect(Object.entries(store!).map(([key, { scope }]) => [key, scope])).toEqual([
      ['$$a', 'run'],
      ['$b', 'writeback'],
      ['status', 'writeback'],
      ['$$c', 'run'],
      ['d e', 'writeback'],
    ])
  })

  test.each(['""', '"$"', '"$$"', '1'])('%s is not a key', (key) => {
    expect(problems(`get("u").store({ ${key}: 1 })`)).toHaveLength(1)
  })
})

describe('tokens', () => {
  test('a lexer error is a syntax error, and the only one reported', () => {
    for (const source of ['get("u").expect(status: 200) @', 'get("u").assert({ expect: [this.status == 200] })']) {
      expect(validateScript(source).errors.map((error) => error.code)).toEqual(['PARSE_ERROR'])
      expect(problems(source)).toHaveLength(1)
    }
  })

  test.each([
    ['==', 'comparisons are written `eq`'],
    ['!=', 'comparisons are written `neq`'],
    ['>=', 'comparisons are written `gte`'],
    ['&&', 'write `and`'],
    ['||', 'write `or`'],
    [';', 'calls need no separator'],
    ["'", 'double quotes'],
    ['#', 'comments begin with `//`'],
    ['\u00A0', 'U+00A0'],
  ])('%s', (sign, hint) => {
    expect(detail(`get("u") ${sign} .wait(1)`)).toContain(hint)
  })

  test.each([
    ['get("a\\q").wait(1)', 'PARSE_ERROR 1:7'],
    ['get("a', 'PARSE_ERROR 1:5'],
    ['get("a\\', 'PARSE_ERROR 1:5'],
    ['get("u").expect(status: $)', 'PARSE_ERROR 1:25'],
    ['get("u").expect(status: $$1)', 'PARSE_ERROR 1:25'],
    ['get("\0")', 'PARSE_ERROR 1:6'],
    ['// \0', 'PARSE_ERROR 1:4'],
    ['get("u")\n// \uD800', 'PARSE_ERROR 2:4'],
  ])('%j', (source, problem) => {
    expect(problems(source)[0]).toBe(problem)
  })

  test('comments, white space, a byte order mark and strings over several lines are accepted', () => {
    const source = '\uFEFF// one\r\n\tget // two\n("a\nb") // three\n.wait(1) // four'
    expect(parse(source).calls[0]!.url).toBe('a\nb')
  })
})

describe('recovery', () => {
  test('continues at the next chain method and at the next call', () => {
    const source = [
      'get("a", { headers: 1 }).expect(status: 200)',
      'head("b").expect(status: 200)',
      'get("c").expect(status: ).check(ttfb: oops).wait(1)',
      'get("d").wait(1)',
      'post("e" put("f").wait(1)',
    ].join('\n')
    expect(problems(source)).toEqual([
      'PARSE_ERROR 1:21',
      'PARSE_ERROR 2:1',
      'PARSE_ERROR 3:25',
      'PARSE_ERROR 3:39',
      'PARSE_ERROR 5:10',
    ])
    expect(parseScript(source).errors.map((error) => error.callIndex)).toEqual([0, 1, 2, 2, 4])
  })

  test('reports at most a hundred errors', () => {
    expect(parseScript('get("u").expect(status: )\n'.repeat(500)).errors).toHaveLength(100)
  })

  test.each([
    ['', 'the script has no calls'],
    ['// nothing', 'the script has no calls'],
    ['get("u")', 'no chain method'],
    ['get("").wait(1)', 'the URL is empty'],
    ['get("u", {}).wait(1)', 'is empty'],
    ['get("u",).wait(1)', 'to begin the config'],
    ['get($u).wait(1)', 'the URL, in double quotes'],
    ['get("u", { timeout: { follow: true } }).wait(1)', '`follow` is not a field of the timeout'],
    ['get("u", { status: 1 }).wait(1)', '`status` is not a field of the config'],
    ['get("u", { body: $x }).wait(1)', 'a body: `json({…})`'],
    ['get("u", { clearCookies: [] }).wait(1)', 'the array is empty'],
    ['get("u", { headers: { a: 1, a: 2 } }).wait(1)', 'given twice'],
    ['get("u", { redirects: { max: 1.5 } }).wait(1)', 'an integer'],
    ['get("u", { redirects: { max: -1 } }).wait(1)', 'an integer'],
    ['get("u").expect({ status: 200 })', 'a scope, such as `status`'],
    ['get("u").store({ a: 1, a: 2 })', 'stored twice'],
    ['get("u").wait("1")', 'takes an integer number of milliseconds'],
    ['get("u").wait(-1)', 'takes an integer number of milliseconds'],
    ['get("u").wait(1.5)', 'takes an integer number of milliseconds'],
  ])('%s', (source, reason) => {
    expect(detail(source)).toContain(reason)
    expect(parseScript(source).ast).toBeNull()
  })
})

describe('depth', () => {
  const inCondition = (text: string) => `get("u").assert({ expect: [${text}] })`

  test.each([
    ['parentheses', (n: number) => `${'('.repeat(n)}1${')'.repeat(n)}`],
    ['lists', (n: number) => `${'['.repeat(n)}1${']'.repeat(n)}`],
    ['objects', (n: number) => `${'{ a: '.repeat(n)}1${' }'.repeat(n)}`],
    ['calls', (n: number) => `${'count('.repeat(n)}1${')'.repeat(n)}`],
    ['negations', (n: number) => `${'not '.repeat(n)}true`],
  ])('%s can nest a hundred levels, and no more', (_, nest) => {
    expect(parseScript(inCondition(nest(100))).errors).toEqual([])
    const [error, ...more] = validateScript(inCondition(nest(101))).errors
    expect(error).toMatchObject({ code: 'PARSE_ERROR', detail: 'expressions nest deeper than 100 levels' })
    expect(more).toEqual([])
    expect(validateScript(inCondition(nest(10_000))).errors).toHaveLength(1)
  })

  test('an expression can chain nearly a thousand operators', () => {
    expect(parseScript(inCondition(`1${' + 1'.repeat(990)} eq 1`)).errors).toEqual([])
    expect(detail(inCondition(`1${' + 1'.repeat(9_000)}`))).toBe('the expression is too long')
  })
})
