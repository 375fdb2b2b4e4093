// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { describe, expect, test } from 'vitest'
import { parseScript } from '#server/language/lace/parser.ts'
import { type ValidateOptions, validateScript, validateTree } from '#server/language/lace/validator.ts'

/** Returns errors as `CODE call.method field`. */
function errors(source: string, options: ValidateOptions = {}): string[] {
  return validateScript(source, options).errors.map(summarize)
}

function warnings(source: string, options: ValidateOptions = {}): string[] {
  return validateScript(source, options).warnings.map(summarize)
}

function summarize({
  code,
  callIndex,
  chainMethod,
  field,
}: ReturnType<typeof validateScript>['errors'][number]): string {
  return [code, [callIndex, chainMethod].filter((part) => part != null).join('.'), field].filter((one) => one).join(' ')
}

function detail(source: string, options: ValidateOptions = {}): string {
  return validateScript(source, options).errors[0]!.detail
}

const call = (config: string) => `get("u", { ${config} }).wait(1)`
const condition = (text: string) => `get("u").assert({ expect: [${text}] })`

describe('structure', () => {
  test('a script needs a call', () => {
    expect(errors('')).toEqual(['AT_LEAST_ONE_CALL'])
    expect(errors(' // nothing')).toEqual(['AT_LEAST_ONE_CALL'])
  })

  test('a call needs a chain', () => {
    expect(errors('get("u")\nget("v").wait(1)')).toEqual(['EMPTY_CHAIN 0'])
  })

  test('chain methods have an order', () => {
    expect(
      errors('get("u").expect(status: 1).check(status: 1).assert({ check: [true] }).store({ a: 1 }).wait(1)'),
    ).toEqual([])
    expect(errors('get("u").store({ a: 1 }).expect(status: 1)')).toEqual(['CHAIN_ORDER 0.expect'])
    expect(errors('get("u").wait(1).store({ a: 1 }).check(status: 1)')).toEqual([
      'CHAIN_ORDER 0.store',
      'CHAIN_ORDER 0.check',
    ])
  })

  test('a chain method is allowed once, and a second one is still checked', () => {
    expect(errors('get("u").wait(1).wait(2)')).toEqual(['CHAIN_DUPLICATE 0.wait'])
    expect(errors('get("u").expect(status: 1).expect(status: $b, bodySize: "x")', { variables: ['a'] })).toEqual([
      'CHAIN_DUPLICATE 0.expect',
      'VARIABLE_UNKNOWN 0.expect b',
      'MAX_BODY_FORMAT 0.expect bodySize',
    ])
  })

  test('a chain method must not be empty', () => {
    expect(errors('get("u").expect().check()')).toEqual(['EMPTY_SCOPE_BLOCK 0.expect', 'EMPTY_SCOPE_BLOCK 0.check'])
    expect(errors('get("u").assert({})')).toEqual(['EMPTY_ASSERT_BLOCK 0.assert'])
    expect(errors('get("u").assert({ expect: [], check: [] })')).toEqual(['EMPTY_ASSERT_BLOCK 0.assert'])
    expect(errors('get("u").assert({ expect: [], check: [true] })')).toEqual([])
    expect(errors('get("u").store({})')).toEqual(['EMPTY_STORE_BLOCK 0.store'])
    // The braces belong to the grammar.
    expect(errors('get("u").assert()')).toEqual(['PARSE_ERROR 0.assert'])
    expect(errors('get("u").store()')).toEqual(['PARSE_ERROR 0.store'])
  })

  test('a wait is an integer', () => {
    expect(errors('get("u").wait(1 + 1)')).toEqual(['EXPRESSION_SYNTAX 0.wait'])
    expect(errors('get("u").wait()')).toEqual(['EXPRESSION_SYNTAX 0.wait'])
    // Other errors are reported too.
    expect(errors('get("$x").wait("2")', { variables: [] })).toEqual([
      'VARIABLE_UNKNOWN 0 x',
      'EXPRESSION_SYNTAX 0.wait',
    ])
  })

  test('errors have line and column', () => {
    const { errors: found } = validateScript('get("u")\n\n.expect(\n  status: { value: 1, op: "is" }\n)')
    expect(found).toMatchObject([{ code: 'OP_VALUE_INVALID', line: 4, column: 3 }])
  })
})

describe('variables', () => {
  test('an unknown name is reported once per place', () => {
    const source = `get("$a/$b", { headers: { h: "$b \${$c}" }, body: "$d" }).expect(body: $e, status: $e)\nget("$b").wait(1)`
    expect(errors(source, { variables: ['a'] })).toEqual([
      'VARIABLE_UNKNOWN 0 b',
      'VARIABLE_UNKNOWN 0 c',
      'VARIABLE_UNKNOWN 0 d',
      'VARIABLE_UNKNOWN 0.expect e',
      'VARIABLE_UNKNOWN 1 b',
    ])
    expect(errors(source, { variables: null })).toEqual([])
    expect(errors(source)).toEqual([])
  })

  test('a similar name is suggested', () => {
    expect(detail(condition('$tokn eq 1'), { variables: ['token'] })).toBe(
      'variable `$tokn` does not exist; did you mean `$token`?',
    )
    expect(detail(condition('$x eq 1'), { variables: ['token'] })).toBe('variable `$x` does not exist')
  })

  test('run variables need no registration, and can be assigned once', () => {
    expect(errors('get("$$a").store({ "$$b": $$c })', { variables: [] })).toEqual([])
    expect(errors('get("u").store({ "$$a": 1 })\nget("u").store({ $$a: 2 })')).toEqual(['RUN_VAR_REASSIGNED 1.store a'])
    expect(errors('get("u").store({ "$$a": 1, $$a: 2 })')).toEqual(['RUN_VAR_REASSIGNED 0.store a'])
    expect(errors('get("u").store({ a: 1 })\nget("u").store({ a: 2 })')).toEqual([])
  })

  test('the variable of a schema must be registered', () => {
    expect(errors('get("u").expect(body: schema($s))', { variables: ['s'] })).toEqual([])
    expect(errors('get("u").expect(body: schema($s))', { variables: [] })).toEqual([
      'SCHEMA_VAR_UNKNOWN 0.expect s',
      'VARIABLE_UNKNOWN 0.expect s',
    ])
  })
})

describe('variable scopes', () => {
  const scopes = ['o', 'w', 'p', 's']
  const registry = { o: [], w: ['team'], p: [], s: new Set(['base', 'token']) }

  test('without a registry every scoped name is accepted', () => {
    expect(errors('get("$s.base/$w.x").expect(status: $p.y)', { scopes })).toEqual([])
  })

  test('an unscoped name is unknown, and so is a scope without a name', () => {
    expect(errors('get("$base").expect(body: $s)', { scopes })).toEqual([
      'VARIABLE_UNKNOWN 0 base',
      'VARIABLE_UNKNOWN 0.expect s',
    ])
    expect(errors('get("$s").expect(body: $s[0], status: $base.s)', { scopes })).toEqual([
      'VARIABLE_UNKNOWN 0 s',
      'VARIABLE_UNKNOWN 0.expect s',
      'VARIABLE_UNKNOWN 0.expect base',
    ])
    expect(detail('get("$base").wait(1)', { scopes })).toContain('`$o.`, `$w.`, `$p.`, `$s.`')
  })

  test('with a registry each scope has its own names', () => {
    const source = 'get("$s.base.example/${$s.tokn}").expect(body: $w.base, status: $w.team.lead)'
    expect(errors(source, { scopes, variables: registry })).toEqual([
      'VARIABLE_UNKNOWN 0 s.tokn',
      'VARIABLE_UNKNOWN 0.expect w.base',
    ])
    expect(detail(source, { scopes, variables: registry })).toContain('did you mean `$s.token`')
    expect(errors('get("$s.constructor").wait(1)', { scopes, variables: registry })).toHaveLength(1)
  })

  test('a variable that the script writes back exists', () => {
    for (const key of ['count', '$count', '"$count"', '"$s.count"', '$s.count']) {
      const source = `get("u").assert({ check: [$s.count lt 5] }).store({ ${key}: 1 })`
      expect(errors(source, { scopes, variables: registry })).toEqual([])
    }
  })

  test('only the innermost scope is writable', () => {
    expect(errors('get("u").store({ "$w.team": 1 })', { scopes, variables: registry })).toEqual([
      'VARIABLE_UNKNOWN 0.store w.team',
    ])
  })

  test('the language itself has no scopes', () => {
    expect(errors('get("$s.base").expect(body: $s.other)', { variables: ['s'] })).toEqual([])
    expect(errors('get("$base").wait(1)', { variables: ['base'] })).toEqual([])
  })
})

describe('this and prev', () => {
  test('this is allowed in chain methods only', () => {
    expect(errors(call('headers: { a: this.body }, cookies: { b: this.size }, mine: [this.ttfb]'))).toEqual([
      'THIS_OUT_OF_SCOPE 0 headers.a',
      'THIS_OUT_OF_SCOPE 0 cookies.b',
      'THIS_OUT_OF_SCOPE 0 mine',
    ])
    expect(errors(call('body: json({ a: { b: [not this.body] } })'))).toEqual(['THIS_OUT_OF_SCOPE 0 body'])
    expect(errors('get("u").expect(status: this.size).store({ a: this.body })')).toEqual([])
  })

  test('prev without a previous result is a warning', () => {
    const source = `get("u", { headers: { a: prev.b } }).expect(status: prev.calls[0].x).assert({ check: [prev eq null, prev.c] })`
    expect(warnings(source)).toEqual([
      'PREV_WITHOUT_RESULTS 0 prev',
      'PREV_WITHOUT_RESULTS 0.expect prev',
      'PREV_WITHOUT_RESULTS 0.assert prev',
    ])
    expect(warnings(source, { hasPrev: true })).toEqual([])
    expect(errors(source)).toEqual([])
  })
})

describe('functions', () => {
  test('must be known', () => {
    expect(errors(condition('random() gt 5'))).toEqual(['UNKNOWN_FUNCTION 0.assert random'])
    expect(detail(condition('cont([1]) eq 1'))).toContain('did you mean `count`')
    expect(errors(call('headers: { a: jsn({}) }'))).toEqual(['UNKNOWN_FUNCTION 0 jsn'])
  })

  test('count and includes are allowed in conditions only', () => {
    expect(errors(condition('count(this.body) eq 1 and not includes("a", this.body)'))).toEqual([])
    for (const source of [
      'get("u").expect(status: count([1]))',
      'get("u").store({ a: includes("a", "b") })',
      'get("u", { headers: { a: count([]) } }).wait(1)',
    ]) {
      expect(errors(source)).toEqual([expect.stringMatching(/^UNKNOWN_FUNCTION 0/)])
      expect(detail(source)).toContain('allowed only in the conditions of `.assert()`')
    }
  })

  test.each([
    ['count() eq 1', 'count'],
    ['count([], []) eq 1', 'count'],
    ['includes("a")', 'includes'],
    ['includes("a", "b", "c")', 'includes'],
    ['json() eq ""', 'json'],
    ['json("a") eq ""', 'json'],
    ['form($a) eq ""', 'form'],
    ['json([]) eq ""', 'json'],
    ['schema("a") eq 1', 'schema'],
    ['schema($$a) eq 1', 'schema'],
    ['schema($a, $a) eq 1', 'schema'],
  ])('%s', (text, name) => {
    expect(errors(condition(text))).toEqual([`FUNC_ARG_TYPE 0.assert ${name}`])
  })

  test('options and fields of extensions can call unknown functions', () => {
    expect(
      errors(
        'get("u", { mine: tpl("a"), timeout: { note: tpl("b") } }).expect(status: { value: 1, options: { a: { "b": tpl("c") } } })',
      ),
    ).toEqual([])
    expect(errors('get("u").assert({ check: [{ condition: tpl("x"), options: { a: tpl("c") } }] })')).toEqual([
      'UNKNOWN_FUNCTION 0.assert tpl',
    ])
  })
})

describe('config', () => {
  test('redirects.max', () => {
    expect(errors(call('redirects: { max: 10 }'))).toEqual([])
    expect(errors(call('redirects: { max: 11 }'))).toEqual(['REDIRECTS_MAX_LIMIT 0 redirects.max'])
    expect(errors(call('redirects: { max: 4 }'), { maxRedirects: 3 })).toEqual(['REDIRECTS_MAX_LIMIT 0 redirects.max'])
  })

  test('timeout.ms', () => {
    expect(errors(call('timeout: { ms: 300000 }'))).toEqual([])
    for (const ms of [0, 300_001])
      expect(errors(call(`timeout: { ms: ${ms} }`))).toEqual(['TIMEOUT_MS_LIMIT 0 timeout.ms'])
    expect(errors(call('timeout: { ms: 61 }'), { maxTimeoutMs: 60 })).toEqual(['TIMEOUT_MS_LIMIT 0 timeout.ms'])
  })

  test('timeout.action and timeout.retries', () => {
    expect(errors(call('timeout: { action: "retry", retries: 0 }'))).toEqual([])
    expect(errors(call('timeout: { retries: 1 }'))).toEqual(['TIMEOUT_RETRIES_REQUIRES_RETRY 0 timeout.retries'])
    expect(errors(call('timeout: { action: "warn", retries: 1 }'))).toEqual([
      'TIMEOUT_RETRIES_REQUIRES_RETRY 0 timeout.retries',
    ])
    expect(errors(call('timeout: { action: "rety", retries: 1 }'))).toEqual(['TIMEOUT_ACTION_INVALID 0 timeout.action'])
    expect(detail(call('timeout: { action: "rety" }'))).toContain('did you mean `retry`')
  })

  test.each([
    ...['inherit', 'fresh', 'selective_clear', 'named:a1', 'named:a_1-b', 'Api2:selective_clear'],
    ...['a-b:selective_clear', 'default:selective_clear', 'named:selective_clear'],
  ])('jar %s', (jar) => {
    expect(errors(call(`cookieJar: "${jar}"`))).toEqual([])
  })

  test.each(['', 'garbage', 'named', 'named:a b', 'named:ä', ':selective_clear', 'a:b', 'Fresh', 'selective_clear:a'])(
    'jar %j',
    (jar) => {
      expect(errors(call(`cookieJar: "${jar}"`))).toEqual(['COOKIE_JAR_FORMAT 0 cookieJar'])
    },
  )

  test('a named jar needs a name', () => {
    expect(errors(call('cookieJar: "named:"'))).toEqual(['COOKIE_JAR_NAMED_EMPTY 0 cookieJar'])
  })

  test('clearCookies needs a jar that clears', () => {
    expect(errors(call('clearCookies: ["a"], cookieJar: "selective_clear"'))).toEqual([])
    expect(errors(call('clearCookies: ["a"], cookieJar: "b:selective_clear"'))).toEqual([])
    for (const config of [
      'clearCookies: ["a"]',
      'clearCookies: ["a"], cookieJar: "fresh"',
      // This is a jar named `selective_clear`.
      'clearCookies: ["a"], cookieJar: "named:selective_clear"',
    ]) {
      expect(errors(call(config))).toEqual(['CLEAR_COOKIES_WRONG_JAR 0 clearCookies'])
    }
  })

  test('unknown fields are a warning', () => {
    expect(
      warnings(call('hedaers: { a: 1 }, timeout: { ms: 1, note: 1 }, redirects: { a: 1 }, security: { b: 1 }')),
    ).toEqual([
      'EXT_FIELD_INACTIVE 0 hedaers',
      'EXT_FIELD_INACTIVE 0 timeout.note',
      'EXT_FIELD_INACTIVE 0 redirects.a',
      'EXT_FIELD_INACTIVE 0 security.b',
    ])
    expect(validateScript(call('hedaers: 1')).warnings[0]!.detail).toContain('did you mean `headers`')
    expect(warnings(call('redirects: { max: 1, resendBody: true }'))).toEqual([])
    expect(warnings('get("u").expect(status: { value: 1, options: { any: 1 } })')).toEqual([])
  })

  test('a misspelt field of an expect scope is a warning if the scope accepts objects', () => {
    expect(warnings('get("u").expect(body: { val: "OK" })')).toEqual(['EXT_FIELD_INACTIVE 0.expect body.val'])
    expect(warnings('get("u").check(headers: { valu: "x" })')).toEqual(['EXT_FIELD_INACTIVE 0.check headers.valu'])
    expect(validateScript('get("u").expect(body: { val: 1 })').warnings[0]!.detail).toContain('did you mean `value`')
    expect(warnings('get("u").expect(headers: { "content-type": "a", Location: "b" }, body: { id: 1 })')).toEqual([])
  })

  test('braces without the dollar sign of a variable are a warning', () => {
    expect(warnings('get("${s.base}/x", { body: "a ${b}" }).expect(body: "${$$c} ${d.e[0]}")')).toEqual([
      'TEXT_NOT_INTERPOLATED 0 s.base',
      'TEXT_NOT_INTERPOLATED 0 b',
      'TEXT_NOT_INTERPOLATED 0.expect d.e[0]',
    ])
    expect(validateScript('get("${s.base}").wait(0)').warnings[0]!.detail).toContain('written `${$s.base}`')
    expect(warnings('get("u?q={a}$b").expect(body: "$ {c}")')).toEqual([])
  })
})

describe('chain methods', () => {
  test('have valid operators', () => {
    for (const op of ['lt', 'lte', 'eq', 'neq', 'gte', 'gt']) {
      expect(errors(`get("u").check(ttfb: { value: 1, op: "${op}" })`)).toEqual([])
    }
    expect(errors('get("u").check(ttfb: { value: 1, op: "<" })')).toEqual(['OP_VALUE_INVALID 0.check ttfb'])
    expect(detail('get("u").check(ttfb: { value: 1, op: "ltee" })')).toContain('did you mean `lt')
  })

  test('have valid sizes', () => {
    for (const size of ['"0"', '"50k"', '"50KB"', '"1m"', '"2mb"', '"1G"', '"1gb"', '50', '$x', '"${$x}kb"']) {
      expect(errors(`get("u").expect(bodySize: ${size})`)).toEqual([])
    }
    for (const size of ['""', '"k"', '"1.5k"', '"10 kb"', '"10kib"', '"-1"', '1.5', 'true', 'null']) {
      expect(errors(`get("u").expect(bodySize: ${size})`)).toEqual(['MAX_BODY_FORMAT 0.expect bodySize'])
    }
  })

  test('more than ten calls are a warning', () => {
    expect(warnings('get("u").wait(1)\n'.repeat(10))).toEqual([])
    expect(warnings('get("u").wait(1)\n'.repeat(11))).toEqual(['HIGH_CALL_COUNT'])
  })
})

test('all errors are reported at once, in the order of the source', () => {
  const source = `
    get("$nope", { redirects: { max: 99 }, cookieJar: "named:" })
    .store({ "$$a": f() })
    .expect(bodySize: "x")
    post("u").assert({ check: [] }).store({ "$$a": 1 }).wait(x)
  `
  // A syntax error in the last chain method leaves the tree complete, so all errors are reported.
  expect(errors(source.replace('wait(x)', 'wait(1.5)'), { variables: [] })).toEqual([
    'VARIABLE_UNKNOWN 0 nope',
    'REDIRECTS_MAX_LIMIT 0 redirects.max',
    'COOKIE_JAR_NAMED_EMPTY 0 cookieJar',
    'UNKNOWN_FUNCTION 0.store f',
    'CHAIN_ORDER 0.expect',
    'MAX_BODY_FORMAT 0.expect bodySize',
    'EMPTY_ASSERT_BLOCK 1.assert',
    'RUN_VAR_REASSIGNED 1.store a',
    'EXPRESSION_SYNTAX 1.wait',
  ])
  expect(validateScript(source).ast).toBeNull()
})

test('a tree is checked by the same rules', () => {
  const { ast } = parseScript('get("$a").assert({ expect: [f(this.body)] })')
  const { errors: found } = validateTree(ast!, { variables: [] })
  expect(found.map(summarize)).toEqual(['VARIABLE_UNKNOWN 0 a', 'UNKNOWN_FUNCTION 0.assert f'])
  expect(found[0]).toMatchObject({ line: null, column: null })
})
