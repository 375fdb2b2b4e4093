import { isObject, type Json, type JsonObject, measureJson } from '../values/json.ts'
import { type CheckedDocument, ownField, type Schema, SchemaRejected } from './check.ts'
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, VALUE_KEYWORDS } from './keywords.ts'

/** Maximum number of schemas in the output. A referenced schema is written twice: in its place and under `$defs`. */
const MAX_SCHEMAS = 20_000
/**
 * Maximum length of paths and values in the output, in characters. The validator stores the full path of each schema
 * and keyword: below one name of 100,000 characters, 4,000 schemas took 90 s.
 */
const MAX_OUTPUT_LENGTH = 10_000_000
/** The validator parses values again, which costs about four times as much as a path. */
const VALUE_COST = 4

/** Keywords whose subschemas apply to a part of the value, not to the value itself. */
const PART_KEYWORDS = new Set([
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
 * Rewrites a checked document for the validator: as draft 2020-12, with references to `$defs` by path, values of
 * `const` and `enum` as JSON strings, and without identifiers, annotations and unused definitions. With `strict`,
 * schemas for a whole value get the keyword `declared`.
 */
export function rewrite({ root, references }: CheckedDocument, strict: boolean): JsonObject {
  const names = new Map<Schema, string>([[root, 'd0']])
  let schemaCount = 0
  let outputLength = 0

  const spend = (characters: number) => {
    outputLength += characters
    if (outputLength > MAX_OUTPUT_LENGTH)
      throw new SchemaRejected('its names and values are too long for the number of schemas below them')
  }

  /** `pathLength` is the length of the path of the schema, in characters. */
  const build = (given: Schema, isWhole: boolean, pathLength: number): Schema => {
    if (++schemaCount > MAX_SCHEMAS) throw new SchemaRejected(`it has more than ${MAX_SCHEMAS} schemas`)
    spend(pathLength)
    if (typeof given === 'boolean') return given
    const schema = toCurrentDraft(given)
    const entries = Object.entries(schema).flatMap<[string, Json]>(([keyword, value]) => {
      const isPart = PART_KEYWORDS.has(keyword)
      const innerLength = pathLength + keyword.length + 1
      spend(innerLength)
      if (keyword === 'const' || keyword === 'enum') {
        const text = JSON.stringify(value)
        spend(text.length * VALUE_COST)
        return [[keyword, text]]
      }
      if (SCHEMA_KEYWORDS.includes(keyword)) return [[keyword, build(value as Schema, isPart, innerLength)]]
      if (SCHEMA_LIST_KEYWORDS.includes(keyword))
        return [
          [
            keyword,
            (value as Schema[]).map((one, index) => build(one, isPart, innerLength + String(index).length + 1)),
          ],
        ]
      // Definitions are built when a reference uses them.
      if (keyword === '$defs' || keyword === 'definitions') return []
      if (SCHEMA_MAP_KEYWORDS.includes(keyword))
        return [
          [
            keyword,
            mapValues(value as JsonObject, (one, key) =>
              build(one as Schema, isPart, innerLength + encodedLength(key) + 1),
            ),
          ],
        ]
      if (!VALUE_KEYWORDS.includes(keyword)) return []
      spend(measureJson(value, MAX_OUTPUT_LENGTH).size * VALUE_COST)
      return [[keyword, value]]
    })
    const target = references.get(given)
    if (target !== undefined) {
      const name = names.get(target) ?? `d${names.size}`
      names.set(target, name)
      entries.unshift(['$ref', `#/$defs/${name}`])
    }
    if (!strict) return Object.fromEntries(entries)
    // `true` allows additional fields but does not declare them.
    const strictEntries = entries.filter(
      ([keyword, value]) => value !== true || !/^(additional|unevaluated)Properties$/.test(keyword),
    )
    if (isWhole && !strictEntries.some(([keyword]) => keyword === 'unevaluatedProperties'))
      strictEntries.push(['declared', true])
    return Object.fromEntries(strictEntries)
  }

  const $defs: [string, Json][] = []
  // The map grows during this iteration.
  for (const [schema, name] of names) $defs.push([name, build(schema, false, `#/$defs/${name}`.length)])
  return { $defs: Object.fromEntries($defs), $ref: '#/$defs/d0', ...(strict ? { declared: true } : {}) }
}

/** Converts the keywords of a schema to draft 2020-12. */
function toCurrentDraft(schema: JsonObject): JsonObject {
  const { dependencies, exclusiveMinimum, exclusiveMaximum, ...others } = schema
  const modern: JsonObject = others
  // Up to draft 4, `exclusiveMinimum: true` makes `minimum` exclusive.
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
  // Before draft 2020-12, `items` held the schemas of the first items and `additionalItems` that of the rest.
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
  const value = ownField(schema, keyword)
  return isObject(value) ? value : {}
}

/** Returns the length of a field's name in a path, where it is URL-encoded. */
function encodedLength(name: string): number {
  if (!name.isWellFormed()) throw new SchemaRejected('the name of a field in it is not valid Unicode')
  return encodeURIComponent(name).length
}

function mapValues(map: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]))
}
