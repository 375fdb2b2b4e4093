import { listOf, type Node, nodeOf } from './nodes.ts'
import { ImportError, type ImportedBody, type ImportedRequest, type Json } from './request.ts'

/** One operation of a document, by the name under which it is chosen. Its request is made when it is needed. */
export type ImportedOperation = { label: string; request: () => ImportedRequest }

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
/** The most operations of a document that can be chosen. */
const OPERATIONS_MAX = 500
/** Examples that are made from schemas end at this depth, so that a schema may refer to itself. */
const DEPTH_MAX = 6
/** The most parts of one example: a schema with many properties of its own kind would grow with each level. */
const PARTS_MAX = 2_000

/** Reads the operations of an OpenAPI document of version 3, or of Swagger 2. @throws ImportError */
export function parseOpenApi(document: Node): ImportedOperation[] {
  const operations: ImportedOperation[] = []
  for (const [path, item] of Object.entries(nodeOf(document.paths))) {
    const pathItem = resolved(document, item)
    for (const method of METHODS) {
      if (!pathItem[method] || operations.length === OPERATIONS_MAX) continue
      const operation = resolved(document, pathItem[method])
      operations.push({
        label: `${method.toUpperCase()} ${path}`.slice(0, 200),
        request: () => requestOf(document, path, method, pathItem, operation),
      })
    }
  }
  if (operations.length === 0) throw new ImportError('The OpenAPI document has no operation that a script can call.')
  return operations
}

function requestOf(
  document: Node,
  path: string,
  method: (typeof METHODS)[number],
  item: Node,
  operation: Node,
): ImportedRequest {
  const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)].map((one) => resolved(document, one))
  const required = parameters.filter((one) => one.required === true || one.in === 'path')
  const filled = required
    .filter((one) => one.in === 'path')
    .reduce((url, one) => url.replaceAll(`{${one.name}}`, encodeURIComponent(exampleText(document, one))), path)
  const search = new URLSearchParams(
    required
      .filter((one) => one.in === 'query')
      .map((one): [string, string] => [String(one.name), exampleText(document, one)]),
  ).toString()
  const headers = required
    .filter((one) => one.in === 'header')
    .map((one): [string, string] => [String(one.name), exampleText(document, one)])
  const status = Object.keys(nodeOf(operation.responses))
    .map(Number)
    .find((code) => code >= 200 && code < 300)
  const server = serverOf(document)
  return {
    method,
    url: `${server.url.replace(/\/$/, '')}${filled}${search && `?${search}`}`,
    isBelowBase: server.isRelative,
    headers: [...headers, ...securityHeaders(document, operation)],
    body: bodyOf(document, operation, parameters),
    ...(status && { status }),
  }
}

/** The first server; of a relative one only the path is known. */
function serverOf(document: Node): { url: string; isRelative: boolean } {
  if (typeof document.host === 'string') {
    const url = `${listOf(document.schemes)[0] ?? 'https'}://${document.host}${String(document.basePath ?? '')}`
    return { url, isRelative: false }
  }
  const server = nodeOf(listOf(document.servers)[0])
  const url = Object.entries(nodeOf(server.variables)).reduce(
    (text, [name, variable]) => text.replaceAll(`{${name}}`, String(nodeOf(variable).default ?? '')),
    String(server.url ?? '/'),
  )
  return { url, isRelative: !/^https?:/i.test(url) }
}

/** Headers of the first security requirement. Their values become variables. */
function securityHeaders(document: Node, operation: Node): [string, string][] {
  const [requirement] = listOf(operation.security ?? document.security)
  const schemes = nodeOf(nodeOf(document.components).securitySchemes ?? document.securityDefinitions)
  return Object.keys(nodeOf(requirement)).flatMap((name): [string, string][] => {
    const scheme = resolved(document, schemes[name])
    if (scheme.type === 'apiKey' && scheme.in === 'header') return [[String(scheme.name), 'secret']]
    if (scheme.type === 'basic' || (scheme.type === 'http' && scheme.scheme === 'basic'))
      return [['Authorization', 'Basic secret']]
    return ['http', 'oauth2', 'openIdConnect'].includes(String(scheme.type)) ? [['Authorization', 'Bearer secret']] : []
  })
}

function bodyOf(document: Node, operation: Node, parameters: Node[]): ImportedBody | null {
  const ofSwagger = parameters.find((one) => one.in === 'body')
  if (ofSwagger) return { kind: 'json', value: exampleOf(document, ofSwagger.schema) }
  const content = nodeOf(resolved(document, operation.requestBody).content)
  const json = Object.entries(content).find(([type]) => /json/i.test(type))
  if (json) return { kind: 'json', value: mediaExample(document, json[1]) }
  const form = content['application/x-www-form-urlencoded']
  if (!form) return null
  const fields = Object.entries(nodeOf(mediaExample(document, form)))
  return { kind: 'form', fields: fields.map(([name, value]) => [name, String(value)]) }
}

function mediaExample(document: Node, media: unknown): Json {
  const { example, examples, schema } = nodeOf(media)
  const [named] = Object.values(nodeOf(examples))
  return (example ?? nodeOf(named).value ?? exampleOf(document, schema)) as Json
}

function exampleText(document: Node, parameter: Node): string {
  const example = parameter.example ?? exampleOf(document, parameter.schema ?? parameter)
  return typeof example === 'object' ? '' : String(example)
}

/** Returns an example of a schema: its own, or one that is made from its types. */
function exampleOf(document: Node, schema: unknown, depth = 0, budget = { parts: PARTS_MAX }): Json {
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
function resolved(document: Node, value: unknown): Node {
  let node = nodeOf(value)
  for (let steps = 0; typeof node.$ref === 'string' && steps < 10; steps++) {
    const path = node.$ref.startsWith('#/') ? node.$ref.slice(2).split('/') : []
    const names = path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    node = nodeOf(
      names.reduce<unknown>((at, name) => (Object.hasOwn(nodeOf(at), name) ? nodeOf(at)[name] : undefined), document),
    )
  }
  return node
}
