import type { Json } from '../../../language/script-import/request.ts'

// Assertions on JSON as JSON Schema. Conditions of the language pass on a missing field, have no index and no length of
// a text, and read JSON only where the response declares it. A schema has none of these gaps.

export type Schema = { [keyword: string]: Json }

/** Every item of a list, of which there must be one. */
export const EVERY = Symbol('every item')
/** The name of a field, the index of an item, or all items. */
export type Step = string | number | typeof EVERY

const INDEX_MAX = 100

/**
 * Reads a path such as `data.items[0].name` or `items[*].id`: names between dots, each with indexes. Null for a path
 * with anything else.
 */
export function readPath(text: string): Step[] | null {
  if (text === '') return []
  const steps: Step[] = []
  for (const part of text.split('.')) {
    const [, name, indexes = ''] = /^([^[\]]*)((?:\[(?:\d+|\*)\])*)$/.exec(part) ?? []
    if (name === undefined || (name === '' && indexes === '')) return null
    if (name !== '') steps.push(name)
    for (const [, index = ''] of indexes.matchAll(/\[(\d+|\*)\]/g)) {
      if (Number(index) > INDEX_MAX) return null
      steps.push(index === '*' ? EVERY : Number(index))
    }
  }
  return steps
}

/** The path exists, and its value matches. */
export function valueAt(path: readonly Step[], value: Schema): Schema {
  const [step, ...rest] = path
  if (step === undefined) return value
  const inner = valueAt(rest, value)
  if (step === EVERY) return { type: 'array', minItems: 1, items: inner }
  if (typeof step === 'string') return { type: 'object', required: [step], properties: { [step]: inner } }
  return { type: 'array', minItems: step + 1, prefixItems: [...Array.from({ length: step }, () => true), inner] }
}

/** The path does not exist, or its value does not match. */
export function noValueAt(path: readonly Step[], value: Schema): Schema {
  const every = path.lastIndexOf(EVERY)
  const denied = { not: valueAt(path.slice(every + 1), value) }
  return every < 0 ? denied : valueAt(path.slice(0, every + 1), denied)
}

export const PRESENT: Schema = { not: { type: 'null' } }

/** The value as a text is one of these: the text itself, or the number or boolean that is written so. */
export function textIs(...texts: string[]): Schema {
  return { enum: texts.flatMap((text) => [text, ...(isScalarText(text) ? [JSON.parse(text) as Json] : [])]) }
}

/** Only a number in the one form that every program writes it in, so that none loses digits. */
function isScalarText(text: string): boolean {
  if (text === 'true' || text === 'false') return true
  return /^-?(0|[1-9]\d{0,15})(\.\d{1,4})?$/.test(text) && String(Number(text)) === text
}

export function textMatches(pattern: string): Schema {
  return { type: 'string', pattern }
}

export function textContains(text: string): Schema {
  return textMatches(escapedPattern(text))
}

export function escapedPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

export type Comparison = 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte'

/** The value is a number that compares so. */
export function numberIs(operator: Comparison, limit: number): Schema {
  switch (operator) {
    case 'eq':
      return { const: limit }
    case 'neq':
      return { type: 'number', not: { const: limit } }
    case 'lt':
      return { type: 'number', exclusiveMaximum: limit }
    case 'lte':
      return { type: 'number', maximum: limit }
    case 'gt':
      return { type: 'number', exclusiveMinimum: limit }
    case 'gte':
      return { type: 'number', minimum: limit }
  }
}

/**
 * The value is a list with so many items, or a text with so many bytes. A text with characters beyond ASCII matches only
 * where its bytes are certain to be enough.
 */
export function lengthIs(operator: Comparison, length: number): Schema {
  const min = operator === 'gt' ? length + 1 : operator === 'gte' || operator === 'eq' ? length : 0
  const max = operator === 'lt' ? length - 1 : operator === 'lte' || operator === 'eq' ? length : null
  if (max === null)
    return {
      anyOf: [
        { type: 'array', minItems: min },
        { type: 'string', minLength: min },
      ],
    }
  // No length is below zero.
  if (max < 0) return { enum: [] }
  const text = { type: 'string', minLength: min, maxLength: max, pattern: '^[\\x00-\\x7F]*$' }
  return { anyOf: [{ type: 'array', minItems: min, maxItems: max }, text] }
}

/** No value can have this length. */
export function lengthIsNot(length: number): Schema {
  const text = { type: 'string', pattern: '^[\\x00-\\x7F]*$', not: { minLength: length, maxLength: length } }
  const list = { type: 'array', not: { minItems: length, maxItems: length } }
  return { anyOf: [list, text, { type: 'string', minLength: length + 1 }, { type: 'null' }] }
}
