import type { BinaryOp, Comparison } from '../ast.ts'
import { INDETERMINATE, type Indeterminate, isObject, type Json, measure } from './json.ts'
import { LONGEST_TEXT, RunFault, type Work } from './work.ts'

/**
 * The language's arithmetic and comparisons. The text leaves much open; these are the readings.
 *
 * - Numbers are doubles. `/` does not round; `%` has the sign of its left side; division by zero, and any result that
 *   is no finite number, is null. Whole numbers are exact up to 2^53.
 * - A text that is written as a number counts as one beside a number, because injected variables are text.
 * - `+` joins two texts. Arithmetic on anything else that is no number is null; with null itself it is indeterminate.
 * - `eq` compares by value, objects and lists to their depth, and never converts: `1 eq "1"` is false.
 * - Ordered comparisons compare two numbers, or two texts by code unit; with null they are indeterminate, and between
 *   other types false.
 */
export function arithmetic(op: BinaryOp, left: Json, right: Json, work: Work): Json | Indeterminate {
  if (left === null || right === null) return INDETERMINATE
  if (op === '+' && typeof left === 'string' && typeof right === 'string') return joined(left, right, work)
  const a = toNumber(left)
  const b = toNumber(right)
  if (a === null || b === null) return null
  const result = calculate(op, a, b)
  // -0 would be a zero that JSON cannot say.
  return Number.isFinite(result) ? result + 0 : null
}

function calculate(op: BinaryOp, a: number, b: number): number {
  switch (op) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    default:
      return a % b
  }
}

function joined(left: string, right: string, work: Work): string {
  work.spend(left.length + right.length)
  if (left.length + right.length > LONGEST_TEXT) throw new RunFault('a text grows too long')
  return left + right
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/** A number, or a text that is one; else null. */
export function toNumber(value: Json): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !NUMBER.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** True, false, or null where null stands on a side of an ordered comparison. */
export function compare(op: Comparison, left: Json, right: Json, work: Work): boolean | null {
  if (op === 'eq') return sameValue(left, right, work)
  if (op === 'neq') return !sameValue(left, right, work)
  if (left === null || right === null) return null
  const order = orderOf(left, right)
  if (order === null) return false
  return op === 'lt' ? order < 0 : op === 'lte' ? order <= 0 : op === 'gt' ? order > 0 : order >= 0
}

function orderOf(left: Json, right: Json): number | null {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  const a = toNumber(left)
  const b = toNumber(right)
  return a === null || b === null ? null : a - b
}

/** Equality by value. Walks without recursion, and pays for each step. */
export function sameValue(left: Json, right: Json, work: Work): boolean {
  const pairs: [Json, Json][] = [[left, right]]
  for (;;) {
    const pair = pairs.pop()
    if (pair === undefined) return true
    const [a, b] = pair
    work.spend(typeof a === 'string' ? 1 + a.length / 16 : 10)
    if (a === b) continue
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false
      for (let at = 0; at < a.length; at++) pairs.push([a[at]!, b[at]!])
    } else if (isObject(a) && isObject(b)) {
      const keys = Object.keys(a)
      if (keys.length !== Object.keys(b).length) return false
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false
        pairs.push([a[key]!, b[key]!])
      }
    } else return false
  }
}

const texts = new WeakMap<object, string>()

/** A value as text: texts as they are, null as nothing, lists and objects as compact JSON. */
export function rawText(value: Json, work: Work): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (typeof value !== 'object') return String(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  const text = toJson(value, work)
  texts.set(value, text)
  return text
}

/** Compact JSON. */
export function toJson(value: Json, work: Work): string {
  const { size } = measure(value, LONGEST_TEXT)
  work.spend(size)
  if (size > LONGEST_TEXT) throw new RunFault('a value is too large to be written as JSON')
  return JSON.stringify(value)
}
