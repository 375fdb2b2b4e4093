import type { Expr, Named } from '../ast.ts'
import { named } from '../ast.ts'
import { quote } from '../suggest.ts'
import { type Cursor, describe } from './cursor.ts'
import { parseExpr } from './expressions.ts'

/** Parses `options`, which belong to extensions: any names, any values. */
export function parseOptions(cursor: Cursor): Named<Expr> {
  cursor.expect('{', 'to begin the options')
  const options = named<Expr>()
  cursor.list('}', 'after the options', () => {
    const field = cursor.expectKind('ident', 'the name of an option')
    cursor.expect(':', `after ${describe(field)}`)
    if (Object.hasOwn(options, field.value)) throw cursor.fail(`${quote(field.value)} is given twice`, field.offset)
    options[field.value] = parseExpr(cursor)
  })
  return options
}
