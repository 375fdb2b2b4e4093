import { isObject, type Json, type JsonObject, measureJson } from '../values/json.ts'
import { KEYWORD_RULES, SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from './keywords.ts'

/** The document is not a schema, or its evaluation exceeds the limits. */
export class SchemaRejected extends Error {
  override readonly name = 'SchemaRejected'
}

const MAX_DOCUMENT_LENGTH = 256 * 1024
const MAX_DOCUMENT_DEPTH = 100
/** Total length of all identifiers and references, in characters. Each one includes its base URL. */
const MAX_IDENTIFIERS_LENGTH = 5_000_000
const ROOT_URL = 'schema:/'

export type Schema = boolean | JsonObject

/** A document whose keywords have valid values, with the targets of its references. */
export type CheckedDocument = {
  root: Schema
  /** By the schema that contains the reference. */
  references: ReadonlyMap<JsonObject, Schema>
}

export function checkDocument(document: Json): CheckedDocument {
  if (typeof document !== 'boolean' && !isObject(document)) {
    throw new SchemaRejected('a JSON Schema document is an object or a boolean')
  }
  const { size, depth } = measureJson(document, MAX_DOCUMENT_LENGTH)
  if (size > MAX_DOCUMENT_LENGTH) throw new SchemaRejected(`it is longer than ${MAX_DOCUMENT_LENGTH} characters`)
  if (depth > MAX_DOCUMENT_DEPTH) throw new SchemaRejected(`it nests deeper than ${MAX_DOCUMENT_DEPTH} levels`)
  const checker = new Checker()
  checker.visit(document, '#', ROOT_URL)
  return { root: document, references: checker.resolveReferences(document) }
}

class Checker {
  private readonly targets = new Map<string, Schema>()
  private readonly pending: { holder: JsonObject; url: string; written: string }[] = []
  private readonly visited = new Set<JsonObject>()
  private identifiersLength = 0

  /** Checks a schema and its subschemas. `base` is the base URL of its references. */
  visit(schema: Json, path: string, base: string): void {
    if (!isObject(schema) || this.visited.has(schema)) return
    this.visited.add(schema)
    for (const [keyword, value] of Object.entries(schema)) {
      const rule = Object.hasOwn(KEYWORD_RULES, keyword) ? KEYWORD_RULES[keyword] : undefined
      if (rule && !rule(value)) throw new SchemaRejected(`the value of ${path}/${keyword} has the wrong type`)
    }
    const schemaUrl = this.register(schema, base)
    this.collectReference(schema, schemaUrl)
    for (const keyword of SCHEMA_KEYWORDS) this.visit(ownField(schema, keyword), `${path}/${keyword}`, schemaUrl)
    for (const keyword of SCHEMA_LIST_KEYWORDS) {
      const list = ownField(schema, keyword)
      for (const [index, item] of Array.isArray(list) ? list.entries() : []) {
        this.visit(item, `${path}/${keyword}/${index}`, schemaUrl)
      }
    }
    for (const keyword of SCHEMA_MAP_KEYWORDS) {
      for (const [key, item] of Object.entries(objectOf(ownField(schema, keyword)))) {
        this.visit(item, `${path}/${keyword}/${key}`, schemaUrl)
      }
    }
  }

  resolveReferences(root: Schema): ReadonlyMap<JsonObject, Schema> {
    this.targets.set(ROOT_URL, root)
    const references = new Map<JsonObject, Schema>()
    for (const { holder, url, written } of this.pending) {
      const target = this.findTarget(url)
      if (target === undefined) throw new SchemaRejected(`the reference ${written} points outside the document`)
      references.set(holder, target)
      // A reference may point to a part that is not under a schema keyword. Its own references join `pending`.
      this.visit(target, written, withoutFragment(url))
    }
    return references
  }

  /** Registers the identifiers of a schema, and returns the base URL of its subschemas. */
  private register(schema: JsonObject, base: string): string {
    const id = ownField(schema, '$id')
    let schemaUrl = base
    // Up to draft 7, an `$id` that is only a fragment is an anchor.
    if (typeof id === 'string' && id.startsWith('#')) this.registerName(`${base}${id}`, schema)
    else if (typeof id === 'string') {
      schemaUrl = withoutFragment(this.resolve(id, base))
      this.registerName(schemaUrl, schema)
    }
    for (const anchor of [ownField(schema, '$anchor'), ownField(schema, '$dynamicAnchor')]) {
      if (typeof anchor === 'string') this.registerName(`${schemaUrl}#${anchor}`, schema)
    }
    return schemaUrl
  }

  private registerName(url: string, schema: JsonObject): void {
    this.addLength(url.length)
    const registered = this.targets.get(url)
    if (registered !== undefined && registered !== schema)
      throw new SchemaRejected(`two of its parts have the identifier ${url}`)
    this.targets.set(url, schema)
  }

  private collectReference(schema: JsonObject, base: string): void {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const written = ownField(schema, keyword)
      if (typeof written !== 'string') continue
      if (this.pending.at(-1)?.holder === schema) throw new SchemaRejected('a schema can have only one reference')
      this.pending.push({ holder: schema, url: this.resolve(written, base), written })
    }
  }

  private resolve(reference: string, base: string): string {
    this.addLength(reference.length + base.length)
    const url = URL.parse(reference, base)
    if (url === null) throw new SchemaRejected(`the reference ${reference.slice(0, 100)} is not valid`)
    return url.href
  }

  private addLength(characters: number): void {
    this.identifiersLength += characters
    if (this.identifiersLength > MAX_IDENTIFIERS_LENGTH)
      throw new SchemaRejected('its identifiers are too long, added up')
  }

  private findTarget(url: string): Schema | undefined {
    const registered = this.targets.get(url.endsWith('#') ? url.slice(0, -1) : url)
    if (registered !== undefined) return registered
    const [document, fragment = ''] = url.split('#', 2) as [string, string?]
    const start = this.targets.get(document)
    if (start === undefined || !fragment.startsWith('/')) return undefined
    return followPointer(start, fragment)
  }
}

/** Returns an own field; null when it is missing. */
export function ownField(object: JsonObject, key: string): Json {
  return Object.hasOwn(object, key) ? (object[key] ?? null) : null
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0]!
}

/** Resolves a JSON Pointer (RFC 6901) in a URL's fragment to a schema. */
function followPointer(start: Json, pointer: string): Schema | undefined {
  let at: Json = start
  for (const step of pointer.slice(1).split('/')) {
    const key = decodeStep(step)
    if (Array.isArray(at) && /^(0|[1-9][0-9]*)$/.test(key) && Number(key) < at.length) at = at[Number(key)]!
    else if (isObject(at) && Object.hasOwn(at, key)) at = at[key]!
    else return undefined
  }
  return typeof at === 'boolean' || isObject(at) ? at : undefined
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}
