import { sample } from 'openapi-sampler'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import { appRouter } from '../../router.ts'
import { ERROR_CODES } from '../../schemas/errors/error-table.ts'
import {
  errorReference,
  errorResponses,
  errorSchemas,
  errorsByStatus,
  HEADERS,
  successHeaders,
} from './document-responses.ts'
import { tidy } from './document-schemas.ts'
import type { ApiDocument, DocumentResponse, JsonSchema, Operation, Parameter } from './document-types.ts'
import { IDEMPOTENCY_PARAMETER } from './idempotency.ts'
import { permissionText } from './permissions.ts'
import { BASE_PATH, createRouteTable, type Route } from './route.ts'

/** What the document says about the whole API. */
const INFO = {
  title: 'Soundline public API',
  summary: 'Scripted HTTP probes on a schedule: services, runs, results, metrics, incidents and alerts.',
  description:
    'Everything under `/api/public/v1`, for programs: each request sends an API key, which a member creates in the ' +
    'dashboard, as `Authorization: Bearer <key>`. Bodies are JSON.\n\n' +
    'Within version 1, changes are additive only: clients ignore fields that they do not know, and treat unknown error ' +
    'codes and unknown values of open enumerations (`x-extensible-enum`) as general ones.\n\n' +
    'HEAD works wherever GET does, with the same headers and without a body.\n\n' +
    'The examples are requests that the program accepts. `x-error-codes` lists the error codes of an operation by status.',
  version: '1.0.0',
  contact: { name: 'The operator of this installation' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Soundline' },
}

/** The tags in the order of the reference, with their descriptions. */
const TAGS: Record<string, string> = {
  Key: 'The calling key.',
  Workspaces: 'Containers of projects.',
  Projects: 'Containers of services.',
  Services: 'Scripted HTTP probes with a schedule.',
  Agents: 'Locations that probes run from.',
  Variables: 'Values that scripts read, at four scopes.',
  Runs: 'Requested and scheduled runs, open and done.',
  Results: 'Runs, their steps and stored bodies.',
  Incidents: 'Confirmed failures of services, with notes and messages.',
  Metrics: 'Counters, percentiles and statistics.',
  Maintenances: 'Times in which services wake nobody, such as a deploy.',
  Silences: "The calling member's own notification silences.",
  Access: 'Who may read or write a resource.',
  Directory: 'Members and groups of the organization.',
  Webhooks: 'Webhooks created in the dashboard, and their bindings to resources.',
}

/**
 * Returns the OpenAPI 3.1 document of the public API. The library generates bodies and schemas from the
 * router. This adds what it cannot express: full paths, 202 and 204, parameters, our errors, headers,
 * permissions, and examples of whole bodies.
 */
export function buildDocument(): ApiDocument {
  const { title, version } = INFO
  const generated = generateOpenApiDocument(appRouter as never, { title, version, baseUrl: '/' })
  const { paths: operations, components } = tidy(generated, generated.components?.schemas as never) as ApiDocument
  const { schemas } = components
  const paths: ApiDocument['paths'] = {}
  for (const route of createRouteTable(appRouter).routes) {
    const method = route.method.toLowerCase()
    const operation = operations[route.path]?.[method]
    if (!operation) throw new Error(`${route.method} ${route.path} is not in the document`)
    const path = `${BASE_PATH}${route.path}`
    paths[path] = { ...paths[path], [method]: describe(route, operation, schemas) }
  }
  // Neither the shapes of the dashboard, nor the error bodies of the library, which this API does not send.
  const used = JSON.stringify([paths, schemas])
  const named = Object.entries(schemas).filter(([name]) => used.includes(`"#/components/schemas/${name}"`))
  const codes = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => Object.values(operation['x-error-codes']).flat()),
  )
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key created in the dashboard.' },
      },
      headers: HEADERS,
      responses: errorResponses(ERROR_CODES.filter((code) => codes.includes(code))),
      schemas: { ...Object.fromEntries(named), ...errorSchemas() },
    },
  }
}

function describe(route: Route, operation: Operation, schemas: Record<string, JsonSchema>): Operation {
  const parameters = parametersOf(route)
  const body = bodyOf(route, operation)
  const errors = errorsByStatus(route, parameters, body)
  const success = (operation.responses['200'] as DocumentResponse).content?.['application/json'].schema
  if (!success) throw new Error(`${route.name} has no output`)
  const headers = successHeaders(route.method)
  const responses: Operation['responses'] = {
    [String(route.api.status ?? 200)]: {
      description: route.api.status === 202 ? 'Accepted: the work is done asynchronously.' : 'Success.',
      headers,
      content: { 'application/json': { schema: success, example: sample(success, {}, { components: { schemas } }) } },
    },
    ...(route.api.noContent && { '204': { description: 'There is no content.', headers } }),
    ...Object.fromEntries([...errors].map(([status, codes]) => [status, errorReference(status, codes)])),
  }
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    description: `${operation.description}\n\nPermission: ${permissionText(route.needs)}.`,
    tags: operation.tags,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(route, body, schemas) } : {}),
    responses,
    'x-error-codes': Object.fromEntries(errors),
  }
}

/** Returns the parameters as the facade reads them: the library loses descriptions and defaults of optional ones. */
function parametersOf({ fields, inputs, method }: Route): Parameter[] {
  const parameters = [...fields].flatMap(([name, place]): Parameter[] => {
    const field = inputs.map((input) => input.shape[name]).find((found) => found !== undefined) as z.ZodType
    if (place === 'body') return []
    const { $schema, description, examples, ...schema } = tidy(z.toJSONSchema(field)) as FieldSchema
    const required = !field.safeParse(undefined).success
    return [{ name, in: place, required, description, schema, example: examples[0] }]
  })
  return method === 'POST' ? [...parameters, IDEMPOTENCY_PARAMETER] : parameters
}

type FieldSchema = JsonSchema & { description: string; examples: unknown[] }

/** Returns the schema of the body, without the fields that come from the query; null without a body. */
function bodyOf({ fields, readsBody }: Route, operation: Operation): JsonSchema | null {
  const schema = operation.requestBody?.content['application/json'].schema
  if (!schema || !readsBody) return null
  const isInBody = (name: string) => fields.get(name) === 'body'
  const { properties, required = [], ...rest } = schema as { properties: object; required?: string[] }
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => isInBody(name)))
  const names = required.filter(isInBody)
  return { ...rest, properties: own, ...(names.length > 0 && { required: names }) }
}

/**
 * Names the schema of the body after its operation, since generators name types after schemas. The example is that of the
 * input, or consists of those of the fields.
 */
function requestBodyOf(route: Route, body: JsonSchema, schemas: Record<string, JsonSchema>) {
  const own = route.inputs.map((input) => input.meta()?.example).find((example) => example !== undefined)
  const example = own ?? sample(body, {}, { components: { schemas } })
  const name = `${route.operationId.charAt(0).toUpperCase()}${route.operationId.slice(1)}Request`
  schemas[name] = { description: `The body of \`${route.method} ${route.path}\`.`, ...body }
  const schema = { $ref: `#/components/schemas/${name}` }
  return { required: !route.api.optionalBody, content: { 'application/json': { schema, example } } }
}
