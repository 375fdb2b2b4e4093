import type { BodyValue, CallConfig, Expr, Named, TimeoutAction } from '../ast.ts'
import { named } from '../ast.ts'
import type { Token } from '../lexer.ts'
import { didYouMean, quote } from '../suggest.ts'
import { type Cursor, describe } from './cursor.ts'
import { parseExpr, parseMap, parseObject, readNumber } from './expressions.ts'
import { KEYWORDS } from './words.ts'

type Fields<T> = { [K in keyof T]-?: (cursor: Cursor) => NonNullable<T[K]> }

type Redirects = NonNullable<CallConfig['redirects']>
type Security = NonNullable<CallConfig['security']>
type Timeout = NonNullable<CallConfig['timeout']>

const REDIRECTS: Fields<Omit<Redirects, 'extensions'>> = { follow: parseBool, max: parseInteger }
const SECURITY: Fields<Omit<Security, 'extensions'>> = { rejectInvalidCerts: parseBool }
const TIMEOUT: Fields<Omit<Timeout, 'extensions'>> = {
  ms: parseInteger,
  // The validator checks the action.
  action: (cursor) => parseString(cursor, 'an action: "fail", "warn" or "retry"') as TimeoutAction,
  retries: parseInteger,
}

const CONFIG: Fields<Omit<CallConfig, 'extensions'>> = {
  headers: (cursor) => parseMap(cursor, 'headers'),
  body: parseBody,
  cookies: (cursor) => parseMap(cursor, 'cookies'),
  cookieJar: (cursor) => parseString(cursor, 'a cookie jar, such as "fresh"'),
  clearCookies: parseStrings,
  redirects: (cursor) => parseFields<Redirects>(cursor, REDIRECTS, 'redirects'),
  security: (cursor) => parseFields<Security>(cursor, SECURITY, 'security'),
  timeout: (cursor) => parseFields<Timeout>(cursor, TIMEOUT, 'timeout'),
}

/** Parses the object after a call's URL. */
export function parseConfig(cursor: Cursor): CallConfig {
  return parseFields<CallConfig>(cursor, CONFIG, 'config of the call')
}

/** Parses known fields with their own readers. Other names become fields of extensions. */
function parseFields<T extends { extensions?: Named<Expr> }>(
  cursor: Cursor,
  readers: Record<string, (cursor: Cursor) => unknown>,
  what: string,
): T {
  const { offset } = cursor.expect('{', `to begin the ${what}`)
  if (cursor.is('}')) throw cursor.fail(`the ${what} is empty`, offset)
  const object = cursor.node<Record<string, unknown>>({}, offset)
  let extensions: Named<Expr> | undefined
  cursor.list('}', `after the ${what}`, () => {
    const field = cursor.expectKind('ident', `the name of a field of the ${what}`)
    cursor.expect(':', `after ${describe(field)}`)
    const reader = Object.hasOwn(readers, field.value) ? readers[field.value] : undefined
    if (Object.hasOwn(reader ? object : (extensions ?? {}), field.value)) {
      throw cursor.fail(`${quote(field.value)} is given twice in the ${what}`, field.offset)
    }
    if (reader) {
      cursor.markField(object, field.value, field.offset)
      object[field.value] = reader(cursor)
      return
    }
    if (KEYWORDS.has(field.value)) throw misplaced(cursor, field, Object.keys(readers), what)
    extensions ??= named<Expr>()
    cursor.markField(object, `extensions.${field.value}`, field.offset)
    extensions[field.value] = parseExpr(cursor)
  })
  if (extensions) object.extensions = extensions
  return object as T
}

function misplaced(cursor: Cursor, field: Token, known: string[], what: string): Error {
  const hint = didYouMean(field.value, known)
  return cursor.fail(`${quote(field.value)} is not a field of the ${what}${hint}`, field.offset)
}

function parseBody(cursor: Cursor): BodyValue {
  const token = cursor.peek()
  if (token.kind === 'string') {
    cursor.next()
    return { type: 'raw', value: token.value }
  }
  if (cursor.isWord('json') || cursor.isWord('form')) {
    const type = cursor.next().value as 'json' | 'form'
    cursor.expect('(', `after \`${type}\``)
    const value = cursor.nested(() => parseObject(cursor))
    cursor.expect(')', `after the object of \`${type}\``)
    return { type, value }
  }
  throw cursor.unexpected('a body: `json({…})`, `form({…})` or a string')
}

function parseString(cursor: Cursor, what: string): string {
  return cursor.expectKind('string', what).value
}

function parseStrings(cursor: Cursor): string[] {
  cursor.expect('[', 'to begin the array')
  if (cursor.is(']')) throw cursor.fail('the array is empty')
  const strings: string[] = []
  cursor.list(']', 'after the array', () => strings.push(parseString(cursor, 'the name of a cookie')))
  return strings
}

function parseBool(cursor: Cursor): boolean {
  const token = cursor.peek()
  if (!cursor.isWord('true') && !cursor.isWord('false')) throw cursor.unexpected('`true` or `false`')
  cursor.next()
  return token.value === 'true'
}

export function parseInteger(cursor: Cursor): number {
  return readNumber(cursor, cursor.expectKind('int', 'an integer'))
}
