import { isObject, type Json, type JsonObject } from '../executor/json.ts'
import { type CheckedDocument, own, type Schema, SchemaRefused } from './check.ts'
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, VALUE_KEYWORDS } from './keywords.ts'

/** So many schemas are built at most: what is referred to is built where it stands, and once more by itself. */
const MOST_SCHEMAS = 20_000

/** Keywords whose schemas are for a part of the value, not for the value itself. */
const INTO_PARTS = new Set([
  'additionalProperties',
  'contains',
  'items',
  'patternProperties',
  'prefixItems',
  'properties',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/**
 * Writes a checked document anew for the validator: of draft 2020-12, with references by place to `$defs`, values of
 * `const` and `enum` as JSON text, and without names, annotations and what nothing refers to. With `strict`, schemas for
 * a whole value get the keyword `declared`.
 */
export function rewrite({ root, references }: CheckedDocument, strict: boolean): JsonObject {
  const names = new Map<Schema, string>([[root, 'd0']])
  let built = 0

  const build = (given: Schema, isWhole: boolean): Schema => {
    if (typeof given === 'boolean') return given
    if (++built > MOST_SCHEMAS) throw new SchemaRefused(`it has more than ${MOST_SCHEMAS} schemas`)
    const schema = modernise(given)
    const entries = Object.entries(schema).flatMap<[string, Json]>(([keyword, value]) => {
      const isPart = INTO_PARTS.has(keyword)
      if (keyword === 'const' || keyword === 'enum') return [[keyword, JSON.stringify(value)]]
      if (SCHEMA_KEYWORDS.includes(keyword)) return [[keyword, build(value as Schema, isPart)]]
      if (SCHEMA_LIST_KEYWORDS.includes(keyword))
        return [[keyword, (value as Schema[]).map((one) => build(one, isPart))]]
      // Schemas that stand ready there are built where they are referred to.
      if (keyword === '$defs' || keyword === 'definitions') return []
      if (SCHEMA_MAP_KEYWORDS.includes(keyword))
        return [[keyword, mapValues(value as JsonObject, (one) => build(one as Schema, isPart))]]
      return VALUE_KEYWORDS.includes(keyword) ? [[keyword, value]] : []
    })
    const target = references.get(given)
    if (target !== undefined) {
      const name = names.get(target) ?? `d${names.size}`
      names.set(target, name)
      entries.unshift(['$ref', `#/$defs/${name}`])
    }
    if (!strict) return Object.fromEntries(entries)
    // What is allowed and nothing more is known of is not declared.
    const kept = entries.filter(
      ([keyword, value]) => value !== true || !/^(additional|unevaluated)Properties$/.test(keyword),
    )
    if (isWhole && !kept.some(([keyword]) => keyword === 'unevaluatedProperties')) kept.push(['declared', true])
    return Object.fromEntries(kept)
  }

  const $defs: [string, Json][] = []
  // The map grows while it is gone through.
  for (const [schema, name] of names) $defs.push([name, build(schema, false)])
  return { $defs: Object.fromEntries($defs), $ref: '#/$defs/d0', ...(strict ? { declared: true } : {}) }
}

/** A schema's keywords as draft 2020-12 has them. */
function modernise(schema: JsonObject): JsonObject {
  const { dependencies, exclusiveMinimum, exclusiveMaximum, ...others } = schema
  const modern: JsonObject = others
  // Up to draft 4, `exclusiveMinimum: true` sharpens `minimum`.
  for (const [keyword, limit, value] of [
    ['exclusiveMinimum', 'minimum', exclusiveMinimum],
    ['exclusiveMaximum', 'maximum', exclusiveMaximum],
  ] as const) {
    if (typeof value === 'number') modern[keyword] = value
    else if (value === true && typeof modern[limit] === 'number') {
      modern[keyword] = modern[limit]
      delete modern[limit]
    }
  }
  // Before draft 2020-12 the schemas of the first items stood in `items`, and that of the rest beside it.
  if (Array.isArray(modern.items)) {
    const { items, additionalItems } = modern
    delete modern.items
    if (items.length > 0) modern.prefixItems = items
    if (additionalItems !== undefined) modern.items = additionalItems
  }
  delete modern.additionalItems
  if (isObject(dependencies)) {
    const [fields, schemas] = [true, false].map((isList) => {
      return Object.entries(dependencies).filter(([, value]) => Array.isArray(value) === isList)
    }) as [[string, Json][], [string, Json][]]
    modern.dependentRequired = Object.fromEntries([...fields, ...Object.entries(mapOf(schema, 'dependentRequired'))])
    modern.dependentSchemas = Object.fromEntries([...schemas, ...Object.entries(mapOf(schema, 'dependentSchemas'))])
  }
  return modern
}

function mapOf(schema: JsonObject, keyword: string): JsonObject {
  const value = own(schema, keyword)
  return isObject(value) ? value : {}
}

function mapValues(map: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}
