import type { JsonSchema } from './document-types.ts'

type Schemas = Record<string, JsonSchema>

// What the library makes of zod schemas, put into the form that generators read best.

/**
 * Returns what the library generated, with these named schemas, as the document shows it. Removes what would restrict
 * clients more than the contract does: closed objects (fields can be added), JavaScript's bounds of integers, and patterns
 * that repeat a format. Alternatives that generators cannot read become types and enumerations.
 */
export function tidy(value: unknown, schemas: Schemas = {}): unknown {
  if (Array.isArray(value)) return value.map((child) => tidy(child, schemas))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([keyword, child]) => {
      if (keyword === 'additionalProperties') return child !== false
      if (keyword === 'minimum' || keyword === 'maximum') return Math.abs(Number(child)) !== Number.MAX_SAFE_INTEGER
      return !(keyword === 'pattern' && 'format' in value)
    })
    .map(([keyword, child]) => [keyword, isExample(keyword, value) ? child : tidy(child, schemas)])
  return withExamples(withoutChoices(Object.fromEntries(entries), schemas))
}

/** Examples and defaults are values, not schemas. A property can have such a name too. */
function isExample(keyword: string, owner: object): boolean {
  return (
    (keyword === 'example' || keyword === 'examples' || keyword === 'default') &&
    ('type' in owner || 'anyOf' in owner || 'description' in owner)
  )
}

/** OpenAPI 3.1 has JSON Schema's `examples`; `example` is deprecated there. */
function withExamples(schema: JsonSchema): JsonSchema {
  if (!('example' in schema) || !isExample('example', schema)) return schema
  const { example, ...rest } = schema
  return { ...rest, examples: [example] }
}

/**
 * A choice of constants becomes one enumeration, and a value or null one schema of two types, for which a named object is
 * written out. Other choices are any value to generators, as some write code for them that does not compile, and are kept
 * as `x-any-of`.
 */
function withoutChoices(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { anyOf, ...rest } = schema as { anyOf?: JsonSchema[] } & JsonSchema
  if (!anyOf) return schema
  if (anyOf.every((choice) => 'const' in choice)) {
    const values = anyOf.map((choice) => choice.const)
    return { type: values.every(Number.isInteger) ? 'integer' : anyOf[0]?.type, enum: values, ...rest }
  }
  const [choice, ...others] = anyOf.filter(({ type }) => type !== 'null')
  if (!choice || others.length > 0) return { ...rest, 'x-any-of': anyOf }
  const only = typeof choice.$ref === 'string' ? (tidy(named(choice.$ref, schemas), schemas) as JsonSchema) : choice
  return {
    ...only,
    ...(only.enum ? { enum: [...(only.enum as unknown[]), null] } : {}),
    ...rest,
    type: [only.type, 'null'],
  }
}

function named(reference: string, schemas: Schemas): JsonSchema {
  return schemas[reference.slice(reference.lastIndexOf('/') + 1)] as JsonSchema
}
