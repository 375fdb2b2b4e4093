import * as Instance from '@hyperjump/json-schema/instance/experimental'
import { isObject, type Json, type JsonObject } from '../values/json.ts'
import { checkCount, checkLength, checkNumber, describeKind } from './scalars.ts'
import type { AllowedValues, FailedKeyword, FoundMismatch, Pattern } from './types.ts'

/** Describes a mismatch and its place. */
export function describeMismatch(failed: FailedKeyword): FoundMismatch {
  const { keyword, value, instance, inner } = failed
  const actual = Instance.value<Json>(instance)
  const at = (step: string | number, detail: string): FoundMismatch => ({ node: instance, step, detail })
  switch (keyword) {
    case 'required':
      return at(firstMissing(actual, value as string[]), 'required field is missing')
    case 'dependentRequired':
      return at(
        firstMissing(actual, dependentFields(actual, value as [string, string[]][])),
        'required field is missing',
      )
    case 'uniqueItems':
      return at(duplicateOf(actual as Json[]), 'is a duplicate')
    case 'propertyNames':
      return { node: inner?.node ?? instance, detail: 'the name of the field is not allowed' }
    case 'additionalProperties':
    case 'unevaluatedProperties':
      if (inner?.isNothing) return { node: inner.node, detail: 'unexpected field' }
      break
    case 'unevaluatedItems':
      if (inner?.isNothing) return { node: inner.node, detail: 'unexpected item' }
  }
  return inner ?? { node: instance, detail: describeFailure(failed, actual) }
}

function describeFailure({ keyword, value, tried, matched }: FailedKeyword, actual: Json): string {
  const schema = { [keyword]: value as Json }
  switch (keyword) {
    case 'type':
      return describeKind(schema, actual)
    case 'const':
      return describeKind({ const: (value as AllowedValues).values[0] ?? null }, actual)
    case 'enum':
      return describeKind({ enum: (value as AllowedValues).values }, actual)
    case 'minLength':
    case 'maxLength':
      return checkLength(schema, actual as string) ?? keyword
    case 'pattern':
      return `does not match the pattern ${(value as Pattern).source.slice(0, 100)}`
    case 'minItems':
    case 'maxItems':
      return checkCount(schema, (actual as Json[]).length, 'minItems', 'maxItems', 'items') ?? keyword
    case 'minProperties':
    case 'maxProperties':
      return (
        checkCount(schema, Object.keys(actual as JsonObject).length, 'minProperties', 'maxProperties', 'fields') ??
        keyword
      )
    case 'contains': {
      const { minContains, maxContains } = value as { minContains: number; maxContains: number }
      const limit = matched < minContains ? `fewer than ${minContains}` : `more than ${maxContains}`
      return `${matched} items match \`contains\`, ${limit}`
    }
    case 'anyOf':
      return `matches none of ${tried} alternatives`
    case 'oneOf':
      return `matches ${matched || 'none'} of ${tried} alternatives, not exactly one`
    case 'not':
      return 'matches a schema that it must not match'
    default:
      return checkNumber(schema, actual as number) ?? `does not match \`${keyword}\``
  }
}

function dependentFields(actual: Json, dependents: [string, string[]][]): string[] {
  return dependents.flatMap(([key, needed]) => (isObject(actual) && Object.hasOwn(actual, key) ? needed : []))
}

function firstMissing(actual: Json, needed: string[]): string {
  return needed.find((key) => !isObject(actual) || !Object.hasOwn(actual, key)) ?? ''
}

/** Returns the index of the first duplicate. Equal items have equal JSON when their keys are sorted. */
function duplicateOf(items: Json[]): number {
  const seen = new Set<string>()
  return items.findIndex((item) => {
    const text = JSON.stringify(item, (_, value) => (isObject(value) ? sortKeys(value) : value))
    return seen.size === seen.add(text).size
  })
}

function sortKeys(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
