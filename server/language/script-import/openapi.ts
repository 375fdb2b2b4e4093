import { listOf, type Node, nodeOf, textOf } from './nodes.ts'
import { exampleOf, hasInexactNumber, mediaExample, resolved } from './openapi-examples.ts'
import { fillParameters, parametersOf } from './openapi-parameters.ts'
import { standaloneSchema } from './openapi-schema.ts'
import { credentialsOf } from './openapi-security.ts'
import {
  bodyOf,
  formBody,
  ImportError,
  type ImportedBody,
  type ImportedRequest,
  type ImportNote,
  isFormType,
  isJsonType,
  type Json,
  withQuery,
} from './request.ts'

/** One operation of a document, by the name under which it is chosen. Its request is made when it is needed. */
export type ImportedOperation = { label: string; request: () => ImportedRequest }

export type ImportedDocument = { operations: ImportedOperation[]; notes: ImportNote[] }

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
/** The most operations of a document that can be chosen. */
const OPERATIONS_MAX = 500

/** Reads the operations of an OpenAPI document of version 3, or of Swagger 2. @throws ImportError */
export function parseOpenApi(document: Node): ImportedDocument {
  const operations: ImportedOperation[] = []
  const notes: ImportNote[] = []
  let more = 0
  for (const [path, item] of Object.entries(nodeOf(document.paths))) {
    const pathItem = resolved(document, item)
    for (const method of ['head', 'options', 'trace']) {
      if (!pathItem[method]) continue
      const what = `the operation ${method.toUpperCase()} ${path}`
      notes.push({
        what,
        why: `Scripts cannot send ${method.toUpperCase()} requests.`,
        todo: 'Probe the path with GET.',
      })
    }
    for (const method of METHODS) {
      if (!pathItem[method]) continue
      if (operations.length === OPERATIONS_MAX) {
        more++
        continue
      }
      const operation = resolved(document, pathItem[method])
      operations.push({
        label: `${method.toUpperCase()} ${path}`.slice(0, 200),
        request: () => requestOf(document, path, method, pathItem, operation),
      })
    }
  }
  if (operations.length === 0) throw new ImportError('The OpenAPI document has no operation that a script can call.')
  if (more > 0) {
    const what = `${more} of ${OPERATIONS_MAX + more} operations`
    const why = `An import has at most ${OPERATIONS_MAX} operations.`
    notes.push({ what, why, todo: 'Import the rest as a second document.' })
  }
  return { operations, notes }
}

function requestOf(
  document: Node,
  path: string,
  method: (typeof METHODS)[number],
  item: Node,
  operation: Node,
): ImportedRequest {
  const parameters = parametersOf(document, item, operation)
  const filled = fillParameters(document, parameters, path)
  const credentials = credentialsOf(document, operation)
  const server = serverOf(document, item, operation)
  const content = bodyOfOperation(document, operation, parameters)
  const answer = answerOf(document, operation)
  const query = [filled.query, credentials.query].filter((part) => part !== '').join('&')
  const cookies = [...filled.cookies, ...credentials.cookies]
  return {
    method,
    url: withQuery(`${server.url.replace(/\/$/, '')}${filled.path}`, query),
    isBelowBase: server.isRelative,
    headers: [
      ...filled.headers,
      ...credentials.headers,
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as [string, string]] : []),
    ],
    body: content.body,
    // A redirect is not the response in the document.
    followsRedirects: false,
    ...answer,
    secretNames: credentials.names,
    notes: [...server.notes, ...filled.notes, ...credentials.notes, ...content.notes, ...answer.notes],
  }
}

type Server = { url: string; isRelative: boolean; notes: ImportNote[] }

/** The first server of the operation, else of its path, else of the document. Of a relative one only the path is known. */
function serverOf(document: Node, item: Node, operation: Node): Server {
  if (typeof document.host === 'string') {
    const schemes = listOf(operation.schemes ?? document.schemes)
    const scheme = schemes.includes('https') ? 'https' : (schemes[0] ?? 'https')
    return { url: `${scheme}://${document.host}${String(document.basePath ?? '')}`, isRelative: false, notes: [] }
  }
  // Before Swagger 2 has a host, its base path is all that is known.
  if (typeof document.basePath === 'string') return { url: document.basePath, isRelative: true, notes: [] }
  const servers = [operation.servers, item.servers, document.servers].map(listOf).find((list) => list.length > 0) ?? []
  const server = nodeOf(servers[0])
  const url = Object.entries(nodeOf(server.variables)).reduce(
    (text, [name, variable]) => text.replaceAll(`{${name}}`, () => String(nodeOf(variable).default ?? '')),
    String(server.url ?? '/'),
  )
  const notes: ImportNote[] = []
  if (servers.length > 1) {
    const what = `${servers.length - 1} further servers`
    notes.push({
      what,
      why: `The script probes the first one, ${url}.`.slice(0, 200),
      todo: 'Change the host if needed.',
    })
  }
  return { url, isRelative: !/^https?:/i.test(url), notes }
}

type Content = { body: ImportedBody | null; notes: ImportNote[] }

function bodyOfOperation(document: Node, operation: Node, parameters: Node[]): Content {
  const types = listOf(operation.consumes ?? document.consumes).map(textOf)
  const ofSwagger = parameters.find((one) => one.in === 'body')
  if (ofSwagger) {
    const type = types.find(isJsonType) ?? types[0] ?? 'application/json'
    return contentOf(document, { [type]: { schema: ofSwagger.schema } })
  }
  const fields = parameters.filter((one) => one.in === 'formData')
  if (fields.length > 0) {
    if (fields.some(({ type }) => type === 'file') || (types.length > 0 && !types.some(isFormType))) return multipart()
    const required = fields.filter((one) => one.required === true)
    const sent = required.length > 0 ? required : fields
    return {
      body: formBody(sent.flatMap((one) => fieldPairs(String(one.name), exampleOf(document, one)))),
      notes: [],
    }
  }
  return contentOf(document, nodeOf(resolved(document, operation.requestBody).content))
}

/** JSON first, then a form, then a text. */
function contentOf(document: Node, content: Node): Content {
  const entries = Object.entries(content)
  const [type, media] =
    entries.find(([name]) => isJsonType(name)) ??
    entries.find(([name]) => isFormType(name)) ??
    entries.find(([name]) => !/^multipart\//i.test(name)) ??
    []
  if (type === undefined) return entries.length === 0 ? { body: null, notes: [] } : multipart()
  const value = mediaExample(document, media)
  const notes: ImportNote[] = []
  if (hasInexactNumber(value)) {
    const why = 'It is larger than 2^53 and was rounded.'
    notes.push({ what: 'a number of the body', why, todo: 'Write it in the script.' })
  }
  if (isFormType(type)) {
    const pairs = Object.entries(nodeOf(value)).flatMap(([name, one]) => fieldPairs(name, one as Json))
    return { body: pairs.length > 0 ? { ...formBody(pairs), type } : null, notes }
  }
  const mimeType = type.includes('*') ? 'application/json' : type
  if (isJsonType(mimeType)) return { body: bodyOf(JSON.stringify(value), mimeType), notes }
  if (typeof value === 'string' && (value !== 'string' || !/xml/i.test(mimeType))) {
    return { body: bodyOf(value, mimeType), notes }
  }
  const why = `The document has no text example of the type ${mimeType}.`
  return { body: null, notes: [...notes, { what: 'the body', why, todo: 'Write the body in the script.' }] }
}

function multipart(): Content {
  const why = 'Scripts cannot send multipart forms, so this one sends no body.'
  return { body: null, notes: [{ what: 'the body', why, todo: 'Probe the operation in another way.' }] }
}

/** A list has a pair for each item. */
function fieldPairs(name: string, value: Json): [string, string][] {
  const text = (one: Json) => (typeof one === 'object' && one !== null ? JSON.stringify(one) : String(one))
  return Array.isArray(value) ? value.map((one) => [name, text(one)]) : [[name, text(value)]]
}

type Answer = Pick<ImportedRequest, 'status' | 'conditions' | 'answerSchema' | 'notes'> & { notes: ImportNote[] }

/** The success response of the document. */
function answerOf(document: Node, operation: Node): Answer {
  const responses = nodeOf(operation.responses)
  const good = Object.keys(responses)
    .filter((code) => /^[23](\d\d|xx)$/i.test(code))
    .sort()
  const code = good[0]
  const notes: ImportNote[] = []
  if (code === undefined) {
    const why = 'The document names no success status. The script expects 200.'
    notes.push({ what: 'the status', why, todo: 'Check the status.' })
  }
  if (good.length > 1) {
    const why = `The script expects ${code}, the first one.`
    notes.push({ what: `the responses with ${good.slice(1).join(', ')}`, why, todo: 'Change it if others are right.' })
  }
  const { schema, notes: ofSchema } = schemaOfAnswer(document, resolved(document, responses[code ?? 'default']))
  return {
    ...(code !== undefined && expectedStatus(code)),
    ...(schema !== null && { answerSchema: schema }),
    notes: [...notes, ...ofSchema],
  }
}

/** `200`, or `2XX` for any of them. */
function expectedStatus(code: string): Pick<ImportedRequest, 'status' | 'conditions'> {
  if (/^\d+$/.test(code)) return { status: Number(code) }
  const [first] = code
  return {
    status: '{ value: 0, op: "gt" }',
    conditions: [`this.status gte ${first}00 and this.status lte ${first}99`],
  }
}

function schemaOfAnswer(document: Node, response: Node): { schema: string | null; notes: ImportNote[] } {
  const content = Object.entries(nodeOf(response.content))
  const [, media] = content.find(([type]) => isJsonType(type)) ?? []
  const schema = nodeOf(media).schema ?? response.schema
  if (schema === undefined) {
    if (content.length === 0) return { schema: null, notes: [] }
    const why = 'The document has no schema of JSON for it, so the script compares no body.'
    return { schema: null, notes: [{ what: 'the response body', why, todo: 'Add conditions on the body.' }] }
  }
  const text = standaloneSchema(document, schema)
  if (text !== null) return { schema: text, notes: [] }
  const why = 'It is longer than a variable may be, or refers to another document, so the script compares no body.'
  return {
    schema: null,
    notes: [{ what: 'the schema of the response', why, todo: 'Add conditions on the body.', isLaxer: true }],
  }
}
