import type { Json } from '../values/json.ts'
import { isObject } from '../values/json.ts'

/** Keywords that contain subschemas. All other values in a document are data, even if they look like schemas. */
export const SCHEMA_KEYWORDS = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
export const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
export const SCHEMA_MAP_KEYWORDS = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]

/** Keywords with other values, which are passed to the validator unchanged. */
export const VALUE_KEYWORDS = [
  ...['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains'],
  ...['required', 'minProperties', 'maxProperties', 'dependentRequired'],
]

const TYPES = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'])

const isString = (value: Json) => typeof value === 'string'
const isNumber = (value: Json) => typeof value === 'number'
const isCount = (value: Json) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isStrings = (value: Json) => Array.isArray(value) && value.every(isString)
const isSchema = (value: Json) => typeof value === 'boolean' || isObject(value)
const isSchemas = (value: Json) => Array.isArray(value) && value.length > 0 && value.every(isSchema)
const isSchemaMap = (value: Json) => isObject(value) && Object.values(value).every(isSchema)
const isType = (value: Json) => typeof value === 'string' && TYPES.has(value)

/** Checks the value of each keyword. Unknown keywords are ignored and may have any value. */
export const KEYWORD_RULES: Record<string, (value: Json) => boolean> = {
  $id: isString,
  $ref: isString,
  $anchor: isString,
  $dynamicRef: isString,
  $dynamicAnchor: isString,
  $recursiveRef: isString,
  $defs: isSchemaMap,
  definitions: isSchemaMap,
  type: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  enum: (value) => Array.isArray(value),
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: (value) => isNumber(value) || typeof value === 'boolean',
  exclusiveMaximum: (value) => isNumber(value) || typeof value === 'boolean',
  minLength: isCount,
  maxLength: isCount,
  pattern: isString,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  items: (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
  additionalItems: isSchema,
  prefixItems: isSchemas,
  contains: isSchema,
  minContains: isCount,
  maxContains: isCount,
  unevaluatedItems: isSchema,
  properties: isSchemaMap,
  patternProperties: isSchemaMap,
  additionalProperties: isSchema,
  propertyNames: isSchema,
  unevaluatedProperties: isSchema,
  required: isStrings,
  minProperties: isCount,
  maxProperties: isCount,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(isStrings),
  dependentSchemas: isSchemaMap,
  dependencies: (value) => isObject(value) && Object.values(value).every((one) => isSchema(one) || isStrings(one)),
  allOf: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
  not: isSchema,
  if: isSchema,
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
  then: isSchema,
  else: isSchema,
}
