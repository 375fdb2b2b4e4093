import type { BinaryOp, Comparison } from '../ast.ts'
import { INDETERMINATE, type Indeterminate, isObject, type Json, type JsonObject, measureJson } from './json.ts'
import { DEFAULT_TEXT_LIMIT, requireLengthWithin, type StepBudget, type TextLimit } from './limits.ts'

/**
 * The language's arithmetic and comparisons. Where the specification is open, we decided:
 * - Numbers are doubles. `/` does not round; `%` has the sign of its left operand; division by zero, and any result
 *   that is not finite, is null. Integers are exact up to 2^53.
 * - A numeric string next to a number counts as a number, because injected variables are strings.
 * - `+` concatenates two strings. Arithmetic on other types is null; arithmetic with null is indeterminate.
 * - `eq` compares objects and arrays deeply and never converts: `1 eq "1"` is false.
 * - Ordered comparisons compare two numbers, or two strings by code unit. With null they are indeterminate, and between
 *   other types false.
 */
export function arithmetic(op: BinaryOp, left: Json, right: Json, budget: StepBudget): Json | Indeterminate {
  if (left === null || right === null) return INDETERMINATE
  if (op === '+' && typeof left === 'string' && typeof right === 'string') return concatenate(left, right, budget)
  const a = toNumber(left)
  const b = toNumber(right)
  if (a === null || b === null) return null
  const result = calculate(op, a, b)
  // JSON has no -0.
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
/** Longer strings are not treated as numbers: parsing a million digits takes long. */
const MAX_NUMBER_LENGTH = 1_000

/** Returns a number or the value of a numeric string, else null. */
export function toNumber(value: Json): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > MAX_NUMBER_LENGTH || !NUMBER.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Compares two values; null means indeterminate, when an operand of an ordered comparison is null. */
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

/** Compares by value. Does not recurse, spends steps as it goes, and keeps one stack entry per level. */
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

/** Per character of JSON that is written. */
const WRITE_STEPS = 10
const textCache = new WeakMap<object, string>()

/** Converts a value to a string: null becomes an empty string, arrays and objects become compact JSON. */
export function toRawText(value: Json, budget: StepBudget, textLimit: TextLimit = DEFAULT_TEXT_LIMIT): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (typeof value !== 'object') return String(value)
  const cached = textCache.get(value)
  if (cached !== undefined) return cached
  const text = toJson(value, budget, textLimit)
  textCache.set(value, text)
  return text
}

/** Returns compact JSON. @throws CallError when it exceeds the limit */
export function toJson(value: Json, budget: StepBudget, textLimit: TextLimit = DEFAULT_TEXT_LIMIT): string {
  const { size } = measureJson(value, Math.min(textLimit.maxLength, budget.remaining / WRITE_STEPS))
  budget.spend(size * WRITE_STEPS)
  requireLengthWithin(size, textLimit)
  return JSON.stringify(value)
}
