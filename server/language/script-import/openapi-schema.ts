import { type Node, nodeOf } from './nodes.ts'
import { atPointer } from './openapi-examples.ts'

/** A variable has no longer value. */
const SCHEMA_MAX = 4_096
const DEPTH_MAX = 60
/** Keywords whose value is no schema, and keywords whose value has schemas by names. */
const VALUES = new Set(['enum', 'const', 'default', 'example', 'examples', 'required', 'discriminator', 'xml'])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])

/**
 * Returns a schema of an OpenAPI document as a JSON Schema that stands alone, as JSON. Returns null when it is too large
 * or refers to other documents.
 */
export function standaloneSchema(document: Node, schema: unknown): string | null {
  const isOld = !/^3\.[1-9]/.test(String(document.openapi ?? ''))
  const names = new Map<string, string>()
  const definitions: Node = {}
  let isComplete = true
  const copy = (value: unknown, depth: number): unknown => {
    if (depth > DEPTH_MAX) {
      isComplete = false
      return {}
    }
    if (Array.isArray(value)) return value.map((one) => copy(one, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    const node = isOld ? modern(nodeOf(value)) : nodeOf(value)
    const own = Object.entries(withoutWriteOnly(document, node)).map(([key, one]): [string, unknown] => {
      if (key === '$ref' && typeof one === 'string') return [key, `#/$defs/${definitionOf(one, depth)}`]
      if (VALUES.has(key)) return [key, one]
      if (!MAPS.has(key)) return [key, copy(one, depth + 1)]
      const members = Object.entries(nodeOf(one)).map(([name, member]) => [name, copy(member, depth + 1)])
      return [key, Object.fromEntries(members)]
    })
    return Object.fromEntries(own)
  }
  const definitionOf = (ref: string, depth: number): string => {
    const known = names.get(ref)
    if (known) return known
    const name = `d${names.size}`
    names.set(ref, name)
    const target = atPointer(document, ref)
    if (target === undefined) isComplete = false
    definitions[name] = copy(target ?? {}, depth + 1)
    return name
  }
  const root = nodeOf(copy(schema, 0))
  const text = JSON.stringify(names.size > 0 ? { ...root, $defs: definitions } : root)
  return isComplete && text.length <= SCHEMA_MAX ? text : null
}

/** Differences of OpenAPI before 3.1 from JSON Schema. */
function modern(node: Node): Node {
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = node
  const copy: Node = { ...rest }
  if (nullable === true && typeof rest.type === 'string') copy.type = [rest.type, 'null']
  if (nullable === true && Array.isArray(rest.enum) && !rest.enum.includes(null)) copy.enum = [...rest.enum, null]
  for (const [key, bound, value] of [
    ['exclusiveMinimum', 'minimum', exclusiveMinimum],
    ['exclusiveMaximum', 'maximum', exclusiveMaximum],
  ] as const) {
    if (value === true) {
      copy[key] = copy[bound]
      delete copy[bound]
    } else if (value !== undefined && value !== false) copy[key] = value
  }
  return copy
}

/** A `writeOnly` field is in no response, even if it is required. */
function withoutWriteOnly(document: Node, node: Node): Node {
  const { required, properties } = node
  if (!Array.isArray(required)) return node
  const isInAnswers = (name: unknown) => {
    const property = nodeOf(nodeOf(properties)[String(name)])
    const target = typeof property.$ref === 'string' ? nodeOf(atPointer(document, property.$ref)) : property
    return target.writeOnly !== true
  }
  return { ...node, required: required.filter(isInAnswers) }
}
