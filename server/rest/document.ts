import { generateOpenApiDocument } from 'trpc-to-openapi'
import { appRouter } from '../router.ts'
import { type DetailName, errorDescription, errorSchema } from './error-catalog.ts'
import { errorsByStatus } from './operation-errors.ts'
import { BASE_PATH, createRouteTable, type Route } from './route.ts'

export type JsonSchema = { [keyword: string]: unknown }
export type Parameter = { name: string; in: 'path' | 'query'; required?: boolean; schema: JsonSchema }
export type DocumentResponse = {
  description: string
  headers?: Record<string, object>
  content?: { 'application/json': { schema: JsonSchema } }
}
export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema } } }
  responses: Record<string, DocumentResponse | { $ref: string }>
}
export type ApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, DocumentResponse>
    headers: Record<string, object>
    securitySchemes: Record<string, object>
  }
  [field: string]: unknown
}

const TAGS: Record<string, string> = {
  Key: 'The calling key.',
  Workspaces: 'Containers of projects.',
  Projects: 'Containers of services.',
  Services: 'Scripted HTTP probes with a schedule.',
  Agents: 'Locations that probes run from.',
  Variables: 'Values that scripts read, at four scopes.',
  Results: 'Runs, their steps and stored bodies.',
  Incidents: 'Periods in which a service is failed, with notes and messages.',
  Metrics: 'Counters, percentiles and statistics.',
  Silences: "The calling member's own notification silences.",
  Access: 'Who may read or write a resource.',
  Directory: 'Members and groups of the organization.',
  Webhooks: 'Webhooks created at the dashboard, and their bindings to resources.',
}

const HEADERS = {
  'X-RateLimit-Limit': {
    description: "The key's maximum of requests per window. Absent while rate limiting is switched off.",
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'Requests that remain in this window.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Seconds until this window ends.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds until a request can succeed.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'The scheme of the credential: `Bearer`.', schema: { type: 'string' } },
  'X-Request-Id': { description: "The request's id in the server's log.", schema: { type: 'string' } },
}

/**
 * Returns the OpenAPI 3.1 document of the public API. The library generates parameters, bodies and schemas from the
 * router. This adds what it cannot express: full paths, 202 and 204, query parameters of a POST, our errors, headers.
 */
export function buildDocument(): ApiDocument {
  const generated = generateOpenApiDocument(appRouter as never, {
    title: 'Soundline public API',
    description: 'Everything under `/api/public/v1`. Within version 1, changes are additive only.',
    version: '1.0.0',
    baseUrl: '/',
  }) as unknown as ApiDocument
  const shared = new Map<string, DocumentResponse>()
  const document: ApiDocument = {
    openapi: '3.1.0',
    info: generated.info,
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: {},
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key created at the dashboard.' },
      },
      headers: HEADERS,
      responses: {},
      // The library adds error bodies that this API does not send.
      schemas: Object.fromEntries(
        Object.entries(generated.components.schemas).filter(([name]) => !name.startsWith('error.')),
      ),
    },
  }
  for (const route of createRouteTable(appRouter).routes) {
    const operation = generated.paths[route.path]?.[route.method.toLowerCase()]
    if (!operation) throw new Error(`${route.method} ${route.path} is not in the document`)
    const path = `${BASE_PATH}${route.path}`
    document.paths[path] ??= {}
    document.paths[path][route.method.toLowerCase()] = describe(route, operation, shared)
  }
  document.components.responses = Object.fromEntries([...shared].sort(([a], [b]) => a.localeCompare(b)))
  return tidy(document) as ApiDocument
}

function describe(route: Route, operation: Operation, shared: Map<string, DocumentResponse>): Operation {
  const { parameters, body } = splitInput(route, operation)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const errors = errorsByStatus(route, {
    hasId: JSON.stringify([parameters, body]).includes('"format":"uuid"'),
    // The only possible fault of an id in the path is `invalid_uuid`; other parameters have other faults.
    hasChecked:
      route.isList || parameters.some((parameter) => parameter.in === 'query' || parameter.schema.format !== 'uuid'),
    hasRequiredQuery: query.some((parameter) => parameter.required),
  })
  const success = operation.responses['200'] as DocumentResponse
  const responses: Operation['responses'] = {
    [String(route.api.status ?? 200)]: {
      description: route.api.status === 202 ? 'Accepted: the work is done asynchronously.' : 'Success.',
      headers: headersOf(),
      content: success.content,
    },
  }
  if (route.api.noContent) responses['204'] = { description: 'There is no content.', headers: headersOf() }
  for (const [status, codes] of errors) {
    // Responses that operations share are components. All operations share the 401.
    const name = status === 401 ? 'Unauthorized' : `Error${status}${codes.map(pascal).join('')}`
    const response: DocumentResponse = {
      description: errorDescription(codes),
      headers: headersOf(status),
      content: {
        'application/json': { schema: errorSchema(codes, status === 400 ? ownDetails(route) : []) as JsonSchema },
      },
    }
    if (status === 400) responses[String(status)] = response
    else {
      shared.set(name, response)
      responses[String(status)] = { $ref: `#/components/responses/${name}` }
    }
  }
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    tags: operation.tags,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses,
  }
}

/** Returns the extra details of `field_invalid` for operations that check a script or agent slugs. */
function ownDetails(route: Route): DetailName[] {
  const checksScript = route.api.errors?.includes('blocked_probe_target')
  return [...(checksScript ? ['errors' as const] : []), ...(route.fields.has('slugs') ? ['unknown' as const] : [])]
}

/** Returns parameters and body as the facade reads them: fields that come from the query become parameters. */
function splitInput(route: Route, operation: Operation): { parameters: Parameter[]; body: JsonSchema | null } {
  const schema = operation.requestBody?.content['application/json'].schema
  const parameters = (operation.parameters ?? []).map((parameter) => withDefault(route, parameter))
  if (!schema) return { parameters, body: null }
  const properties = { ...(schema.properties as Record<string, JsonSchema> | undefined) }
  let required = (schema.required as string[] | undefined) ?? []
  for (const name of route.api.query ?? []) {
    const moved = properties[name]
    if (!moved) throw new Error(`${route.name}: the query's "${name}" is not in the input`)
    parameters.push({ name, in: 'query', required: required.includes(name), schema: moved })
    delete properties[name]
    required = required.filter((other) => other !== name)
  }
  if (!route.readsBody) return { parameters, body: null }
  const { required: _, ...rest } = schema
  return { parameters, body: { ...rest, properties, ...(required.length > 0 ? { required } : {}) } }
}

/** Adds the default of a preprocessed number, which the library loses. */
function withDefault(route: Route, parameter: Parameter): Parameter {
  const field = route.inputs.map((input) => input.shape[parameter.name]).find((found) => found !== undefined)
  const definition = field?._zod.def as { type: string; defaultValue?: unknown } | undefined
  if (definition?.type !== 'default') return parameter
  return { ...parameter, schema: { ...parameter.schema, default: definition.defaultValue } }
}

function headersOf(status?: number): Record<string, object> {
  const names = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503) names.push('Retry-After')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/**
 * Removes what would restrict clients more than the contract does: closed objects (fields can be added), JavaScript's
 * bounds of integers, and patterns that repeat a format.
 */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([keyword, child]) => {
        if (keyword === 'additionalProperties') return child !== false
        if (keyword === 'minimum' || keyword === 'maximum') return Math.abs(Number(child)) !== Number.MAX_SAFE_INTEGER
        return !(keyword === 'pattern' && 'format' in value)
      })
      .map(([keyword, child]) => [keyword, tidy(child)]),
  )
}

function pascal(code: string): string {
  return code.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}
