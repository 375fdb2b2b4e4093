import { isObject, type Json, type JsonObject, measure } from '../values/json.ts'
import { KEYWORD_RULES, SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from './keywords.ts'

/** The document is no schema, or none that can be evaluated safely. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
}

const LONGEST_DOCUMENT = 256 * 1024
const DEEPEST_DOCUMENT = 100
/** Characters of what its parts are called and refer to, each of which is as long as the identifier it is under. */
const LONGEST_NAMES = 5_000_000
const NOWHERE = 'schema:/'

export type Schema = boolean | JsonObject

/** A document whose keywords have values that they may have, with what its references lead to. */
export type CheckedDocument = {
  root: Schema
  /** By the schema that holds the reference. */
  references: ReadonlyMap<JsonObject, Schema>
}

export function checkDocument(document: Json): CheckedDocument {
  if (typeof document !== 'boolean' && !isObject(document)) {
    throw new SchemaRefused('a JSON Schema document is an object or a boolean')
  }
  const { size, depth } = measure(document, LONGEST_DOCUMENT)
  if (size > LONGEST_DOCUMENT) throw new SchemaRefused(`it is longer than ${LONGEST_DOCUMENT} characters`)
  if (depth > DEEPEST_DOCUMENT) throw new SchemaRefused(`it nests deeper than ${DEEPEST_DOCUMENT} levels`)
  const checker = new Checker()
  checker.visit(document, '#', NOWHERE)
  return { root: document, references: checker.finish(document) }
}

class Checker {
  private readonly targets = new Map<string, Schema>()
  private readonly pending: { holder: JsonObject; url: string; written: string }[] = []
  private readonly visited = new Set<JsonObject>()
  private named = 0

  /** Checks a schema and those in it. `base` is what references in it are relative to. */
  visit(schema: Json, place: string, base: string): void {
    if (!isObject(schema) || this.visited.has(schema)) return
    this.visited.add(schema)
    for (const [keyword, value] of Object.entries(schema)) {
      const rule = Object.hasOwn(KEYWORD_RULES, keyword) ? KEYWORD_RULES[keyword] : undefined
      if (rule && !rule(value)) throw new SchemaRefused(`the value of ${place}/${keyword} has the wrong type`)
    }
    const here = this.register(schema, base)
    this.collectReference(schema, here)
    for (const keyword of SCHEMA_KEYWORDS) this.visit(own(schema, keyword), `${place}/${keyword}`, here)
    for (const keyword of SCHEMA_LIST_KEYWORDS) {
      const list = own(schema, keyword)
      for (const [index, item] of Array.isArray(list) ? list.entries() : []) {
        this.visit(item, `${place}/${keyword}/${index}`, here)
      }
    }
    for (const keyword of SCHEMA_MAP_KEYWORDS) {
      for (const [key, item] of Object.entries(objectOf(own(schema, keyword)))) {
        this.visit(item, `${place}/${keyword}/${key}`, here)
      }
    }
  }

  finish(root: Schema): ReadonlyMap<JsonObject, Schema> {
    this.targets.set(NOWHERE, root)
    const references = new Map<JsonObject, Schema>()
    for (const { holder, url, written } of this.pending) {
      const target = this.find(url)
      if (target === undefined) throw new SchemaRefused(`the reference ${written} leads out of the document`)
      references.set(holder, target)
      // A reference may lead to a part that no keyword makes a schema; what that refers to joins the list.
      this.visit(target, written, withoutFragment(url))
    }
    return references
  }

  /** Notes what the schema can be called by, and gives the base for what is in it. */
  private register(schema: JsonObject, base: string): string {
    const id = own(schema, '$id')
    let here = base
    // Draft 7 and before: an id that is only a fragment is an anchor.
    if (typeof id === 'string' && id.startsWith('#')) this.name(`${base}${id}`, schema)
    else if (typeof id === 'string') {
      here = withoutFragment(this.resolve(id, base))
      this.name(here, schema)
    }
    for (const anchor of [own(schema, '$anchor'), own(schema, '$dynamicAnchor')]) {
      if (typeof anchor === 'string') this.name(`${here}#${anchor}`, schema)
    }
    return here
  }

  private name(url: string, schema: JsonObject): void {
    this.spend(url.length)
    const known = this.targets.get(url)
    if (known !== undefined && known !== schema) throw new SchemaRefused(`two of its parts are called ${url}`)
    this.targets.set(url, schema)
  }

  private collectReference(schema: JsonObject, base: string): void {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const written = own(schema, keyword)
      if (typeof written !== 'string') continue
      if (this.pending.at(-1)?.holder === schema) throw new SchemaRefused('a schema can hold one reference only')
      this.pending.push({ holder: schema, url: this.resolve(written, base), written })
    }
  }

  private resolve(reference: string, base: string): string {
    this.spend(reference.length + base.length)
    const url = URL.parse(reference, base)
    if (url === null) throw new SchemaRefused(`the reference ${reference.slice(0, 100)} is not valid`)
    return url.href
  }

  private spend(characters: number): void {
    this.named += characters
    if (this.named > LONGEST_NAMES) throw new SchemaRefused('its identifiers are too long for their number')
  }

  private find(url: string): Schema | undefined {
    const known = this.targets.get(url.endsWith('#') ? url.slice(0, -1) : url)
    if (known !== undefined) return known
    const [document, fragment = ''] = url.split('#', 2) as [string, string?]
    const start = this.targets.get(document)
    if (start === undefined || !fragment.startsWith('/')) return undefined
    return followPointer(start, fragment)
  }
}

/** A value's own field; `undefined` reads as null. */
export function own(object: JsonObject, key: string): Json {
  return Object.hasOwn(object, key) ? (object[key] ?? null) : null
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0]!
}

/** A schema by JSON Pointer (RFC 6901) in a URL's fragment. */
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
