import { isObject, type Json, type JsonObject } from '../executor/json.ts'
import { sameValue } from '../executor/operators.ts'
import { Work } from '../executor/work.ts'
import { type CompiledSchema, own, type Schema, SchemaRefused } from './compile.ts'
import { Evaluated } from './evaluated.ts'
import { type Path, writePath } from './path.ts'
import { checkCount, checkKind, checkLength, checkNumber } from './scalars.ts'

/** Where a value differs from its schema, as `.user.id`, and how. */
export type Mismatch = { path: string; detail: string }

/** About a second's work. */
const MOST_STEPS = 6_000_000
const DEEPEST = 2_000
/** A character is this much dearer to the regex engine than a step. */
const PATTERN_COST = 2

/** The first mismatch, or null. Throws `SchemaRefused` when bounds are passed. */
export function evaluateSchema(compiled: CompiledSchema, value: Json, strict: boolean): Mismatch | null {
  try {
    const mismatch = new Evaluation(compiled, strict).entry(compiled.root, value, null)
    return mismatch && { path: writePath(mismatch.path), detail: mismatch.detail }
  } catch (error) {
    // The stack of whoever called may leave less room than the depth limit counts on.
    if (error instanceof RangeError) throw new SchemaRefused('it nests too deep')
    throw error
  }
}

type Found = { path: Path; detail: string }
type Check = Found | null

class Evaluation {
  private readonly compiled: CompiledSchema
  private readonly strict: boolean
  private readonly tracks: boolean
  private readonly work = new Work()
  private steps = 0
  private depth = 0

  constructor(compiled: CompiledSchema, strict: boolean) {
    this.compiled = compiled
    this.strict = strict
    this.tracks = strict || compiled.tracksEvaluated
  }

  /** A value against the schema for its place; here is where `strict` looks for undeclared fields. */
  entry(schema: Schema, value: Json, path: Path): Check {
    const evaluated = this.tracks ? new Evaluated() : null
    const found = this.apply(schema, value, path, evaluated)
    if (found || !this.strict || !evaluated?.describesObject || !isObject(value)) return found
    const extra = Object.keys(value).find((key) => !evaluated.hasField(key))
    return extra === undefined ? null : { path: { parent: path, step: extra }, detail: 'unexpected field' }
  }

  /** A value against one schema; what it looked at is added to `evaluated` when it matches. */
  private apply(schema: Schema, value: Json, path: Path, evaluated: Evaluated | null): Check {
    this.spend(2)
    if (schema === true) return null
    if (schema === false) return { path, detail: 'nothing is allowed here' }
    if (this.depth >= DEEPEST) throw new SchemaRefused('it refers to itself without end')
    this.depth++
    try {
      const local = evaluated && new Evaluated()
      const found =
        this.inPlace(schema, value, path, local) ??
        this.ofValue(schema, value, path) ??
        (Array.isArray(value) ? this.ofArray(schema, value, path, local) : null) ??
        (isObject(value) ? this.ofObject(schema, value, path, local) : null) ??
        this.unevaluated(schema, value, path, local)
      if (!found && evaluated && local) evaluated.merge(local)
      return found
    } finally {
      this.depth--
    }
  }

  private ofValue(schema: JsonObject, value: Json, path: Path): Check {
    const same = (a: Json, b: Json) => {
      this.spend(5)
      return sameValue(a, b, this.work)
    }
    let detail = checkKind(schema, value, same)
    if (detail === null && typeof value === 'number') detail = checkNumber(schema, value)
    if (detail === null && typeof value === 'string') {
      this.spend(value.length / 10)
      detail = checkLength(schema, value)
      const pattern = own(schema, 'pattern')
      if (detail === null && typeof pattern === 'string' && !this.matches(pattern, value)) {
        detail = `does not match the pattern ${pattern.slice(0, 100)}`
      }
    }
    return detail === null ? null : { path, detail }
  }

  private matches(pattern: string, text: string): boolean {
    this.spend(10 + text.length * PATTERN_COST)
    return this.compiled.patterns.get(pattern)!.matcher(text).find()
  }

  /** Keywords that put other schemas on the same value. */
  private inPlace(schema: JsonObject, value: Json, path: Path, local: Evaluated | null): Check {
    const target = this.compiled.references.get(schema)
    const found =
      (target === undefined ? null : this.apply(target, value, path, local)) ??
      this.every(schemasOf(schema, 'allOf'), value, path, local) ??
      this.anyOf(schemasOf(schema, 'anyOf'), value, path, local) ??
      this.oneOf(schemasOf(schema, 'oneOf'), value, path, local)
    if (found) return found
    const not = schemaOf(schema, 'not')
    if (not !== null && this.apply(not, value, path, null) === null) return { path, detail: 'matches what it must not' }
    const condition = schemaOf(schema, 'if')
    if (condition === null) return null
    const branch = schemaOf(schema, this.apply(condition, value, path, local) === null ? 'then' : 'else')
    return branch === null ? null : this.apply(branch, value, path, local)
  }

  private every(schemas: Schema[], value: Json, path: Path, local: Evaluated | null): Check {
    for (const schema of schemas) {
      const found = this.apply(schema, value, path, local)
      if (found) return found
    }
    return null
  }

  private anyOf(schemas: Schema[], value: Json, path: Path, local: Evaluated | null): Check {
    let matched = schemas.length === 0
    for (const schema of schemas) {
      // What further alternatives look at counts only where someone asks for it.
      if (matched && local === null) break
      if (this.apply(schema, value, path, local) === null) matched = true
    }
    return matched ? null : { path, detail: `matches none of ${schemas.length} alternatives` }
  }

  private oneOf(schemas: Schema[], value: Json, path: Path, local: Evaluated | null): Check {
    if (schemas.length === 0) return null
    const matching = schemas.filter((schema) => this.apply(schema, value, path, local) === null).length
    if (matching === 1) return null
    return { path, detail: `matches ${matching || 'none'} of ${schemas.length} alternatives, not exactly one` }
  }

  private ofArray(schema: JsonObject, value: Json[], path: Path, local: Evaluated | null): Check {
    const detail = checkCount(schema, value.length, 'minItems', 'maxItems', 'items')
    if (detail !== null) return { path, detail }
    const { items } = schema
    // Before draft 2020-12 the schemas of the first items stood in `items`, and that of the rest beside it.
    const first = schemasOf(schema, Array.isArray(items) ? 'items' : 'prefixItems')
    const rest = schemaOf(schema, Array.isArray(items) ? 'additionalItems' : 'items')
    for (const [index, item] of value.entries()) {
      const itemSchema = index < first.length ? first[index]! : rest
      if (itemSchema === null) break
      const found = this.entry(itemSchema, item, { parent: path, step: index })
      if (found) return found
    }
    if (local) local.items = Math.max(local.items, rest === null ? Math.min(first.length, value.length) : value.length)
    const duplicate = schema.uniqueItems === true ? this.duplicateOf(value) : null
    if (duplicate !== null) return { path: { parent: path, step: duplicate }, detail: 'stands more than once' }
    return this.contains(schema, value, path, local)
  }

  private contains(schema: JsonObject, value: Json[], path: Path, local: Evaluated | null): Check {
    const wanted = schemaOf(schema, 'contains')
    if (wanted === null) return null
    const least = typeof schema.minContains === 'number' ? schema.minContains : 1
    const most = typeof schema.maxContains === 'number' ? schema.maxContains : Number.POSITIVE_INFINITY
    let count = 0
    for (const [index, item] of value.entries()) {
      if (this.entry(wanted, item, null) !== null) continue
      count++
      local?.scatteredItems.add(index)
    }
    if (count >= least && count <= most) return null
    const limit = count < least ? `fewer than ${least}` : `more than ${most}`
    return { path, detail: `${count} items match \`contains\`, ${limit}` }
  }

  /** The second of two equal items. Equal items have equal JSON once their keys are in order. */
  private duplicateOf(items: Json[]): number | null {
    const seen = new Set<string>()
    for (const [index, item] of items.entries()) {
      const text = JSON.stringify(item, (_, value) => (isObject(value) ? sorted(value) : value))
      this.spend(5 + text.length / 4)
      if (seen.has(text)) return index
      seen.add(text)
    }
    return null
  }

  private ofObject(schema: JsonObject, value: JsonObject, path: Path, local: Evaluated | null): Check {
    const keys = Object.keys(value)
    const detail = checkCount(schema, keys.length, 'minProperties', 'maxProperties', 'fields')
    if (detail !== null) return { path, detail }
    const missing = stringsOf(schema, 'required').find((key) => !Object.hasOwn(value, key))
    if (missing !== undefined) return { path: { parent: path, step: missing }, detail: 'required field is missing' }
    if (local)
      local.describesObject ||= DESCRIBING.some((keyword) => Object.hasOwn(schema, keyword)) || allows(schema, 'object')
    return this.fields(schema, value, keys, path, local) ?? this.dependents(schema, value, path, local)
  }

  private fields(schema: JsonObject, value: JsonObject, keys: string[], path: Path, local: Evaluated | null): Check {
    const properties = mapOf(schema, 'properties')
    const patterns = Object.entries(mapOf(schema, 'patternProperties'))
    const additional = schemaOf(schema, 'additionalProperties')
    const names = schemaOf(schema, 'propertyNames')
    for (const key of keys) {
      this.spend(1)
      const at: Path = { parent: path, step: key }
      if (names !== null && this.entry(names, key, at))
        return { path: at, detail: 'the name of the field is not allowed' }
      const schemas: Schema[] = Object.hasOwn(properties, key) ? [properties[key] as Schema] : []
      for (const [pattern, one] of patterns) if (this.matches(pattern, key)) schemas.push(one as Schema)
      const declared = schemas.length > 0
      if (!declared && additional === false) return { path: at, detail: 'unexpected field' }
      if (!declared && additional !== null) schemas.push(additional)
      for (const one of schemas) {
        const found = this.entry(one, value[key]!, at)
        if (found) return found
      }
      // `additionalProperties: true` allows a field and yet declares none, which is what `strict` asks.
      if (local && schemas.length > 0 && (declared || additional !== true || !this.strict)) local.fields.add(key)
    }
    return null
  }

  private dependents(schema: JsonObject, value: JsonObject, path: Path, local: Evaluated | null): Check {
    const dependents = { ...mapOf(schema, 'dependencies'), ...mapOf(schema, 'dependentSchemas') }
    for (const [key, needed] of Object.entries(mapOf(schema, 'dependentRequired'))) {
      const found = Object.hasOwn(value, key) ? lacking(value, needed, path) : null
      if (found) return found
    }
    for (const [key, needed] of Object.entries(dependents)) {
      if (!Object.hasOwn(value, key)) continue
      const found = Array.isArray(needed)
        ? lacking(value, needed, path)
        : this.apply(needed as Schema, value, path, local)
      if (found) return found
    }
    return null
  }

  /** What no other keyword of this schema, nor of those it puts in place, has looked at. */
  private unevaluated(schema: JsonObject, value: Json, path: Path, local: Evaluated | null): Check {
    if (local === null) return null
    const items = schemaOf(schema, 'unevaluatedItems')
    if (items !== null && Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (local.hasItem(index)) continue
        const at: Path = { parent: path, step: index }
        if (items === false) return { path: at, detail: 'unexpected item' }
        const found = this.entry(items, item, at)
        if (found) return found
      }
      local.items = value.length
    }
    const fields = schemaOf(schema, 'unevaluatedProperties')
    if (fields !== null && isObject(value)) {
      for (const key of Object.keys(value)) {
        if (local.hasField(key)) continue
        const at: Path = { parent: path, step: key }
        if (fields === false) return { path: at, detail: 'unexpected field' }
        const found = this.entry(fields, value[key]!, at)
        if (found) return found
      }
      local.allFields ||= fields !== true || !this.strict
    }
    return null
  }

  private spend(steps: number): void {
    this.steps += steps
    if (this.steps > MOST_STEPS) throw new SchemaRefused('matching the body would take too long')
  }
}

const DESCRIBING = ['properties', 'patternProperties', 'additionalProperties', 'required']

function allows(schema: JsonObject, type: string): boolean {
  const { type: types } = schema
  return types === type || (Array.isArray(types) && types.includes(type))
}

function lacking(value: JsonObject, needed: Json, path: Path): Check {
  const missing = Array.isArray(needed) ? needed.find((key) => !Object.hasOwn(value, String(key))) : undefined
  return missing === undefined
    ? null
    : { path: { parent: path, step: String(missing) }, detail: 'required field is missing' }
}

function schemaOf(schema: JsonObject, keyword: string): Schema | null {
  const value = own(schema, keyword)
  return typeof value === 'boolean' || isObject(value) ? value : null
}

function schemasOf(schema: JsonObject, keyword: string): Schema[] {
  const value = own(schema, keyword)
  return Array.isArray(value) ? (value as Schema[]) : []
}

function mapOf(schema: JsonObject, keyword: string): JsonObject {
  const value = own(schema, keyword)
  return isObject(value) ? value : {}
}

function stringsOf(schema: JsonObject, keyword: string): string[] {
  const value = own(schema, keyword)
  return Array.isArray(value) ? (value as string[]) : []
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
