// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertionOf } from '#server/language/builder/expectation-kinds.ts'
import { stepOfCurl, withoutUserinfoOf } from '#server/language/builder/from-request.ts'
import { basicCredentials, readBasicCredentials } from '#server/language/builder/parts.ts'
import { stepProblems } from '#server/language/builder/problems.ts'
import { readSteps } from '#server/language/builder/read-steps.ts'
import { secretsOf, secretsToVariables, withoutSecrets } from '#server/language/builder/secrets.ts'
import {
  type Auth,
  type Body,
  NEW_STEP,
  type Pair,
  type Step,
  storedVariablesOf,
} from '#server/language/builder/steps.ts'
import { writeSteps, writeTest } from '#server/language/builder/write-steps.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import { validateScript } from '#server/language/lace/validator.ts'
import { SEED } from '#test/support/seed.ts'

const SCOPES = ['o', 'w', 'p', 's']
const RUNS = { numRuns: 200, seed: SEED }

function problemsOf(script: string) {
  return validateScript(script, { scopes: SCOPES }).errors
}

/** The steps of a script that the builder can show. */
function stepsOf(script: string): Step[] {
  const read = readSteps(script)
  if (!('steps' in read)) throw new Error(`line ${read.line}: ${read.reason}`)
  return read.steps
}

// Texts with everything that a script must escape, and with variables.
const text = fc.string({
  unit: fc.constantFrom('a', 'Z', '7', ' ', '"', '\\', '\n', '\t', '%', '&', 'é', '😀', '{', '}', '/'),
})
const variable = fc.constantFrom('$s.token', '$$id', '${$p.key}', '${$$order.id}')
const value = fc.oneof(
  text,
  variable,
  fc.tuple(text, variable, fc.constant(' '), text).map((parts) => parts.join('')),
)
const word = fc.stringMatching(/^[a-z]{1,8}$/)
const name = fc.constantFrom('Accept', 'X-Tenant', 'x-lower', 'User-Agent', 'If-None-Match')
const rows = fc.uniqueArray(fc.record({ name, value }), { selector: ({ name }) => name.toLowerCase(), maxLength: 3 })
const auth: fc.Arbitrary<Auth> = fc.oneof(
  fc.constant<Auth>({ kind: 'none' }),
  fc.record({ kind: fc.constant('bearer' as const), token: fc.oneof(word, variable) }),
  fc.tuple(text, text).map(([user, password]): Auth => {
    const credentials = basicCredentials(user, password)
    return credentials === '' ? { kind: 'none' } : { kind: 'basic', credentials }
  }),
  fc.record({
    kind: fc.constant('apiKey' as const),
    place: fc.constant('header' as const),
    name: fc.constantFrom('X-Api-Key', 'api_key', 'access-token'),
    value: fc.oneof(word, variable),
  }),
  fc.record({
    kind: fc.constant('apiKey' as const),
    place: fc.constant('query' as const),
    name: fc.constantFrom('api_key', 'token'),
    value: fc.oneof(word, fc.constant('a&b=c d'), variable),
  }),
)
const json = fc
  .dictionary(
    word,
    fc.oneof(value, fc.integer(), fc.boolean(), fc.constant(null), fc.array(word), fc.dictionary(word, word)),
  )
  .map((members) => JSON.stringify(members, null, 2))
const fields: fc.Arbitrary<Pair[]> = fc.uniqueArray(fc.record({ name: word, value }), {
  selector: (row) => row.name,
  minLength: 1,
  maxLength: 3,
})
const body: fc.Arbitrary<Body> = fc.oneof(
  fc.constant<Body>({ kind: 'none' }),
  fc.record({ kind: fc.constant('json' as const), text: json }),
  fc.record({ kind: fc.constant('form' as const), fields }),
  fc.record({
    kind: fc.constant('text' as const),
    text: value.filter((text) => text !== ''),
    type: fc.constantFrom('', 'text/plain', 'application/xml'),
  }),
)
const level = fc.constantFrom('expect' as const, 'check' as const)
const assertions: fc.Arbitrary<Step['assertions']> = fc.uniqueArray(
  fc.oneof(
    fc.record({
      kind: fc.constant('scope' as const),
      level,
      scope: fc.constantFrom('status' as const, 'totalDelayMs' as const, 'bodySize' as const),
      value: fc.constantFrom('200', '[200, 204]', '{ value: 400, op: "lt" }'),
    }),
    fc.record({
      kind: fc.constant('header' as const),
      level,
      name: fc.constantFrom('Content-Type', 'ETag'),
      value: word,
    }),
    fc.record({
      kind: fc.constant('condition' as const),
      level,
      expression: fc.constantFrom(
        'this.body.ok eq true',
        'includes("a\\"b", this.body)',
        'count(this.body.items) gt 3',
      ),
    }),
  ),
  {
    selector: (one) =>
      JSON.stringify([one.kind, one.level, 'scope' in one ? one.scope : 'name' in one ? one.name : one.expression]),
  },
)
const step: fc.Arbitrary<Step> = fc
  .record({
    method: fc.constantFrom('get' as const, 'post' as const, 'put' as const, 'patch' as const, 'delete' as const),
    url: fc.constantFrom(
      'https://example.com/',
      'https://example.com/a?b=c',
      '$s.base/x#y',
      'https://example.com/${$$id}/z?q=%24',
    ),
    headers: rows,
    auth,
    body,
    followsRedirects: fc.boolean(),
    acceptsInvalidCertificates: fc.boolean(),
    timeoutMs: fc.option(fc.integer({ min: 1, max: 60_000 })),
    assertions,
    takes: fc.constant<Step['takes']>([]),
  })
  .map((given) => ({ ...given, assertions: inOrder(given.assertions) }))

/** In the order in which a script lists them: by level, scopes before headers before conditions. */
function inOrder(assertions: Step['assertions']): Step['assertions'] {
  const rank = ({ kind, level }: Step['assertions'][number]) =>
    (kind === 'condition' ? 10 : 0) + (level === 'check' ? 2 : 0) + (kind === 'header' ? 1 : 0)
  return assertions.toSorted((a, b) => rank(a) - rank(b))
}

describe('steps and their script', () => {
  test('are the same after a round trip', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
        const script = writeSteps(steps)
        expect(parseScript(script, { scopes: SCOPES }).errors).toEqual([])
        expect(stepsOf(script)).toEqual(steps)
      }),
      RUNS,
    )
  })

  test('keep the values that steps take', () => {
    const steps: Step[] = [
      { ...NEW_STEP, url: 'https://example.com/', takes: [{ name: 'id', from: 'this.body.order.id' }] },
      { ...NEW_STEP, url: 'https://example.com/${$$id}' },
    ]
    const script = writeSteps(steps)
    expect(script).toContain('.store({ "$$id": this.body.order.id })')
    expect(problemsOf(script)).toEqual([])
    expect(stepsOf(script)).toEqual(steps)
    expect(stepsOf(writeTest(steps))).toEqual(steps)
  })

  test('have a script for any text that a member types', () => {
    const any = fc.string({ unit: 'grapheme', maxLength: 12 })
    const messy = fc.record({ name: any, value: any })
    fc.assert(
      fc.property(any, fc.array(messy), fc.array(messy), any, (url, headers, fields, text) => {
        const bodies: Body[] = [
          { kind: 'form', fields },
          { kind: 'json', text },
          { kind: 'text', text, type: '' },
        ]
        for (const body of bodies) {
          const draft = { ...NEW_STEP, url: `https://example.com/${url}`, headers, body }
          if (stepProblems([draft]).length > 0) continue
          const script = writeSteps([draft])
          expect(parseScript(script, { scopes: SCOPES }).errors).toEqual([])
          // What is read back is written in the same way.
          expect(writeSteps(stepsOf(script))).toBe(script)
        }
      }),
      RUNS,
    )
  })

  test('of a plain request are a short script', () => {
    const status = assertionOf('status', '', '<400')
    const script = writeSteps([{ ...NEW_STEP, url: 'https://example.com/?$filter=a', assertions: [status as never] }])
    expect(script).toBe('get("https://example.com/?%24filter=a")\n.expect(status: { value: 400, op: "lt" })\n')
    expect(writeSteps([{ ...NEW_STEP, url: 'https://example.com/' }])).toContain('status: { value: 0, op: "gt" }')
  })
})

describe('a script that the builder cannot show', () => {
  test.each([
    ['get("https://a.example/")\n// why\n.expect(status: 200)', 2, 'it has a comment'],
    ['get("https://a.example/", {\n  cookieJar: "fresh"\n}).expect(status: 200)', 2, 'it has cookieJar'],
    [
      'get("https://a.example/").expect(status: 200)\n\nget("https://b.example/")\n.expect(status: 200)\n.wait(5)',
      3,
      'it has .wait',
    ],
    [
      'get("https://a.example/")\n.expect(status: 200)\n.store({ total: this.body.total })',
      3,
      'it stores the variable total',
    ],
    [
      'post("https://a.example/", {\n body: json({\n  a: 1 + 1 }) }).expect(status: 200)',
      3,
      'the JSON body has an expression',
    ],
    ['get("https://a.example/", { redirects: { max: 2 } })\n.expect(status: 200)', 1, 'redirects has max'],
    ['get("https://a.example/").expect(status: 200', 1, 'expected'],
    ['', 1, 'the script has no calls'],
  ])('says which line: %j', (script, line, reason) => {
    expect(readSteps(script)).toEqual({ line, reason: expect.stringContaining(reason) })
  })

  test('is told from one with // in a text', () => {
    expect(stepsOf('get("https://a.example//b").expect(status: 200)')[0]?.url).toBe('https://a.example//b')
  })

  test('is never changed: every example of the documentation is kept or refused', () => {
    const folder = new URL('../../lace/examples/', import.meta.url).pathname
    const examples = globSync('*.lace', { cwd: folder }).map((file) => readFileSync(`${folder}${file}`, 'utf8'))
    expect(examples.length).toBeGreaterThan(5)
    for (const script of examples) {
      const read = readSteps(script.replaceAll(/^\s*\/\/.*\n/gm, ''))
      if ('steps' in read) expect(problemsOf(writeSteps(read.steps))).toEqual(problemsOf(script))
      else expect(read.line).toBeGreaterThan(0)
    }
  })
})

describe('secrets of steps', () => {
  const SECRETS: [string, Partial<Step>, string][] = [
    ['a bearer token', { auth: { kind: 'bearer', token: 'abc.def' } }, '"Bearer $s.token"'],
    [
      'user and password',
      { auth: { kind: 'basic', credentials: basicCredentials('ada', 'abc.def') } },
      '"Basic $s.basic_auth"',
    ],
    [
      'an API key',
      { auth: { kind: 'apiKey', place: 'header', name: 'X-Api-Key', value: 'abc.def' } },
      '"$s.x_api_key"',
    ],
    [
      'an API key in the URL',
      { auth: { kind: 'apiKey', place: 'query', name: 'key', value: 'abc.def' } },
      '?key=$s.key',
    ],
    ['a header', { headers: [{ name: 'Cookie', value: 'abc.def' }] }, '"$s.cookie"'],
    [
      'a field of the JSON',
      { method: 'post', body: { kind: 'json', text: '{"a":{"password":"abc.def"}}' } },
      '"password": "$s.password"',
    ],
    [
      'a field of a form',
      { method: 'post', body: { kind: 'form', fields: [{ name: 'client_secret', value: 'abc.def' }] } },
      '"$s.client_secret"',
    ],
    [
      'a field of a form that is written as text',
      {
        method: 'post',
        body: { kind: 'text', text: 'a=b%20c&password=abc.def&d=', type: 'application/x-www-form-urlencoded' },
      },
      'a=b%20c&password=${$s.password}&d=',
    ],
    ['a parameter', { url: 'https://example.com/?token=abc.def&a=b' }, '?token=${$s.token}&a=b'],
  ]

  test.each(SECRETS)('%s becomes a variable', (_, given, written) => {
    const step = { ...NEW_STEP, url: 'https://example.com/', ...given }
    expect(secretsOf(step)).toHaveLength(1)
    const { steps, variables } = secretsToVariables([step], 's', [])
    const script = writeSteps(steps)
    expect(script).toContain(written)
    expect(script).not.toContain('abc.def')
    expect(script).not.toContain(variables[0]?.value)
    expect(problemsOf(script)).toEqual([])
    expect(steps.flatMap(secretsOf)).toEqual([])
    expect(JSON.stringify(withoutSecrets([step]))).not.toMatch(/abc\.def|YWRhOmFiYy5kZWY/)
  })

  test('get keys that are free, one for each value', () => {
    const bearer = (token: string): Step => ({
      ...NEW_STEP,
      url: 'https://example.com/',
      auth: { kind: 'bearer', token },
    })
    const { steps, variables } = secretsToVariables([bearer('one'), bearer('two'), bearer('one')], 'p', ['token'])
    expect(variables).toEqual([
      { key: 'token_2', value: 'one' },
      { key: 'token_3', value: 'two' },
    ])
    expect(steps.map(({ auth }) => auth)).toEqual(
      ['$p.token_2', '$p.token_3', '$p.token_2'].map((token) => ({ kind: 'bearer', token })),
    )
  })

  test('in a text that cannot be read are not kept', () => {
    const step: Step = { ...NEW_STEP, body: { kind: 'json', text: '{"password": "abc.def"' } }
    expect(withoutSecrets([step])).toEqual([{ ...step, body: { kind: 'json', text: '' } }])
  })
})

describe('a curl command', () => {
  test('fills in all fields', () => {
    const read = stepOfCurl(
      `curl -X PUT 'https://example.com/a?b=c' -H 'Authorization: Bearer abc.def' -H 'X-Tenant: 7' -H 'Content-Type: application/json' --data-raw '{"n":[1,true]}' -L -m 5 -k`,
    )
    expect(read).toMatchObject({
      step: {
        method: 'put',
        url: 'https://example.com/a?b=c',
        auth: { kind: 'bearer', token: 'abc.def' },
        headers: [{ name: 'X-Tenant', value: '7' }],
        body: { kind: 'json', text: '{\n  "n": [\n    1,\n    true\n  ]\n}' },
        followsRedirects: true,
        acceptsInvalidCertificates: true,
        timeoutMs: 5_000,
      },
    })
  })

  test.each([
    ['curl -u ada:pw https://example.com', { auth: { kind: 'basic', credentials: 'YWRhOnB3' } }],
    [
      'curl https://ada:pw@example.com/',
      { url: 'https://example.com/', auth: { kind: 'basic', credentials: 'YWRhOnB3' } },
    ],
    [
      "curl https://example.com -H 'X-Api-Key: k'",
      { auth: { kind: 'apiKey', place: 'header', name: 'X-Api-Key', value: 'k' } },
    ],
    [
      'curl https://example.com -d a=1',
      { method: 'post', body: { kind: 'form', fields: [{ name: 'a', value: '1' }] } },
    ],
    [
      "curl https://example.com -H 'Content-Type: text/csv' -d 'a,b'",
      { headers: [], body: { kind: 'text', text: 'a,b', type: 'text/csv' } },
    ],
    ['curl https://example.com', { followsRedirects: false }],
    ['$ curl https://example.com/x', { url: 'https://example.com/x' }],
  ])('%s', (command, step) => {
    expect(stepOfCurl(command)).toMatchObject({ step })
  })

  test.each([
    ['curl -I https://example.com', 'HEAD'],
    [`curl ^"https://example.com/^" ^\n  -H ^"Accept: */*^"`, 'Copy it as cURL (bash).'],
  ])('that cannot be sent is refused with the reason: %s', (command, reason) => {
    expect(stepOfCurl(command)).toEqual({ problem: expect.stringContaining(reason) })
  })

  test('with a password that is a variable of the shell asks for it, and makes up none', () => {
    expect(stepOfCurl('curl -u "ada:$PASSWORD" https://example.com')).toMatchObject({
      step: { auth: { kind: 'basic', credentials: '' } },
      notes: ['user and password: they are variables of the shell. Enter them under Authentication.'],
    })
  })

  test('names the variables that need a value', () => {
    const read = stepOfCurl('curl "https://example.com/$ID?a=${ID}" -H "Authorization: Bearer $TOKEN"')
    if (!('step' in read)) throw new Error(read.problem)
    expect(storedVariablesOf(writeSteps([read.step]))).toEqual(['$s.ID', '$s.TOKEN'])
    expect(storedVariablesOf('$$s.a ${$$s.b} $p.c ${$s.d.e[0]} $o.f $s.d')).toEqual(['$p.c', '$s.d'])
  })

  test('and a URL give their user to the authentication', () => {
    const step = withoutUserinfoOf({ ...NEW_STEP, url: 'https://ada:pw@example.com/x' })
    expect(step).toMatchObject({ url: 'https://example.com/x', auth: { kind: 'basic' } })
    expect(readBasicCredentials('YWRhOnB3')).toEqual({ user: 'ada', password: 'pw' })
    expect(readBasicCredentials('$s.basic_auth')).toBeNull()
  })
})

test('an expectation with a dollar sign is refused where it is entered', () => {
  expect(assertionOf('contains', '', 'costs 100$USD')).toContain('“$USD” would name a variable')
  expect(assertionOf('field', 'id', '$s.id')).toMatchObject({ expression: 'this.body.id eq "$s.id"' })
})

test.each<[Partial<Step>, string]>([
  [{ url: '' }, 'url'],
  [{ url: 'ftp://example.com/' }, 'url'],
  [{ url: 'https://ada:pw@example.com/' }, 'url'],
  [{ headers: [{ name: 'a b', value: '' }] }, 'headers'],
  [{ headers: ['A', 'a'].map((name) => ({ name, value: 'x' })) }, 'headers'],
  [{ headers: [{ name: 'Authorization', value: 'x' }], auth: { kind: 'bearer', token: 'x' } }, 'headers'],
  [{ headers: [{ name: 'A', value: 'costs $name' }] }, 'headers'],
  [{ auth: { kind: 'bearer', token: '$token' } }, 'auth'],
  [{ body: { kind: 'json', text: '{"a": }' } }, 'body'],
  [{ body: { kind: 'text', text: '${name}', type: '' } }, 'body'],
  [{ body: { kind: 'form', fields: [{ name: '', value: 'x' }] } }, 'body'],
  [{ timeoutMs: 60_001 }, 'timeoutMs'],
  [{ takes: [{ name: '1st', from: 'this.body.a' }] }, 'takes'],
  [{ takes: ['a', 'a'].map((name) => ({ name, from: 'this.body.a' })) }, 'takes'],
])('a step with %j is refused at its field', (given, field) => {
  expect(stepProblems([{ ...NEW_STEP, url: 'https://example.com/', ...given }])).toEqual([
    { step: 0, field, reason: expect.any(String) },
  ])
})

test('a step with variables, dollar signs and JSON is not refused', () => {
  const body: Body = { kind: 'json', text: '{"price": "5$", "id": "$$id", "list": [1e3]}' }
  expect(stepProblems([{ ...NEW_STEP, url: '$s.base/x?$filter=a', body }])).toEqual([])
})
