import { listOf, type Node, nodeOf, textOf } from './nodes.ts'
import { exampleOf, mediaExample, resolved } from './openapi-examples.ts'
import { encodedText, type ImportNote, type Json } from './request.ts'

// Parameters of OpenAPI operations, in the styles that the document names.

/** What the parameters of an operation add to its request. */
export type Filled = {
  path: string
  query: string
  headers: [string, string][]
  cookies: string[]
  notes: ImportNote[]
}

/** The parameters of an operation. Its own ones override those of its path. */
export function parametersOf(document: Node, item: Node, operation: Node): Node[] {
  const all = [...listOf(item.parameters), ...listOf(operation.parameters)].map((one) => resolved(document, one))
  return [...new Map(all.map((one) => [`${one.in} ${one.name}`, one])).values()]
}

/** Fills in examples for what is required. */
export function fillParameters(document: Node, parameters: Node[], template: string): Filled {
  const filled: Filled = { path: template, query: '', headers: [], cookies: [], notes: [] }
  const query: string[] = []
  for (const one of parameters) {
    const name = String(one.name)
    const place = String(one.in)
    if ((one.required !== true && place !== 'path') || !['path', 'query', 'header', 'cookie'].includes(place)) continue
    const value = exampleOfParameter(document, one)
    if (!isGiven(document, one)) {
      const why = `The document has no example, so the script sends ${JSON.stringify(value)?.slice(0, 60)}.`
      filled.notes.push({ what: `the ${place} parameter ${name}`, why, todo: 'Put in a value that exists.' })
    }
    if (place === 'path') filled.path = filled.path.replaceAll(`{${name}}`, () => pathText(one, value))
    else if (place === 'query') query.push(...queryParts(one, value))
    else if (place === 'header') filled.headers.push([name, flat(value).join(',')])
    else filled.cookies.push(`${name}=${encodedText(flat(value).join(','))}`)
  }
  const left = filled.path.match(/\{[^{}]+\}/)?.[0]
  if (left) {
    const why = 'The document does not describe it, so it stays in the path.'
    filled.notes.push({ what: `the path parameter ${left}`, why, todo: 'Put in a value that exists.' })
  }
  filled.query = query.join('&')
  return filled
}

/** Whether the value is the document's own, and not made from a type. */
function isGiven(document: Node, one: Node): boolean {
  const schema = resolved(document, one.schema)
  return (
    [one.example, one.examples, one.content, one['x-example'], one.default, one.enum].some((at) => at !== undefined) ||
    [schema.example, schema.examples, schema.default, schema.const, schema.enum].some((at) => at !== undefined)
  )
}

function exampleOfParameter(document: Node, one: Node): Json {
  const [media] = Object.values(nodeOf(one.content))
  if (media !== undefined) return JSON.stringify(mediaExample(document, media))
  if (one.example !== undefined) return one.example as Json
  const [named] = Object.values(nodeOf(one.examples))
  return (resolved(document, named).value ?? one['x-example'] ?? exampleOf(document, one.schema ?? one)) as Json
}

/** The texts of a value: those of a list one by one, and an object as `name,value`. */
function flat(value: Json): string[] {
  if (Array.isArray(value)) return value.map(scalar)
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => [key, scalar(one)])
  return [scalar(value)]
}

function scalar(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `simple` in the path; `label` and `matrix` have their signs before it. */
function pathText(one: Node, value: Json): string {
  const texts = flat(value).map((text) => encodedText(text))
  if (one.style === 'label') return `.${texts.join(one.explode === true ? '.' : ',')}`
  if (one.style !== 'matrix') return texts.join(',')
  const name = encodedText(String(one.name))
  if (one.explode === true && Array.isArray(value)) return texts.map((text) => `;${name}=${text}`).join('')
  return `;${name}=${texts.join(',')}`
}

const SEPARATORS: Record<string, string> = {
  spaceDelimited: '%20',
  pipeDelimited: '|',
  ssv: '%20',
  pipes: '|',
  tsv: '%09',
}

/** `ids=1&ids=2` where each item has its own pair, else `ids=1,2` with the separator of the style. */
function queryParts(one: Node, value: Json): string[] {
  const name = encodedText(String(one.name))
  // Swagger 2 has `collectionFormat`, whose default is csv; OpenAPI 3 has styles, whose default is a pair for each item.
  const isSwagger = one.schema === undefined && one.content === undefined
  const style = textOf(isSwagger ? one.collectionFormat : one.style)
  const isExploded = isSwagger ? style === 'multi' : (one.explode ?? (style === '' || style === 'form')) === true
  if (typeof value !== 'object' || value === null) return [`${name}=${encodedText(scalar(value))}`]
  const isList = Array.isArray(value)
  const pairs = Object.entries(value).map(([key, item]): [string, string] => [
    encodedText(key),
    encodedText(scalar(item)),
  ])
  if (style === 'deepObject') return pairs.map(([key, text]) => `${name}%5B${key}%5D=${text}`)
  if (isExploded) return pairs.map(([key, text]) => `${isList ? name : key}=${text}`)
  const texts = isList ? pairs.map(([, text]) => text) : pairs.flat()
  return [`${name}=${texts.join(SEPARATORS[style] ?? ',')}`]
}
