import type { JsonSchema } from '#server/fronts/rest/document-types.ts'
import { referenced } from './document.ts'

/** A parameter or a field of a body, as the reference shows it. */
export type Field = {
  name: string
  type: string
  isRequired: boolean
  description: string
  /** Bounds, default and example, such as `at most 128 characters`. */
  facts: string[]
  /** The known values of an enumeration. */
  values: string[]
  /** More values can be added to the enumeration within version 1. */
  isOpen: boolean
  /** The fields of the object, or of the objects in the list. */
  fields: Field[]
}

/** Returns the fields of an object, or of the objects in a list. `within` names the schemas that contain it. */
export function fieldsOf(schema: JsonSchema, within: string[] = []): Field[] {
  const reference = schema.$ref as string | undefined
  if (reference !== undefined) {
    // A schema that contains itself is shown once.
    return within.includes(reference) ? [] : fieldsOf(referenced(reference) as JsonSchema, [...within, reference])
  }
  const properties = schema.properties as Record<string, JsonSchema> | undefined
  if (properties) {
    const required = (schema.required as string[] | undefined) ?? []
    return Object.entries(properties).map(([name, child]) => fieldOf(name, child, required.includes(name), within))
  }
  return partsOf(schema).flatMap((part) => fieldsOf(part, within))
}

export function fieldOf(name: string, schema: JsonSchema, isRequired: boolean, within: string[] = []): Field {
  const { values, isOpen } = valuesOf(schema)
  return {
    name,
    type: typeText(schema),
    isRequired,
    description: descriptionOf(schema),
    facts: factsOf(schema),
    values,
    isOpen,
    fields: fieldsOf(schema, within),
  }
}

/** Returns for example `string (uuid) or null` or `array of Incident`. */
export function typeText(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if ('const' in schema) return JSON.stringify(schema.const)
  const choices = schema['x-any-of'] as JsonSchema[] | undefined
  if (choices) return [...new Set(choices.map(typeText))].join(' or ')
  const types = [schema.type ?? 'any'].flat() as string[]
  return types.map((type) => oneTypeText(type, schema)).join(' or ')
}

function oneTypeText(type: string, schema: JsonSchema): string {
  if (type === 'array') return `array of ${schema.items ? typeText(schema.items as JsonSchema) : 'any'}`
  if (type === 'object' && typeof schema.additionalProperties === 'object') return 'object with any keys'
  return type === 'string' && schema.format ? `string (${schema.format})` : type
}

/** The schemas of which a value of this schema consists, or one of which it has. */
function partsOf(schema: JsonSchema): JsonSchema[] {
  const values = schema.additionalProperties
  return [
    ...((schema['x-any-of'] as JsonSchema[] | undefined) ?? []),
    ...(schema.items ? [schema.items as JsonSchema] : []),
    ...(typeof values === 'object' && values !== null ? [values as JsonSchema] : []),
  ]
}

function descriptionOf(schema: JsonSchema): string {
  const own = schema.description as string | undefined
  if (own !== undefined) return own
  const target = typeof schema.$ref === 'string' ? (referenced(schema.$ref) as JsonSchema) : undefined
  return (target?.description as string | undefined) ?? ''
}

function valuesOf(schema: JsonSchema): { values: string[]; isOpen: boolean } {
  const known = schema['x-extensible-enum'] as string[] | undefined
  if (known) return { values: known, isOpen: true }
  const own = schema.enum as unknown[] | undefined
  if (own) return { values: own.filter((value) => value !== null).map(String), isOpen: false }
  const parts = partsOf(schema).map(valuesOf)
  return { values: parts.flatMap((part) => part.values), isOpen: parts.some((part) => part.isOpen) }
}

function factsOf(schema: JsonSchema): string[] {
  const bounded = [schema, ...partsOf(schema)]
  const found = (keyword: string) => bounded.find((part) => keyword in part)?.[keyword]
  return [
    boundsText(found('minLength'), found('maxLength'), ' characters'),
    boundsText(found('minimum'), found('maximum'), ''),
    boundsText(found('minItems'), found('maxItems'), ' entries'),
    'pattern' in schema ? `matching ${schema.pattern}` : '',
    'default' in schema ? `default ${JSON.stringify(schema.default)}` : '',
    'example' in schema ? `for example ${JSON.stringify(schema.example)}` : '',
  ].filter((fact) => fact !== '')
}

function boundsText(min: unknown, max: unknown, unit: string): string {
  if (min === undefined && max === undefined) return ''
  if (max === undefined) return `at least ${numberText(min)}${unit}`
  return min === undefined ? `at most ${numberText(max)}${unit}` : `${numberText(min)} to ${numberText(max)}${unit}`
}

function numberText(value: unknown): string {
  return Number(value).toLocaleString('en')
}
