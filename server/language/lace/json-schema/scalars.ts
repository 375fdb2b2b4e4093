import { type Json, type JsonObject, measureJson, typeName } from '../values/json.ts'

const MAX_SHOWN_LENGTH = 100

/** Describes a mismatch with `type`, `enum` or `const`. */
export function describeKind({ type, enum: choices, const: constant }: JsonObject, value: Json): string {
  if (type !== undefined) {
    const types = Array.isArray(type) ? type : [type]
    return `expected ${types.join(' or ')}, got ${typeName(value)}`
  }
  return `expected ${choices === undefined ? showShort(constant ?? null) : `one of ${showShort(choices)}`}, got ${showShort(value)}`
}

/** Returns a value's JSON if it is short. Never a part of it: half of a secret could not be found and masked. */
function showShort(value: Json): string {
  const { size } = measureJson(value, MAX_SHOWN_LENGTH)
  return size > MAX_SHOWN_LENGTH ? `a longer ${typeName(value)}` : JSON.stringify(value)
}

export function checkNumber(schema: JsonObject, value: number): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (typeof minimum === 'number' && value < minimum) return `${value} is less than ${minimum}`
  if (typeof maximum === 'number' && value > maximum) return `${value} is more than ${maximum}`
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return `${value} is not more than ${exclusiveMinimum}`
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return `${value} is not less than ${exclusiveMaximum}`
  if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf))
    return `${value} is not a multiple of ${multipleOf}`
  return null
}

/** Tolerates rounding: 0.3 is a multiple of 0.1, although dividing doubles does not give 3. */
export function isMultiple(value: number, step: number): boolean {
  const times = value / step
  return Number.isFinite(times) && Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.abs(times)
}

/** Counts characters, not code units. */
export function checkLength(schema: JsonObject, value: string): string | null {
  const { minLength, maxLength } = schema
  if (typeof minLength !== 'number' && typeof maxLength !== 'number') return null
  let length = 0
  for (const _ of value) length++
  if (typeof minLength === 'number' && length < minLength) return `${length} characters, fewer than ${minLength}`
  if (typeof maxLength === 'number' && length > maxLength) return `${length} characters, more than ${maxLength}`
  return null
}

export function checkCount(
  schema: JsonObject,
  count: number,
  minKeyword: string,
  maxKeyword: string,
  noun: string,
): string | null {
  const [min, max] = [schema[minKeyword], schema[maxKeyword]]
  if (typeof min === 'number' && count < min) return `${count} ${noun}, fewer than ${min}`
  if (typeof max === 'number' && count > max) return `${count} ${noun}, more than ${max}`
  return null
}
