// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import fc from 'fast-check'
import {
  AST_VERSION,
  BODY_MODES,
  type Call,
  COMPARISONS,
  EXPECT_SCOPES,
  type Expr,
  METHODS,
  type Named,
  named,
  type PathSegment,
  REDIRECT_MATCHES,
  type Script,
  type StoreEntry,
  TIMEOUT_ACTIONS,
} from '#server/language/lace/ast.ts'

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/)
const anyName = fc.oneof(name, fc.constantFrom('status', 'get', 'eq', 'null', '__proto__', 'constructor', 'value'))
/** Not a reserved word, because fields of extensions cannot be one. */
const extensionName = name.map((text) => `x_${text}`)
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => one.isWellFormed() && !one.includes('\0'))
/** A string that consists of one variable would be parsed as the variable. */
const plainText = text.filter((one) => !/^\$\$?[A-Za-z_][A-Za-z0-9_]*$/.test(one))
const url = fc.oneof(text, fc.constantFrom('$base/x', 'https://a.example/$$id?k=${$v}')).filter((one) => one !== '')

const field = anyName.map((one): PathSegment => ({ type: 'field', name: one }))
const index = fc.nat({ max: 99 }).map((one): PathSegment => ({ type: 'index', index: one }))
const path = fc.array(fc.oneof(field, index), { maxLength: 3 })

const int = fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 53, 1e21, 1e300))
const float = fc.oneof(
  fc.double({ min: 0, max: 1e21, noNaN: true }),
  fc.constantFrom(0, 1, 1e-7, 1.5e-300, 5e-324, 1e25, Number.MAX_VALUE),
)

const leaf: fc.Arbitrary<Expr> = fc.oneof(
  plainText.map((value): Expr => ({ kind: 'literal', valueType: 'string', value })),
  int.map((value): Expr => ({ kind: 'literal', valueType: 'int', value })),
  float.map((value): Expr => ({ kind: 'literal', valueType: 'float', value })),
  fc.boolean().map((value): Expr => ({ kind: 'literal', valueType: 'bool', value })),
  fc.constant<Expr>({ kind: 'literal', valueType: 'null', value: null }),
  fc.array(anyName, { minLength: 1, maxLength: 3 }).map((one): Expr => ({ kind: 'thisRef', path: one })),
  path.map((one): Expr => ({ kind: 'prevRef', path: one })),
  fc
    .tuple(fc.constantFrom('scriptVar' as const, 'runVar' as const), anyName, path)
    .map(([kind, one, at]): Expr => (at.length > 0 ? { kind, name: one, path: at } : { kind, name: one })),
)

const OPERATORS = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'and', 'or', '+', '-', '*', '/', '%'] as const
const FUNCTIONS = ['json', 'form', 'schema', 'count', 'includes', 'x_other'] as const

export const { expr } = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom(...OPERATORS), tie('expr'), tie('expr'))
      .map(([op, left, right]): Expr => ({ kind: 'binary', op, left, right })),
    fc
      .tuple(fc.constantFrom('not' as const, '-' as const), tie('expr'))
      .map(([op, operand]): Expr => ({ kind: 'unary', op, operand })),
    fc
      .tuple(fc.constantFrom(...FUNCTIONS), fc.array(tie('expr'), { maxLength: 3 }))
      .map(([one, args]): Expr => ({ kind: 'funcCall', name: one, args })),
    fc
      .array(fc.record({ key: fc.oneof(text, anyName), value: tie('expr') }), { maxLength: 3 })
      .map((entries): Expr => ({ kind: 'objectLit', entries })),
    fc.array(tie('expr'), { maxLength: 3 }).map((items): Expr => ({ kind: 'arrayLit', items })),
  ),
}))

const objectLit = fc
  .array(fc.record({ key: text, value: expr }), { maxLength: 3 })
  .map((entries) => ({ kind: 'objectLit' as const, entries }))

function namedOf<T>(key: fc.Arbitrary<string>, value: fc.Arbitrary<T>, minLength = 0): fc.Arbitrary<Named<T>> {
  const entries = fc.uniqueArray(fc.tuple(key, value), { minLength, maxLength: 3, selector: ([one]) => one })
  return entries.map((found) => Object.assign(named<T>(), Object.fromEntries(found)))
}

const extensions = { extensions: namedOf(extensionName, expr, 1) }
const notEmpty = (object: object) => Object.keys(object).length > 0

const config = fc
  .record(
    {
      headers: namedOf(text, expr),
      body: fc.oneof(
        fc.record({ type: fc.constantFrom('json' as const, 'form' as const), value: objectLit }),
        fc.record({ type: fc.constant('raw' as const), value: text }),
      ),
      cookies: namedOf(text, expr),
      cookieJar: text,
      clearCookies: fc.array(text, { minLength: 1, maxLength: 3 }),
      redirects: fc.record({ follow: fc.boolean(), max: int, ...extensions }, { requiredKeys: [] }).filter(notEmpty),
      security: fc.record({ rejectInvalidCerts: fc.boolean(), ...extensions }, { requiredKeys: [] }).filter(notEmpty),
      timeout: fc
        .record(
          { ms: fc.nat(), action: fc.constantFrom(...TIMEOUT_ACTIONS), retries: fc.nat(), ...extensions },
          { requiredKeys: [] },
        )
        .filter(notEmpty),
      ...extensions,
    },
    { requiredKeys: [] },
  )
  .filter(notEmpty)

const options = { options: namedOf(anyName, expr) }
/** For expect scopes that are not compared with objects, braces always mean the long form. */
const simpleExpr = expr.filter((one) => one.kind !== 'objectLit')
const scopeValue = fc.record(
  {
    value: simpleExpr,
    op: fc.constantFrom(...COMPARISONS),
    match: fc.constantFrom(...REDIRECT_MATCHES),
    mode: fc.constantFrom(...BODY_MODES),
    ...options,
  },
  { requiredKeys: ['value'] },
)
const scopeBlock = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...EXPECT_SCOPES), scopeValue), {
    minLength: 1,
    maxLength: 4,
    selector: ([one]) => one,
  })
  .map((entries) => Object.fromEntries(entries))

const conditions = fc.array(fc.record({ condition: expr, ...options }, { requiredKeys: ['condition'] }), {
  maxLength: 3,
})
const storeKey = fc
  .tuple(fc.constantFrom('', '$', '$$'), fc.oneof(name, text))
  .map(([sign, one]) => sign + one)
  .filter((key) => !/^\$*$/.test(key))
const store = fc
  .uniqueArray(fc.tuple(storeKey, expr), { minLength: 1, maxLength: 3, selector: ([key]) => key })
  .map((entries) => {
    const block = named<StoreEntry>()
    for (const [key, value] of entries) block[key] = { scope: key.startsWith('$$') ? 'run' : 'writeback', value }
    return block
  })

const chain = fc
  .record(
    {
      expect: scopeBlock,
      check: scopeBlock,
      assert: fc.record({ expect: conditions, check: conditions }, { requiredKeys: [] }).filter(notEmpty),
      store,
      wait: int,
    },
    { requiredKeys: [] },
  )
  .filter(notEmpty)

const call: fc.Arbitrary<Call> = fc.record(
  { method: fc.constantFrom(...METHODS), url, config: config as fc.Arbitrary<Call['config'] & object>, chain },
  { requiredKeys: ['method', 'url', 'chain'] },
)

/** Generates syntax trees of every form that source can have. */
export const script: fc.Arbitrary<Script> = fc
  .array(call, { minLength: 1, maxLength: 2, size: 'xsmall' })
  .map((calls) => ({ version: AST_VERSION, calls }))

const NULL: Expr = { kind: 'literal', valueType: 'null', value: null }

/** Replaces function calls by calls that validate: known functions with valid arguments. */
export function withValidCalls(one: Expr): Expr {
  switch (one.kind) {
    case 'binary':
      return { ...one, left: withValidCalls(one.left), right: withValidCalls(one.right) }
    case 'unary':
      return { ...one, operand: withValidCalls(one.operand) }
    case 'objectLit':
      return { ...one, entries: one.entries.map(({ key, value }) => ({ key, value: withValidCalls(value) })) }
    case 'arrayLit':
      return { ...one, items: one.items.map(withValidCalls) }
    case 'funcCall': {
      const [first = NULL, second = NULL] = one.args.map(withValidCalls)
      if (one.name === 'includes') return { kind: 'funcCall', name: 'includes', args: [first, second] }
      if (one.name === 'json' || one.name === 'form') {
        const entries = [
          { key: 'a', value: first },
          { key: 'b', value: second },
        ]
        return { kind: 'funcCall', name: one.name, args: [{ kind: 'objectLit', entries }] }
      }
      return { kind: 'funcCall', name: 'count', args: [first] }
    }
  }
  return one
}
