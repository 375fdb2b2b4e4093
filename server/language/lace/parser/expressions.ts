import type { ArrayLit, BinaryOp, Expr, Named, ObjectLit, PathSegment } from '../ast.ts'
import { named } from '../ast.ts'
import type { Token } from '../lexer.ts'
import { didYouMean, quote } from '../suggest.ts'
import { type Cursor, describe } from './cursor.ts'
import { HELPERS, KEYWORDS } from './words.ts'

/** How strongly operators bind. Operators of one level apply from the left; comparisons do not chain. */
const WORD_LEVELS = new Map([
  ['or', 1],
  ['and', 2],
  ['eq', 3],
  ['neq', 3],
  ['lt', 4],
  ['lte', 4],
  ['gt', 4],
  ['gte', 4],
])
const SIGN_LEVELS = new Map([
  ['+', 5],
  ['-', 5],
  ['*', 6],
  ['/', 6],
  ['%', 6],
])
const COMPARISONS = [3, 4]
const VALUE_WORDS = ['this', 'prev', 'null', 'true', 'false', 'not']

export function parseExpr(cursor: Cursor): Expr {
  return parseBinary(cursor, 1)
}

/**
 * Parses operands joined by operators that bind at least as strongly as `minLevel`. One loop, instead of one function
 * per level: most expressions are one operand, and each would pass through all levels.
 */
function parseBinary(cursor: Cursor, minLevel: number): Expr {
  let left = parseUnary(cursor)
  for (;;) {
    const level = levelOf(cursor.peek())
    if (level < minLevel) return left
    const op = cursor.next().value as BinaryOp
    const right = parseBinary(cursor, level + 1)
    if (COMPARISONS.includes(level) && levelOf(cursor.peek()) === level) {
      const secondOp = cursor.peek().value
      throw cursor.fail(`comparisons do not chain: before \`${secondOp}\`, write \`(… ${op} …) and (… ${secondOp} …)\``)
    }
    left = cursor.node({ kind: 'binary', op, left, right }, cursor.offsets.get(left)!, [left, right])
  }
}

/** Returns the level of an operator, 0 for other tokens. */
function levelOf({ kind, value }: Token): number {
  if (kind === 'ident') return WORD_LEVELS.get(value) ?? 0
  return kind === 'punct' ? (SIGN_LEVELS.get(value) ?? 0) : 0
}

function parseUnary(cursor: Cursor): Expr {
  const { offset } = cursor.peek()
  const op = cursor.isWord('not') ? 'not' : cursor.is('-') ? '-' : null
  if (op === null) return parsePrimary(cursor)
  cursor.next()
  const operand = cursor.nested(() => parseUnary(cursor))
  return cursor.node({ kind: 'unary', op, operand }, offset, [operand])
}

function parsePrimary(cursor: Cursor): Expr {
  const token = cursor.peek()
  switch (token.kind) {
    case 'string':
      cursor.next()
      return cursor.node(fromString(token.value, cursor.scopes), token.offset)
    case 'int':
    case 'float':
      cursor.next()
      return cursor.node({ kind: 'literal', valueType: token.kind, value: readNumber(cursor, token) }, token.offset)
    case 'script':
    case 'run': {
      cursor.next()
      const path = parsePath(cursor)
      const kind = token.kind === 'script' ? 'scriptVar' : 'runVar'
      return cursor.node(
        path.length > 0 ? { kind, name: token.value, path } : { kind, name: token.value },
        token.offset,
      )
    }
    case 'ident':
      return parseWord(cursor, token)
    case 'punct':
      if (token.value === '(') return cursor.nested(() => parseGroup(cursor))
      if (token.value === '{') return parseObject(cursor)
      if (token.value === '[') return parseArray(cursor)
  }
  throw cursor.unexpected('a value')
}

function parseGroup(cursor: Cursor): Expr {
  cursor.next()
  const inner = parseExpr(cursor)
  cursor.expect(')', 'after the expression in parentheses')
  return inner
}

function parseWord(cursor: Cursor, token: Token): Expr {
  const { value: word, offset } = token
  if (word === 'this') return parseThis(cursor)
  if (word === 'prev') {
    cursor.next()
    return cursor.node({ kind: 'prevRef', path: parsePath(cursor) }, offset)
  }
  if (word === 'null') {
    cursor.next()
    return cursor.node({ kind: 'literal', valueType: 'null', value: null }, offset)
  }
  if (word === 'true' || word === 'false') {
    cursor.next()
    return cursor.node({ kind: 'literal', valueType: 'bool', value: word === 'true' }, offset)
  }
  const callable = !KEYWORDS.has(word) || (HELPERS as readonly string[]).includes(word)
  if (cursor.is('(', 1) && callable) return parseFunction(cursor)
  if (KEYWORDS.has(word)) throw cursor.unexpected('a value')
  const hint =
    didYouMean(word, VALUE_WORDS) || `; a variable is written \`$${word.slice(0, 64)}\`, a string in double quotes`
  throw cursor.fail(`${quote(word)} is not a value${hint}`)
}

function parseThis(cursor: Cursor): Expr {
  const { offset } = cursor.next()
  const path: string[] = []
  while (cursor.accept('.')) path.push(cursor.expectKind('ident', 'the name of a field after the dot').value)
  if (cursor.is('[')) throw cursor.fail('`this` has fields only, no index in square brackets')
  if (path.length === 0) throw cursor.unexpected('a field of the response, such as `this.status`')
  return cursor.node({ kind: 'thisRef', path }, offset)
}

function parsePath(cursor: Cursor): PathSegment[] {
  const path: PathSegment[] = []
  for (;;) {
    if (cursor.accept('.')) {
      path.push({ type: 'field', name: cursor.expectKind('ident', 'the name of a field after the dot').value })
    } else if (cursor.accept('[')) {
      const index = cursor.expectKind('int', 'an index, such as `[0]`')
      if (index.value.length > 9) throw cursor.fail('the index is too large', index.offset)
      path.push({ type: 'index', index: readNumber(cursor, index) })
      cursor.expect(']', 'after the index')
    } else return path
  }
}

function parseFunction(cursor: Cursor): Expr {
  const { value: name, offset } = cursor.next()
  cursor.next()
  return cursor.nested(() => {
    const args: Expr[] = []
    cursor.list(')', `after the arguments of ${quote(name)}`, () => args.push(parseExpr(cursor)))
    return cursor.node({ kind: 'funcCall', name, args }, offset, args)
  })
}

export function parseArray(cursor: Cursor): ArrayLit {
  const { offset } = cursor.expect('[', 'to begin an array')
  return cursor.nested(() => {
    const items: Expr[] = []
    cursor.list(']', 'after the items of the array', () => items.push(parseExpr(cursor)))
    return cursor.node({ kind: 'arrayLit', items }, offset, items)
  })
}

export function parseObject(cursor: Cursor): ObjectLit {
  const { offset } = cursor.expect('{', 'to begin an object')
  return cursor.nested(() => {
    const entries: ObjectLit['entries'] = []
    cursor.list('}', 'after the fields of the object', () => {
      const { value: key } = parseKey(cursor)
      entries.push({ key, value: parseExpr(cursor) })
    })
    return cursor.node(
      { kind: 'objectLit', entries },
      offset,
      entries.map((entry) => entry.value),
    )
  })
}

/** Parses an object whose keys must be unique: headers, cookies. */
export function parseMap(cursor: Cursor, what: string): Named<Expr> {
  cursor.expect('{', `to begin the ${what}`)
  const map = named<Expr>()
  cursor.list('}', `after the ${what}`, () => {
    const key = parseKey(cursor)
    if (Object.hasOwn(map, key.value)) throw cursor.fail(`${quote(key.value)} is given twice`, key.offset)
    map[key.value] = parseExpr(cursor)
  })
  return map
}

function parseKey(cursor: Cursor): Token {
  const key = cursor.peek()
  if (key.kind !== 'ident' && key.kind !== 'string') throw cursor.unexpected('the name of a field')
  cursor.next()
  if (key.kind === 'ident' && cursor.is('-')) throw cursor.fail(unquotedName(cursor, key), key.offset)
  cursor.expect(':', `after ${describe(key)}`)
  return key
}

/** Describes an unquoted name such as `Content-Type`, which parses as a subtraction. */
function unquotedName(cursor: Cursor, first: Token): string {
  let name = first.value
  for (let ahead = 0; cursor.is('-', ahead) && cursor.peek(ahead + 1).kind === 'ident'; ahead += 2) {
    name += `-${cursor.peek(ahead + 1).value}`
  }
  return `a name with \`-\` is written in double quotes: \`"${name.slice(0, 64)}"\``
}

/** Numbers are doubles: beyond 2^53 an integer loses precision; a number out of range is an error. */
export function readNumber(cursor: Cursor, token: Token): number {
  const value = Number(token.value)
  if (!Number.isFinite(value)) throw cursor.fail('the number is too large', token.offset)
  return value
}

const WHOLE_VARIABLE = /^(\$\$?)([A-Za-z_][A-Za-z0-9_]*)(?:\.([A-Za-z_][A-Za-z0-9_]*))?$/

/** A string that consists of one variable is that variable, and keeps its type. */
function fromString(text: string, scopes: ReadonlySet<string>): Expr {
  const whole = WHOLE_VARIABLE.exec(text)
  if (whole) {
    const [, sign, name, key] = whole as unknown as [string, string, string, string | undefined]
    if (sign === '$' && key !== undefined && scopes.has(name)) {
      return { kind: 'scriptVar', name, path: [{ type: 'field', name: key }] }
    }
    if (key === undefined) return { kind: sign === '$$' ? 'runVar' : 'scriptVar', name }
  }
  return { kind: 'literal', valueType: 'string', value: text }
}
