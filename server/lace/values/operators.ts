import type { BinaryOp, Comparison } from '../ast.ts'
import { INDETERMINATE, type Indeterminate, isObject, type Json, type JsonObject, measureJson } from './json.ts'
import { DEFAULT_TEXT_LIMIT, requireLengthWithin, type StepBudget, type TextLimit } from './limits.ts'

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
export function arithmetic(op: BinaryOp, left: Json, right: Json, budget: StepBudget): Json | Indeterminate {
  if (left === null || right === null) return INDETERMINATE
  if (op === '+' && typeof left === 'string' && typeof right === 'string') return concatenate(left, right, budget)
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

function concatenate(left: string, right: string, budget: StepBudget): string {
  requireLengthWithin(left.length + right.length, DEFAULT_TEXT_LIMIT)
  budget.spend(left.length + right.length)
  return left + right
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/
/** No text that means a number is longer; one of a million digits would take as long to be read. */
const MAX_NUMBER_LENGTH = 1_000

/** A number, or a text that is one; else null. */
export function toNumber(value: Json): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > MAX_NUMBER_LENGTH || !NUMBER.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** True, false, or null where null stands on a side of an ordered comparison. */
export function compare(op: Comparison, left: Json, right: Json, budget: StepBudget): boolean | null {
  if (op === 'eq') return sameValue(left, right, budget)
  if (op === 'neq') return !sameValue(left, right, budget)
  if (left === null || right === null) return null
  const order = orderOf(left, right, budget)
  if (order === null) return false
  return op === 'lt' ? order < 0 : op === 'lte' ? order <= 0 : op === 'gt' ? order > 0 : order >= 0
}

function orderOf(left: Json, right: Json, budget: StepBudget): number | null {
  if (typeof left === 'string' && typeof right === 'string') {
    budget.spend(Math.min(left.length, right.length))
    return left < right ? -1 : left > right ? 1 : 0
  }
  const a = toNumber(left)
  const b = toNumber(right)
  return a === null || b === null ? null : a - b
}

const PAIR_STEPS = 50

/** Equality by value. Walks without recursion, pays for each step, and holds no more than one place for each level. */
export function sameValue(left: Json, right: Json, budget: StepBudget): boolean {
  const levels: { left: Json; right: Json; keys: string[] | null; at: number }[] = []
  const enter = (a: Json, b: Json): boolean => {
    budget.spend(typeof a === 'string' ? PAIR_STEPS + a.length / 8 : PAIR_STEPS)
    if (a === b) return true
    if (Array.isArray(a) && Array.isArray(b)) {
      levels.push({ left: a, right: b, keys: null, at: 0 })
      return a.length === b.length
    }
    if (!isObject(a) || !isObject(b)) return false
    const keys = Object.keys(a)
    budget.spend(keys.length * 2 * PAIR_STEPS)
    levels.push({ left: a, right: b, keys, at: 0 })
    return keys.length === Object.keys(b).length
  }
  if (!enter(left, right)) return false
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { left: a, right: b, keys } = level
    const at = level.at++
    if (at === (keys ?? (a as Json[])).length) levels.pop()
    else if (keys === null) {
      if (!enter((a as Json[])[at]!, (b as Json[])[at]!)) return false
    } else {
      const key = keys[at]!
      if (!Object.hasOwn(b as JsonObject, key)) return false
      if (!enter((a as JsonObject)[key]!, (b as JsonObject)[key]!)) return false
    }
  }
  return true
}

/** Of a character of JSON that is written. */
const WRITE_STEPS = 10
const textCache = new WeakMap<object, string>()

/** A value as text: texts as they are, null as nothing, lists and objects as compact JSON. */
export function toRawText(value: Json, budget: StepBudget, textLimit: TextLimit = DEFAULT_TEXT_LIMIT): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (typeof value !== 'object') return String(value)
  const known = textCache.get(value)
  if (known !== undefined) return known
  const text = toJson(value, budget, textLimit)
  textCache.set(value, text)
  return text
}

/** Compact JSON. */
export function toJson(value: Json, budget: StepBudget, textLimit: TextLimit = DEFAULT_TEXT_LIMIT): string {
  const { size } = measureJson(value, Math.min(textLimit.maxLength, budget.remaining / WRITE_STEPS))
  budget.spend(size * WRITE_STEPS)
  requireLengthWithin(size, textLimit)
  return JSON.stringify(value)
}
