import type { BodyMode, Comparison, ExpectScope, ExpectScopes, ExpectScopeValue, RedirectMatch } from '../ast.ts'
import { EXPECT_SCOPES } from '../ast.ts'
import { didYouMean, quote } from '../suggest.ts'
import { type Cursor, describe } from './cursor.ts'
import { parseExpr } from './expressions.ts'
import { parseOptions } from './options.ts'
import { EXPECT_SCOPE_FIELDS } from './words.ts'

/** Expect scopes that can be compared with an object. For the others, braces always mean the long form. */
const OBJECT_SCOPES = new Set<ExpectScope>(['headers', 'body'])

/** Parses the expect scopes of `.expect()` and `.check()`. */
export function parseExpectScopes(cursor: Cursor): ExpectScopes {
  const block: ExpectScopes = cursor.node({}, cursor.peek().offset)
  cursor.items(')', () => {
    const name = cursor.expectKind('ident', 'a scope, such as `status`')
    cursor.expect(':', `after ${describe(name)}`)
    const scope = EXPECT_SCOPES.find((one) => one === name.value)
    if (!scope) {
      const hint = didYouMean(name.value, EXPECT_SCOPES) || `; the scopes are ${EXPECT_SCOPES.join(', ')}`
      cursor.report('PARSE_ERROR', `${quote(name.value)} is not a scope${hint}`, name.offset, name.value)
      parseExpr(cursor)
    } else {
      if (block[scope]) throw cursor.fail(`the scope \`${scope}\` is given twice`, name.offset)
      block[scope] = cursor.node(parseExpectScopeValue(cursor, scope), name.offset)
    }
  })
  return block
}

function parseExpectScopeValue(cursor: Cursor, scope: ExpectScope): ExpectScopeValue {
  const first = cursor.peek(1)
  const full =
    cursor.is('{') && first.kind === 'ident' && EXPECT_SCOPE_FIELDS.includes(first.value) && cursor.is(':', 2)
  if (!full) {
    if (cursor.is('{') && first.kind === 'ident' && !OBJECT_SCOPES.has(scope)) {
      throw cursor.fail(
        `${quote(first.value)} is not a field of a scope${didYouMean(first.value, EXPECT_SCOPE_FIELDS)}`,
        first.offset,
      )
    }
    return { value: parseExpr(cursor) }
  }
  const { offset } = cursor.next()
  const fields: Partial<ExpectScopeValue> = {}
  cursor.list('}', `after the scope \`${scope}\``, () => {
    const field = cursor.expectKind('ident', 'a field of the scope')
    cursor.expect(':', `after ${describe(field)}`)
    const name = EXPECT_SCOPE_FIELDS.find((one) => one === field.value) as keyof ExpectScopeValue | undefined
    if (!name) {
      throw cursor.fail(
        `${quote(field.value)} is not a field of a scope${didYouMean(field.value, EXPECT_SCOPE_FIELDS)}`,
        field.offset,
      )
    }
    if (fields[name] !== undefined) throw cursor.fail(`\`${name}\` is given twice`, field.offset)
    if (name === 'value') fields.value = parseExpr(cursor)
    else if (name === 'options') fields.options = parseOptions(cursor)
    // The validator checks operators, matches and modes.
    else if (name === 'op') fields.op = cursor.expectKind('string', 'an operator, such as "lt"').value as Comparison
    else if (name === 'match')
      fields.match = cursor.expectKind('string', 'a match, such as "last"').value as RedirectMatch
    else fields.mode = cursor.expectKind('string', 'a mode, such as "strict"').value as BodyMode
  })
  if (fields.value === undefined) throw cursor.fail(`the scope \`${scope}\` has no \`value\``, offset)
  const { value, ...rest } = fields
  return { value, ...rest }
}
