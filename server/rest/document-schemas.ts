import type { JsonSchema } from './document-types.ts'

// What the library makes of zod schemas, put into the form that generators read best.

/**
 * Returns the schemas as the document shows them. Removes what would restrict clients more than the contract does: closed
 * objects (fields can be added), JavaScript's bounds of integers, and patterns that repeat a format. Alternatives within
 * alternatives become one list, and a description that is only on the value beside null moves to the field.
 */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([keyword, child]) => {
      if (keyword === 'additionalProperties') return child !== false
      if (keyword === 'minimum' || keyword === 'maximum') return Math.abs(Number(child)) !== Number.MAX_SAFE_INTEGER
      return !(keyword === 'pattern' && 'format' in value)
    })
    .map(([keyword, child]) => [keyword, isExample(keyword, value) ? child : tidy(child)])
  return withExamples(withFlatChoices(Object.fromEntries(entries)))
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

function withFlatChoices(schema: JsonSchema): JsonSchema {
  const choices = schema.anyOf as JsonSchema[] | undefined
  if (!choices) return schema
  const [only, ...others] = choices.filter((choice) => choice.type !== 'null')
  if (!only || others.length > 0 || typeof only.$ref === 'string') return schema
  const { anyOf, description, examples, 'x-extensible-enum': known, ...rest } = only
  const hoisted = { ...(description ? { description } : {}), ...(examples ? { examples } : {}) }
  const own = anyOf ? (anyOf as JsonSchema[]) : [rest]
  return {
    ...hoisted,
    ...(known ? { 'x-extensible-enum': known } : {}),
    ...schema,
    anyOf: [...own, { type: 'null' }],
  }
}

/**
 * Returns an example of a schema: its own, or one that consists of the examples of its fields. Undefined without any; a
 * test finds such schemas.
 */
export function exampleOf(schema: JsonSchema, schemas: Record<string, JsonSchema>): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return exampleOf(schemas[name] as JsonSchema, schemas)
  }
  if (schema.properties) {
    const fields = Object.entries(schema.properties as Record<string, JsonSchema>)
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, schemas)]))
  }
  if (schema.items) return [exampleOf(schema.items as JsonSchema, schemas)]
  const [choice] = (schema.anyOf as JsonSchema[] | undefined) ?? []
  return choice && exampleOf(choice, schemas)
}
