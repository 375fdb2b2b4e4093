import type { BinaryOp, Expr, FuncCall, Named, ObjectLit, PathSegment } from '../ast.ts'
import { parseTemplate } from '../interpolation.ts'
import {
  emptyObject,
  INDETERMINATE,
  type Indeterminate,
  isObject,
  type Json,
  type JsonObject,
  nullIfIndeterminate,
} from '../values/json.ts'
import { CallError, requireLengthWithin } from '../values/limits.ts'
import { arithmetic, compare, toJson, toRawText } from '../values/operators.ts'
import { containsText } from '../values/text-search.ts'
import { type EvaluationContext, warn } from './context.ts'

/** Per node of an expression, and per variable in a template. */
const NODE_STEPS = 100
const INTERPOLATE_STEPS = 200
/** Per character that is searched, or that is encoded for a form. */
const SEARCH_STEPS = 6
const FORM_STEPS = 40

/**
 * Returns the value of an expression.
 *
 * @throws CallError when the call cannot continue
 * @throws BodyNotRead when the expression uses a body that was not read
 */
export function evaluate(expr: Expr, context: EvaluationContext): Json {
  return nullIfIndeterminate(compute(expr, context))
}

/** Like `evaluate`, but distinguishes indeterminate from null: null fails a condition, indeterminate does not. */
export function compute(expr: Expr, context: EvaluationContext): Json | Indeterminate {
  context.budget.spend(NODE_STEPS)
  switch (expr.kind) {
    case 'literal':
      return typeof expr.value === 'string' ? interpolate(expr.value, context) : expr.value
    case 'scriptVar':
      return resolvePath(ownField(context.variables, expr.name), expr.path ?? [])
    case 'runVar':
      return resolvePath(ownField(context.runVars, expr.name), expr.path ?? [])
    case 'prevRef':
      return resolvePath(context.prev, expr.path)
    case 'thisRef': {
      const [first, ...rest] = expr.path
      const start = context.response?.field(first!) ?? null
      return rest.reduce<Json>((value, name) => ownField(value, name), start)
    }
    case 'unary': {
      const value = compute(expr.operand, context)
      return expr.op === '-' ? arithmetic('-', 0, nullIfIndeterminate(value), context.budget) : negate(value)
    }
    case 'binary':
      return applyBinary(expr.op, compute(expr.left, context), () => compute(expr.right, context), context)
    case 'objectLit':
      return evaluateObject(expr, context)
    case 'arrayLit':
      return expr.items.map((item) => evaluate(item, context))
    case 'funcCall':
      return evaluateCall(expr, context)
  }
}

/** Applies a binary operator. `and` and `or` evaluate the right operand only when the left one does not decide. */
export function applyBinary(
  op: BinaryOp,
  left: Json | Indeterminate,
  readRight: () => Json | Indeterminate,
  context: EvaluationContext,
): Json | Indeterminate {
  if (op === 'and' || op === 'or') return applyLogical(op, toTruth(left), () => toTruth(readRight()))
  const a = nullIfIndeterminate(left)
  const b = nullIfIndeterminate(readRight())
  if (op === '+' || op === '-' || op === '*' || op === '/' || op === '%') return arithmetic(op, a, b, context.budget)
  return compare(op, a, b, context.budget) ?? INDETERMINATE
}

type Truth = boolean | null | Indeterminate

/** Only `true` is true: a string or number used as a boolean is a mistake, and must not pass a check. */
function toTruth(value: Json | Indeterminate): Truth {
  return value === null || value === INDETERMINATE ? value : value === true
}

function negate(value: Json | Indeterminate): Truth {
  return value === null || value === INDETERMINATE ? value : value === false
}

/** When neither operand decides, null wins over indeterminate, because null fails a condition. */
function applyLogical(op: 'and' | 'or', left: Truth, readRight: () => Truth): Truth {
  const deciding = op === 'or'
  if (left === deciding) return deciding
  const right = readRight()
  if (right === deciding) return deciding
  if (left === null || right === null) return null
  return left === INDETERMINATE || right === INDETERMINATE ? INDETERMINATE : !deciding
}

function evaluateObject({ entries }: ObjectLit, context: EvaluationContext): JsonObject {
  const object = emptyObject()
  for (const { key, value } of entries) object[key] = evaluate(value, context)
  return object
}

function evaluateCall({ name, args }: FuncCall, context: EvaluationContext): Json {
  const values = args.map((arg) => evaluate(arg, context))
  const [first = null, second = null] = values
  switch (name) {
    case 'json':
      return toJson(first, context.budget, context.textLimit)
    case 'form':
      return toForm(first, context)
    case 'schema':
      if (first === null) throw new CallError('the variable of `schema` is null')
      return first
    case 'count':
      return Array.isArray(first) ? first.length : 1
    case 'includes': {
      if (first === null) return false
      const text = toRawText(second, context.budget)
      const searched = toRawText(first, context.budget)
      context.budget.spend((text.length + searched.length) * SEARCH_STEPS)
      return containsText(text, searched)
    }
  }
  // A function of an extension, which we do not implement. The validator allows it in `options` and extension fields
  // only.
  return { kind: 'funcCall', name, args: values }
}

/** Encodes an object as a URL-encoded form. An array repeats its key for each item. */
export function toForm(value: Json, context: EvaluationContext): string {
  const pairs = new URLSearchParams()
  let length = 0
  for (const [key, item] of isObject(value) ? Object.entries(value) : []) {
    for (const one of Array.isArray(item) ? item : [item]) {
      const text = toText(one, key, context)
      context.budget.spend((key.length + text.length) * FORM_STEPS)
      length += encodedLength(key) + encodedLength(text) + 2
      requireLengthWithin(length, context.textLimit)
      pairs.append(key, text)
    }
  }
  return pairs.toString()
}

/** Returns the length of a string after URL encoding, in characters. */
function encodedLength(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    // A surrogate pair is four bytes in UTF-8: two per half, and each byte takes three characters.
    if (unit >= 0xd800 && unit <= 0xdfff) length += 5
    else if (unit > 0x7ff) length += 8
    else if (unit > 0x7f) length += 5
    else if (!/[\w*.\- ]/.test(text[at]!)) length += 2
  }
  return length
}

/** Converts a value to a string; null becomes `null`, with a warning. */
export function toText(value: Json, label: string, context: EvaluationContext): string {
  if (value !== null) return toRawText(value, context.budget, context.textLimit)
  warn(context, `${label} is null and was written as "null"`)
  return 'null'
}

/** Replaces the variables of a template. @throws CallError as soon as the string exceeds its limit */
export function interpolate(template: string, context: EvaluationContext): string {
  context.budget.spend(template.length)
  if (!template.includes('$')) return template
  let text = ''
  for (const part of parseTemplate(template, context.scopes)) {
    if (part.kind === 'text') text += part.text
    else {
      const source = part.kind === 'run' ? context.runVars : context.variables
      const inserted = toText(resolvePath(ownField(source, part.name), part.path), part.text, context)
      context.budget.spend(INTERPOLATE_STEPS + inserted.length)
      text += inserted
    }
    requireLengthWithin(text.length, context.textLimit)
  }
  return text
}

/** Evaluates the options or the fields of extensions. */
export function evaluateMap(named: Named<Expr>, context: EvaluationContext): JsonObject {
  const object = emptyObject()
  for (const [key, expr] of Object.entries(named)) object[key] = evaluate(expr, context)
  return object
}

/** Reads own fields only, so that no name reaches a prototype. A missing field is null. */
function ownField(value: Json, name: string): Json {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null
}

function resolvePath(start: Json, path: PathSegment[]): Json {
  let value = start
  for (const step of path) {
    if (step.type === 'field') value = ownField(value, step.name)
    else value = Array.isArray(value) ? (value[step.index] ?? null) : null
  }
  return value
}
