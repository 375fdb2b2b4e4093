import type { AssertBlock, Chain, ChainMethod, Condition, Expr, Named, StoreBlock } from '../ast.ts'
import { CHAIN_METHODS, named } from '../ast.ts'
import { didYouMean, quote } from '../suggest.ts'
import { parseInteger } from './config.ts'
import { type Cursor, describe } from './cursor.ts'
import { parseExpectScopes } from './expect-scopes.ts'
import { parseExpr } from './expressions.ts'
import { parseOptions } from './options.ts'

const READERS: { [M in ChainMethod]: (cursor: Cursor) => Chain[M] } = {
  expect: parseExpectScopes,
  check: parseExpectScopes,
  assert: parseAssert,
  store: parseStore,
  wait: parseWait,
}

/** Parses `.method(…)`. `block` is the content of the parentheses, or undefined when it is not usable. */
export function parseChainMethod(cursor: Cursor): { method: ChainMethod; offset: number; block: Chain[ChainMethod] } {
  cursor.expect('.', 'before a chain method')
  const name = cursor.expectKind('ident', 'a chain method after the dot')
  const method = CHAIN_METHODS.find((one) => one === name.value)
  if (!method) {
    const hint = didYouMean(name.value, CHAIN_METHODS) || `; the chain methods are .${CHAIN_METHODS.join(', .')}`
    throw cursor.fail(`${quote(name.value)} is not a chain method${hint}`, name.offset)
  }
  cursor.chainMethod = method
  cursor.expect('(', `after \`.${method}\``)
  const block = READERS[method](cursor)
  cursor.expect(')', `at the end of \`.${method}\``)
  return { method, offset: name.offset, block }
}

function parseAssert(cursor: Cursor): AssertBlock {
  const block: AssertBlock = {}
  cursor.expect('{', 'to begin the conditions')
  cursor.list('}', 'after the conditions', () => {
    if (!cursor.isWord('expect') && !cursor.isWord('check')) throw cursor.unexpected('`expect` or `check`')
    const kind = cursor.next().value as 'expect' | 'check'
    cursor.expect(':', `after \`${kind}\``)
    cursor.expect('[', `to begin the conditions of \`${kind}\``)
    const conditions = block[kind] ?? []
    block[kind] = conditions
    cursor.syntaxCode = 'EXPRESSION_SYNTAX'
    cursor.list(']', `after the conditions of \`${kind}\``, () => conditions.push(parseCondition(cursor)))
    cursor.syntaxCode = 'PARSE_ERROR'
  })
  return block
}

function parseCondition(cursor: Cursor): Condition {
  const full = cursor.is('{') && (cursor.isWord('condition', 1) || cursor.isWord('options', 1)) && cursor.is(':', 2)
  if (!full) return { condition: parseExpr(cursor) }
  const { offset } = cursor.next()
  let condition: Expr | undefined
  let options: Named<Expr> | undefined
  cursor.list('}', 'after the condition', () => {
    const field = cursor.expectKind('ident', '`condition` or `options`')
    cursor.expect(':', `after ${describe(field)}`)
    if (field.value === 'condition' && condition === undefined) condition = parseExpr(cursor)
    else if (field.value === 'options' && options === undefined) options = parseOptions(cursor)
    else
      throw cursor.fail(
        `${quote(field.value)} is not allowed here; a condition has \`condition\` and \`options\``,
        field.offset,
      )
  })
  if (condition === undefined) throw cursor.fail('the `condition` is missing', offset)
  return options === undefined ? { condition } : { condition, options }
}

function parseStore(cursor: Cursor): StoreBlock {
  const block = cursor.node(named<StoreBlock[string]>(), cursor.peek().offset)
  cursor.expect('{', 'to begin the stored values')
  cursor.list('}', 'after the stored values', () => {
    const token = cursor.next()
    const prefix = token.kind === 'run' ? '$$' : token.kind === 'script' ? '$' : ''
    if (!prefix && token.kind !== 'ident' && token.kind !== 'string') {
      throw cursor.fail(`expected the name of a variable, found ${describe(token)}`, token.offset)
    }
    let key = prefix + token.value
    if (prefix === '$' && cursor.scopes.has(token.value) && cursor.accept('.')) {
      key += `.${cursor.expectKind('ident', 'the name of the variable after the dot').value}`
    }
    if (/^\$*$/.test(key)) throw cursor.fail('the name of the variable is empty', token.offset)
    cursor.expect(':', `after ${quote(key)}`)
    const run = key.startsWith('$$')
    const value = parseExpr(cursor)
    if (!Object.hasOwn(block, key)) {
      block[key] = { scope: run ? 'run' : 'writeback', value }
      cursor.markField(block, key, token.offset)
    } else if (run) cursor.report('RUN_VAR_REASSIGNED', `${quote(key)} is assigned twice`, token.offset, key.slice(2))
    else throw cursor.fail(`${quote(key)} is stored twice`, token.offset)
  })
  return block
}

function parseWait(cursor: Cursor): number | undefined {
  const token = cursor.peek()
  if (token.kind === 'int' && cursor.is(')', 1)) return parseInteger(cursor)
  if (token.kind === 'end') throw cursor.unexpected('the milliseconds to wait')
  cursor.report(
    'EXPRESSION_SYNTAX',
    `\`.wait\` takes an integer number of milliseconds, found ${describe(token)}`,
    token.offset,
  )
  if (!cursor.is(')')) parseExpr(cursor)
  return undefined
}
