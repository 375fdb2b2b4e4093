import { type Node, textOf } from '../../../language/script-import/nodes.ts'
import type { ImportedRequest } from '../../../language/script-import/request.ts'
import { plainText, type Split, splitNothing } from '../../../language/script-import/templates.ts'
import {
  type Comparison,
  noValueAt,
  numberIs,
  PRESENT,
  readPath,
  type Schema,
  type Step,
  textContains,
  textIs,
  valueAt,
} from './body-schema.ts'
import { bodyContains, isFoundOtherwise } from './body-text.ts'
import type { Notes } from './checks.ts'
import { ANY_STATUS, headerExpression, stringLiteral } from './conditions.ts'
import { expecting, type Kept, type Read } from './expectations.ts'

const NO_JSON = 'A body that is not JSON fails here.'
const NO_NUMBER = 'Only a number passes here, not a number in a string.'
const NO_TEXT = 'Only a string or an item of an array can match here.'
const AS_GUESSED = 'Checkly does not document what a missing value does. Here it fails.'
const WRITTEN_ANEW =
  'A JSON body is searched without the white space between its values. Checkly searches the body as it was sent.'
const EXACT = 'The whole body must equal the text.'
const STARTS = 'The header must begin with the text here.'
const NO_HEADER = 'Here, no header may contain the text.'

/** Adds the assertions of Checkly to a request. Those that do not carry over are noted. */
export function applyAssertions(
  request: ImportedRequest,
  { assertions, mayBeError }: { assertions: Node[]; mayBeError: boolean },
  check: string,
  notes: Notes,
) {
  const { split = splitNothing } = request
  const read = assertions.map((assertion): Read => {
    const { source, property, comparison, target } = assertion
    const what = [source, property, comparison, target].filter(Boolean).join(' ')
    return { text: `the assertion ${what}`, kept: keptOf(assertion, split) }
  })
  // Checkly always fails a status from 400 on; with `shouldFail`, one below.
  const condition = mayBeError ? 'this.status gte 400' : 'this.status lt 400'
  return expecting({ ...request, status: ANY_STATUS, conditions: [condition] }, read, check, notes)
}

const ORDERED: Record<string, Comparison> = {
  ...{ EQUALS: 'eq', NOT_EQUALS: 'neq', GREATER_THAN: 'gt', LESS_THAN: 'lt' },
}

/** Null for a regular expression, and for a target with a variable in it. */
function keptOf(assertion: Node, split: Split): Kept | null {
  const target = plainText(split, String(assertion.target ?? ''))
  const property = textOf(assertion.property)
  const comparison = textOf(assertion.comparison)
  if (target === null || textOf(assertion.regex)) return null
  switch (assertion.source) {
    case 'STATUS_CODE':
      return measured('this.status', comparison, target)
    case 'RESPONSE_TIME':
      return measured('this.responseTime', comparison, target)
    case 'TEXT_BODY':
      return property ? null : textKept(comparison, target)
    case 'JSON_BODY':
      return jsonKept(property, comparison, target)
    case 'HEADERS':
      return property ? headerKept(property.toLowerCase(), comparison, target) : null
    default:
      return null
  }
}

function measured(left: string, comparison: string, target: string): Kept | null {
  const operator = ORDERED[comparison]
  return operator && /^\d{1,9}$/.test(target) ? { condition: `${left} ${operator} ${Number(target)}` } : null
}

function textKept(comparison: string, target: string): Kept | null {
  switch (comparison) {
    case 'CONTAINS':
      return { condition: bodyContains(target), ...searched(target) }
    case 'NOT_CONTAINS':
      return { condition: `not ${bodyContains(target)}`, ...searched(target) }
    case 'EQUALS':
      return { body: target, differs: EXACT }
    case 'IS_EMPTY':
      return { body: '' }
    case 'NOT_EMPTY':
      return { condition: 'this.size gt 0' }
    default:
      return null
  }
}

function searched(target: string): { differs?: string } {
  return isFoundOtherwise(target) ? { differs: WRITTEN_ANEW } : {}
}

const EMPTY: Schema = { enum: ['', null, [], {}] }

function jsonKept(property: string, comparison: string, target: string): Kept | null {
  const written = property.trim().replace(/^\$?\.?/, '')
  const [, listed] = /^(?:(.*)\.)?length$/.exec(written) ?? []
  const isLength = /(^|\.)length$/.test(written)
  const path =
    /^[\w\-.[\]]*$/.test(written) && !written.includes('..') ? readPath(isLength ? (listed ?? '') : written) : null
  if (path === null || written.includes('*')) return null
  const operator = ORDERED[comparison]
  if (isLength)
    return operator && /^\d{1,9}$/.test(target)
      ? { schema: valueAt(path, itemsAre(operator, Number(target))), differs: 'Only an array has a length here.' }
      : null
  switch (comparison) {
    case 'EQUALS':
      return { schema: valueAt(path, textIs(target)) }
    case 'NOT_EQUALS':
      return { schema: valueAt(path, { not: textIs(target) }), differs: AS_GUESSED }
    case 'GREATER_THAN':
    case 'LESS_THAN':
      return /^-?\d+(\.\d+)?$/.test(target)
        ? { schema: valueAt(path, numberIs(operator as Comparison, Number(target))), differs: NO_NUMBER }
        : null
    case 'IS_NULL':
      return { schema: valueAt(path, { type: 'null' }), differs: AS_GUESSED }
    case 'NOT_NULL':
      return { schema: valueAt(path, PRESENT), differs: AS_GUESSED }
    case 'IS_EMPTY':
      return { schema: valueAt(path, EMPTY), differs: AS_GUESSED }
    case 'NOT_EMPTY':
      return { schema: valueAt(path, { not: EMPTY }), differs: AS_GUESSED }
    default:
      return memberKept(path, comparison, target)
  }
}

function memberKept(path: Step[], comparison: string, target: string): Kept | null {
  const item = { type: 'array', contains: textIs(target) }
  switch (comparison) {
    case 'CONTAINS':
      return { schema: valueAt(path, { anyOf: [textContains(target), item] }), differs: NO_TEXT }
    case 'NOT_CONTAINS': {
      // Items that contain the text are parts of the list written as a text.
      const items = { type: 'array', items: { type: 'string', not: textContains(target) } }
      const text = { type: 'string', not: textContains(target) }
      return { schema: valueAt(path, { anyOf: [text, items] }), differs: `${NO_TEXT} ${AS_GUESSED}` }
    }
    case 'HAS_KEY':
      return { schema: valueAt([...path, target], {}) }
    case 'NOT_HAS_KEY':
      return { schema: noValueAt([...path, target], {}), differs: NO_JSON }
    case 'HAS_VALUE':
      return { schema: valueAt(path, { anyOf: [item, fieldIs(target)] }), differs: NO_TEXT }
    case 'NOT_HAS_VALUE':
      return { schema: noValueAt(path, { anyOf: [item, fieldIs(target)] }), differs: NO_JSON }
    default:
      return null
  }
}

/** One field of the object has the value. */
function fieldIs(value: string): Schema {
  return { type: 'object', not: { additionalProperties: { not: textIs(value) } } }
}

function itemsAre(operator: Comparison, length: number): Schema {
  const exact = { minItems: length, maxItems: length }
  if (operator === 'eq') return { type: 'array', ...exact }
  if (operator === 'neq') return { type: 'array', not: exact }
  if (operator === 'gt') return { type: 'array', minItems: length + 1 }
  return length === 0 ? { enum: [] } : { type: 'array', maxItems: length - 1 }
}

/** Conditions reach no header with a hyphen, so that those are searched in the headers, written as JSON. */
function headerKept(name: string, comparison: string, target: string): Kept | null {
  const inHeaders = (value: string) =>
    `includes(${stringLiteral(`${JSON.stringify(name)}:${JSON.stringify(value).slice(0, -1)}`)}, this.headers)`
  const equals = `includes(${stringLiteral(`${JSON.stringify(name)}:${JSON.stringify(target)}`)}, this.headers)`
  const expression = headerExpression(name)
  switch (comparison) {
    case 'EQUALS':
      return { condition: equals }
    case 'NOT_EQUALS':
      return { condition: `${inHeaders('')} and not ${equals}`, differs: AS_GUESSED }
    case 'CONTAINS':
      return expression
        ? { condition: `includes(${stringLiteral(target)}, ${expression})` }
        : { condition: inHeaders(target), differs: STARTS }
    case 'NOT_CONTAINS':
      return { condition: `not includes(${stringLiteral(target)}, this.headers)`, differs: NO_HEADER }
    case 'NOT_EMPTY':
    case 'NOT_NULL':
      return {
        condition: `${inHeaders('')} and not includes(${stringLiteral(`${JSON.stringify(name)}:""`)}, this.headers)`,
      }
    default:
      return null
  }
}
