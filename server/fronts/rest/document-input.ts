import type { z } from 'zod'
import type { JsonSchema, Operation, Parameter } from './document-types.ts'
import { IDEMPOTENCY_PARAMETER } from './idempotency.ts'
import type { Route } from './route.ts'

type Described = { description?: string; example?: unknown }

/** Returns parameters and body as the facade reads them: fields that come from the query become parameters. */
export function splitInput(route: Route, operation: Operation): { parameters: Parameter[]; body: JsonSchema | null } {
  const schema = operation.requestBody?.content['application/json'].schema
  const parameters = [...(operation.parameters ?? [])]
  const properties = { ...(schema?.properties as Record<string, JsonSchema> | undefined) }
  let required = (schema?.required as string[] | undefined) ?? []
  for (const name of (schema && route.api.query) ?? []) {
    const moved = properties[name]
    if (!moved) throw new Error(`${route.name}: the query's "${name}" is not in the input`)
    parameters.push({ name, in: 'query', required: required.includes(name), schema: moved })
    delete properties[name]
    required = required.filter((other) => other !== name)
  }
  const described = parameters.map((parameter) => describeParameter(route, parameter))
  if (route.method === 'POST') described.push(IDEMPOTENCY_PARAMETER)
  if (!schema || !route.readsBody) return { parameters: described, body: null }
  const { required: _, ...rest } = schema
  return { parameters: described, body: { ...rest, properties, ...(required.length > 0 ? { required } : {}) } }
}

/** Adds what the library loses of a parameter: its description, its example, and the default of a preprocessed number. */
function describeParameter(route: Route, { name, in: place, required, schema }: Parameter): Parameter {
  const field = route.inputs.map((input) => input.shape[name]).find((found) => found !== undefined)
  const { description, example } = field ? metaOfInput(field) : {}
  const { description: _, examples: __, ...rest } = schema
  const definition = field?._zod.def as { type: string; defaultValue?: unknown } | undefined
  return {
    name,
    in: place,
    required: required === true,
    ...(description === undefined ? {} : { description }),
    schema: definition?.type === 'default' ? { ...rest, default: definition.defaultValue } : rest,
    ...(example === undefined ? {} : { example }),
  }
}

/** Returns the description and the example of a schema, its own before those of what it wraps. */
export function metaOfInput(schema: z.core.$ZodType): Described {
  const { innerType, out } = schema._zod.def as { innerType?: z.core.$ZodType; out?: z.core.$ZodType }
  const inner = innerType ?? out
  return { ...(inner ? metaOfInput(inner) : {}), ...(schema as z.ZodType).meta() }
}
