import { listOf, type Node, nodeOf } from './nodes.ts'
import type { Json } from './request.ts'

// Examples of what an OpenAPI document describes.

/** Examples that are made from schemas end at this depth, so that a schema may refer to itself. */
const DEPTH_MAX = 6
/** The most parts of one example: a schema with many properties of its own kind would grow with each level. */
const PARTS_MAX = 2_000

export function mediaExample(document: Node, media: unknown): Json {
  const { example, examples, schema } = nodeOf(media)
  const [named] = Object.values(nodeOf(examples))
  return (example ?? resolved(document, named).value ?? exampleOf(document, schema)) as Json
}

/** Returns an example of a schema: its own, or one that is made from its types. */
export function exampleOf(document: Node, schema: unknown, depth = 0, budget = { parts: PARTS_MAX }): Json {
  const node = resolved(document, schema)
  const given = node.example ?? listOf(node.examples)[0] ?? node.default ?? node.const ?? listOf(node.enum)[0]
  if (given !== undefined) return given as Json
  if (depth > DEPTH_MAX || --budget.parts < 0) return null
  const part = listOf(node.oneOf ?? node.anyOf)[0]
  if (part) return exampleOf(document, part, depth + 1, budget)
  const type = Array.isArray(node.type) ? node.type[0] : node.type
  if (type === 'array') return [exampleOf(document, node.items, depth + 1, budget)]
  if (type === 'integer' || type === 'number') return typeof node.minimum === 'number' ? node.minimum : 1
  if (type === 'boolean') return true
  if (type === 'string') return STRINGS[String(node.format)] ?? 'string'
  return objectExample(document, node, depth, budget)
}

function objectExample(document: Node, node: Node, depth: number, budget: { parts: number }): Json {
  const merged: { [key: string]: Json } = {}
  for (const part of listOf(node.allOf)) Object.assign(merged, exampleOf(document, part, depth + 1, budget))
  const required = listOf(node.required)
  for (const [name, property] of Object.entries(nodeOf(node.properties))) {
    // Without a list of required fields, all of them are shown.
    if (required.length === 0 || required.includes(name))
      merged[name] = exampleOf(document, property, depth + 1, budget)
  }
  return merged
}

const STRINGS: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'probe@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
}

/** Follows references within the document, a few times at most. */
export function resolved(document: Node, value: unknown): Node {
  let node = nodeOf(value)
  for (let steps = 0; typeof node.$ref === 'string' && steps < 10; steps++)
    node = nodeOf(atPointer(document, node.$ref))
  return node
}

/** Returns what `#/a/b` refers to; undefined for other references. */
export function atPointer(document: Node, ref: string): unknown {
  const path = ref.startsWith('#/') ? ref.slice(2).split('/') : []
  const names = path.map((part) => decodedPart(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Node)[name] : undefined),
    path.length > 0 ? document : undefined,
  )
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Whether a number of the value was read as another one, because it is beyond 2^53. */
export function hasInexactNumber(value: Json): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexactNumber)
}
