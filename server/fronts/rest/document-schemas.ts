import type { core } from 'zod'
import type { JsonSchema } from './document-types.ts'

// What the library makes of zod schemas, put into the form that generators read best.

/**
 * Removes from a schema what would restrict clients more than the contract does: closed objects (fields can be added),
 * JavaScript's bounds of integers, and patterns that repeat a format. OpenAPI 3.1 has JSON Schema's `examples`; `example` is
 * deprecated there.
 */
export function loosen(schema: JsonSchema, { _zod }: core.$ZodType): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  for (const bound of ['minimum', 'maximum']) {
    if (Math.abs(Number(schema[bound])) === Number.MAX_SAFE_INTEGER) delete schema[bound]
  }
  if ('format' in schema) delete schema.pattern
  if ('example' in schema) schema.examples = [schema.example]
  delete schema.example
  // The library leaves out the default of a number that a query has as text.
  const def = _zod.def as core.$ZodTypeDef & { defaultValue?: unknown }
  if (def.type === 'default') schema.default = def.defaultValue
}

/** Returns what the library generated, with types and enumerations for the choices, which generators cannot read. */
export function tidy(generated: { components?: { schemas?: Record<string, unknown> } }): unknown {
  return tidyPart(generated, generated.components?.schemas as Record<string, JsonSchema>)
}

function tidyPart(value: unknown, schemas: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((child) => tidyPart(child, schemas))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([keyword, child]) => [keyword, tidyPart(child, schemas)])
  return withoutChoices(Object.fromEntries(entries), schemas)
}

/**
 * A choice of constants becomes one enumeration, and a value or null one schema of two types, for which a named object is
 * written out. Other choices are any value to generators, as some write code for them that does not compile, and are kept
 * as `x-any-of`.
 */
function withoutChoices(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const { anyOf, ...rest } = schema as { anyOf?: JsonSchema[] } & JsonSchema
  if (!anyOf) return schema
  if (anyOf.every((choice) => 'const' in choice)) {
    const values = anyOf.map((choice) => choice.const)
    return { type: values.every(Number.isInteger) ? 'integer' : anyOf[0]?.type, enum: values, ...rest }
  }
  const [choice, ...others] = anyOf.filter(({ type }) => type !== 'null')
  if (!choice || others.length > 0) return { ...rest, 'x-any-of': anyOf }
  const name = typeof choice.$ref === 'string' ? choice.$ref.slice(choice.$ref.lastIndexOf('/') + 1) : null
  const only = name === null ? choice : (tidyPart(schemas[name], schemas) as JsonSchema)
  return {
    ...only,
    ...(only.enum ? { enum: [...(only.enum as unknown[]), null] } : {}),
    ...rest,
    type: [only.type, 'null'],
  }
}
