import type { Expr, Literal } from '../ast.ts'
import { printVariable } from '../references.ts'
import { printString } from './string.ts'

const RANKS: Record<string, number> = {
  or: 1,
  and: 2,
  eq: 3,
  neq: 3,
  lt: 4,
  lte: 4,
  gt: 4,
  gte: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}
const UNARY_RANK = 7

/**
 * Prints an expression for results: keys are quoted only if they are not identifiers, and parentheses are printed only
 * if they change the meaning. Nested comparisons are printed without parentheses (`a eq b eq c`).
 */
export function printExpression(expr: Expr): string {
  return print(expr, false)
}

/** Prints an expression as source that parses to the same tree. */
export function printSource(expr: Expr): string {
  return print(expr, true)
}

function print(expr: Expr, readable: boolean): string {
  switch (expr.kind) {
    case 'binary': {
      const rank = RANKS[expr.op]!
      const comparison = rank === RANKS.eq || rank === RANKS.lt
      const left = printOperand(expr.left, comparison && readable ? rank + 1 : rank, readable)
      return `${left} ${expr.op} ${printOperand(expr.right, rank + 1, readable)}`
    }
    case 'unary':
      return `${expr.op === 'not' ? 'not ' : '-'}${printOperand(expr.operand, UNARY_RANK, readable)}`
    case 'thisRef':
      return ['this', ...expr.path].join('.')
    case 'prevRef':
      return printVariable('prev', expr.path, 'script').slice(1)
    case 'scriptVar':
      return printVariable(expr.name, expr.path ?? [], 'script')
    case 'runVar':
      return printVariable(expr.name, expr.path ?? [], 'run')
    case 'funcCall':
      return `${expr.name}(${expr.args.map((arg) => print(arg, readable)).join(', ')})`
    case 'objectLit':
      return `{${expr.entries.map(({ key, value }) => `${readable ? printString(key) : printKey(key)}: ${print(value, readable)}`).join(', ')}}`
    case 'arrayLit':
      return `[${expr.items.map((item) => print(item, readable)).join(', ')}]`
    case 'literal':
      return printLiteral(expr)
  }
}

function printOperand(expr: Expr, minRank: number, readable: boolean): string {
  const rank = expr.kind === 'binary' ? RANKS[expr.op]! : UNARY_RANK
  const text = print(expr, readable)
  return rank < minRank ? `(${text})` : text
}

function printLiteral({ valueType, value }: Literal): string {
  if (typeof value === 'string') return printString(value)
  if (typeof value !== 'number') return String(value)
  const digits = printNumber(value)
  return valueType === 'float' && !digits.includes('.') ? `${digits}.0` : digits
}

/** Prints a number without an exponent, because the language has no exponents. */
export function printNumber(value: number): string {
  const [mantissa, exponent] = String(value).split('e')
  if (exponent === undefined) return mantissa!
  const [whole, fraction = ''] = mantissa!.split('.')
  const shift = Number(exponent)
  if (shift < 0) return `0.${'0'.repeat(-shift - 1)}${whole}${fraction}`
  return `${whole}${fraction.padEnd(shift, '0')}`
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

function printKey(key: string): string {
  return IDENTIFIER.test(key) ? key : printString(key)
}
