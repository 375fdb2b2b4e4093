import { isDeepStrictEqual } from 'node:util'
import type {
  ApiDocument,
  DocumentResponse,
  JsonSchema,
  Operation,
  Parameter,
} from '#server/fronts/rest/document-types.ts'

// Within version 1 the document may only grow. Requests must stay accepted, and fields of responses must stay with the
// same type. New error codes and new values of open enumerations are compatible, because clients have to expect them. A
// removed error code is not, because clients may act on it.

type Direction = 'request' | 'response'

/** Returns every way in which `after` would break a client of `before`; empty when it only adds. */
export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const found: string[] = []
  const compare = comparer(before, after, found)
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, old] of Object.entries(methods)) {
      const where = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (!now) {
        found.push(`${where} is gone`)
        continue
      }
      if (now.operationId !== old.operationId) found.push(`${where}: operationId is now ${now.operationId}`)
      compareSecurity(where, credentials(before, old), credentials(after, now), found)
      compareParameters(where, old.parameters ?? [], now.parameters ?? [], compare, found)
      compareBodies(where, old, now, compare, found)
      for (const [status, response] of Object.entries(old.responses)) {
        const given = now.responses[status]
        if (given) {
          const [was, is] = [resolve(before, response), resolve(after, given)]
          compareResponses(`${where} ${status}`, was, is, compare, found)
          if (status >= '400') compareCodes(`${where} ${status}`, codesOf(old, status), codesOf(now, status), found)
        } else found.push(`${where}: ${status} is gone`)
      }
      const succeeds = Object.keys(now.responses).filter((status) => status < '300' && !old.responses[status])
      for (const status of succeeds) found.push(`${where}: succeeds with ${status} now`)
    }
  }
  return found
}

/** The ways in which an operation takes credentials: of each, its schemes as text. No way means that it needs none. */
function credentials(document: ApiDocument, operation: Operation): string[][] {
  return (operation.security ?? document.security).map((way) =>
    Object.entries(way).map(([name, scopes]) => {
      const { description: _, ...scheme } = (document.components.securitySchemes[name] ?? {}) as JsonSchema
      return JSON.stringify([name, scheme, scopes])
    }),
  )
}

/** What a client sends must be enough for one of the ways of now. An operation without credentials is a mistake too. */
function compareSecurity(where: string, before: string[][], after: string[][], found: string[]) {
  const isKept = (old: string[]) => after.some((now) => now.length > 0 && now.every((scheme) => old.includes(scheme)))
  if (!before.every(isKept) || (before.length === 0 && after.length > 0)) found.push(`${where}: the security changed`)
}

type Compare = (where: string, before: JsonSchema, after: JsonSchema, direction: Direction) => void

function compareParameters(where: string, before: Parameter[], after: Parameter[], compare: Compare, found: string[]) {
  for (const old of before) {
    const now = after.find((each) => each.name === old.name && each.in === old.in)
    if (!now) found.push(`${where}: the ${old.in} parameter ${old.name} is gone`)
    else {
      if (now.required && !old.required) found.push(`${where}: ${old.name} is required now`)
      compare(`${where} ${old.name}`, old.schema, now.schema, 'request')
    }
  }
  for (const now of after.filter((each) => each.required)) {
    const isNew = !before.some((each) => each.name === now.name && each.in === now.in)
    if (isNew) found.push(`${where}: the new parameter ${now.name} is required`)
  }
}

function compareBodies(where: string, before: Operation, after: Operation, compare: Compare, found: string[]) {
  const [old, now] = [before.requestBody, after.requestBody]
  if (!old && now?.required) found.push(`${where}: a body is required now`)
  if (old && !now) found.push(`${where}: takes no body any more`)
  if (old && now) {
    compare(`${where} body`, old.content['application/json'].schema, now.content['application/json'].schema, 'request')
  }
}

function compareResponses(
  where: string,
  before: DocumentResponse,
  after: DocumentResponse,
  compare: Compare,
  found: string[],
) {
  for (const header of Object.keys(before.headers ?? {})) {
    if (!after.headers?.[header]) found.push(`${where}: the header ${header} is gone`)
  }
  const [old, now] = [before.content?.['application/json'].schema, after.content?.['application/json'].schema]
  if (old && !now) found.push(`${where}: the body is gone`)
  if (old && now) compare(where, old, now, 'response')
}

function compareCodes(where: string, before: string[], after: string[], found: string[]) {
  const lost = before.filter((code) => !after.includes(code))
  found.push(...lost.map((code) => `${where}: the error code ${code} is gone`))
}

function codesOf(operation: Operation, status: string): string[] {
  return operation['x-error-codes'][status] ?? []
}

function comparer(before: ApiDocument, after: ApiDocument, found: string[]): Compare {
  const seen = new Set<string>()
  return function compare(where, oldGiven, nowGiven, direction) {
    const pair = `${direction} ${oldGiven.$ref ?? where} ${nowGiven.$ref ?? where}`
    if (seen.has(pair)) return
    seen.add(pair)
    const [old, now] = [read(before, oldGiven), read(after, nowGiven)]
    const [given, taken] = direction === 'request' ? [old, now] : [now, old]
    // Each value that one side may send (a client a request, the server a response) must be one that the other accepts.
    const strange = [...given.types].filter(
      (type) => !taken.types.has(type) && !(type === 'integer' && taken.types.has('number')),
    )
    if (strange.length > 0 || (taken.types.size > 0 && given.types.size === 0)) {
      found.push(
        `${where}: is ${[...now.types].join(' or ') || 'anything'} now, was ${[...old.types].join(' or ') || 'anything'}`,
      )
    }
    if (taken.words && !given.words?.every((word) => taken.words?.includes(word))) {
      found.push(`${where}: the accepted words changed`)
    }
    if (taken.format !== given.format && taken.format !== undefined)
      found.push(`${where}: the format is ${now.format} now`)
    for (const [bound, tightens] of BOUNDS) {
      if (
        direction === 'request' &&
        now[bound] !== undefined &&
        (old[bound] === undefined || tightens(now[bound], old[bound]))
      ) {
        found.push(`${where}: ${bound} is ${now[bound]} now`)
      }
    }
    if (direction === 'request' && old.default !== undefined && !isDeepStrictEqual(old.default, now.default)) {
      found.push(`${where}: the default is ${JSON.stringify(now.default)} now`)
    }
    for (const [name, schema] of Object.entries(old.properties)) {
      const kept = now.properties[name]
      if (kept) compare(`${where}.${name}`, schema, kept, direction)
      else found.push(`${where}.${name} is gone`)
    }
    const [promised, kept] = direction === 'request' ? [now.required, old.required] : [old.required, now.required]
    for (const name of promised.filter((each) => !kept.includes(each))) {
      found.push(`${where}.${name} is ${direction === 'request' ? 'required' : 'optional'} now`)
    }
    if (old.items && now.items) compare(`${where}[]`, old.items, now.items, direction)
    if (old.values && now.values) compare(`${where}.*`, old.values, now.values, direction)
  }
}

const BOUNDS = [
  ['maximum', (now: number, old: number) => now < old],
  ['maxLength', (now: number, old: number) => now < old],
  ['maxItems', (now: number, old: number) => now < old],
  ['minimum', (now: number, old: number) => now > old],
  ['minLength', (now: number, old: number) => now > old],
  ['minItems', (now: number, old: number) => now > old],
] as const

type Shape = {
  types: Set<string>
  /** The only accepted values; null when any is accepted. */
  words: unknown[] | null
  format: unknown
  default: unknown
  properties: Record<string, JsonSchema>
  required: string[]
  items: JsonSchema | undefined
  values: JsonSchema | undefined
} & Partial<Record<(typeof BOUNDS)[number][0], number>>

type Reference = { $ref: string; description?: string }

/** Merges a schema with its alternatives. */
function read(document: ApiDocument, given: JsonSchema): Shape {
  const schema = resolve(document, given as { $ref: string } | JsonSchema) as JsonSchema
  const choices = ((schema.anyOf ?? schema['x-any-of'] ?? []) as JsonSchema[]).map((choice) => read(document, choice))
  const words = (schema.enum as unknown[] | undefined) ?? (schema.const === undefined ? null : [schema.const])
  const own = (words?.map(typeOf) ?? ([] as unknown[]).concat(schema.type ?? [])) as string[]
  const texts = choices.filter((choice) => ![...choice.types].every((type) => type === 'null'))
  return {
    ...(Object.fromEntries(BOUNDS.map(([bound]) => [bound, schema[bound] ?? texts[0]?.[bound]])) as Partial<Shape>),
    types: new Set([...own, ...choices.flatMap(({ types }) => [...types])]),
    words:
      words ?? (texts.length > 0 && texts.every((choice) => choice.words) ? texts.flatMap((c) => c.words ?? []) : null),
    format: schema.format ?? (texts.length === 1 ? texts[0]?.format : undefined),
    default: schema.default,
    properties: Object.assign({}, ...choices.map((choice) => choice.properties), schema.properties),
    required: [...((schema.required ?? []) as string[]), ...(texts.length === 1 ? (texts[0]?.required ?? []) : [])],
    items: (schema.items as JsonSchema | undefined) ?? texts.find((choice) => choice.items)?.items,
    values: typeof schema.additionalProperties === 'object' ? (schema.additionalProperties as JsonSchema) : undefined,
  }
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value
}

function resolve<T extends object>(document: ApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
  return found as T
}
