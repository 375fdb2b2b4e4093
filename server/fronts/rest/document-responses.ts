import { STATUS_CODES } from 'node:http'
import { ApiError } from '../../errors.ts'
import { errorBody } from '../../http/responses.ts'
import { DETAILS } from '../../schemas/errors/details.ts'
import { ERROR_CODES, ERRORS, type ErrorCode, PUBLIC_ERROR_CODES } from '../../schemas/errors/error-table.ts'
import type { DocumentResponse, JsonSchema, Parameter } from './document-types.ts'
import type { Route } from './route.ts'

// The responses of the document: which errors an operation can return, their bodies and examples, and all headers.

const ALWAYS: ErrorCode[] = [
  'invalid_path',
  'missing_auth_header',
  'invalid_token',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'api_key_owner_inactive',
  'totp_enrollment_required',
  'rate_limited',
  'too_many_unknown_keys',
  'internal_error',
  'service_unavailable',
]

/**
 * Returns the codes that an operation can return, by status, in the order of the error table: its own, those that follow
 * from its input, and those of every operation.
 */
export function errorsByStatus(
  { method, isList, api }: Route,
  parameters: Parameter[],
  body: JsonSchema | null,
): Map<number, ErrorCode[]> {
  const isWrite = method !== 'GET'
  const codes = new Set<ErrorCode>([...ALWAYS, ...(api.errors ?? [])])
  const hasId = JSON.stringify([parameters, body]).includes('"format":"uuid"')
  if (hasId) codes.add('invalid_uuid')
  // The row of a write can be deleted during the write.
  if (hasId || isWrite) codes.add('not_found')
  // The only possible fault of an id in the path is `invalid_uuid`; other parameters have other faults.
  if (isList || parameters.some((parameter) => parameter.in !== 'path' || parameter.schema.format !== 'uuid')) {
    codes.add('field_invalid')
  }
  if (parameters.some((parameter) => parameter.in === 'query' && parameter.required)) codes.add('field_required')
  if (isWrite) codes.add('api_key_read_only').add('invalid_request_body').add('request_body_too_large')
  if (method === 'POST') codes.add('idempotency_mismatch').add('idempotency_in_progress')
  const ordered = ERROR_CODES.filter((code) => codes.has(code))
  return Map.groupBy(ordered, (code) => ERRORS[code].status)
}

/** The headers of responses, as components of the document. Pages of other origins may read them. */
export const HEADERS = {
  'X-RateLimit-Limit': {
    description: "The key's maximum of requests per window. Absent while rate limiting is switched off.",
    schema: { type: 'integer', examples: [300] },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that remain in this window.',
    schema: { type: 'integer', examples: [299] },
  },
  'X-RateLimit-Reset': { description: 'Seconds until this window ends.', schema: { type: 'integer', examples: [42] } },
  'Retry-After': { description: 'Seconds until a request can succeed.', schema: { type: 'integer', examples: [42] } },
  'X-Request-Id': {
    description: "The request's id in the server's log.",
    schema: { type: 'string', examples: ['0f2c9a3e-5b1d-4c7a-9e8f-6d5c4b3a2f1e'] },
  },
  'Idempotency-Replayed': {
    description: 'Of a POST: `true` when this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', examples: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'The scheme of the credential: `Bearer`.',
    schema: { type: 'string', examples: ['Bearer realm="soundline"'] },
  },
}

/** The statuses of errors that a repeated request does not get again. */
const UNREPEATED = [401, 413, 429, 500, 503]

/** Returns references to the headers of a success, by name. */
export function successHeaders(method: string): Record<string, { $ref: string }> {
  return method === 'POST' ? references([...COMMON, 'Idempotency-Replayed']) : references(COMMON)
}

const COMMON = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

function references(names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** An address as an installation has it. */
const ORIGIN = 'https://soundline.example.com'

/** The one schema of all error bodies, and that of their details. */
export function errorSchemas(): Record<string, JsonSchema> {
  return {
    Error: {
      type: 'object',
      description: 'Why a request failed.',
      required: ['error', 'message', 'doc'],
      properties: {
        error: {
          type: 'string',
          'x-extensible-enum': PUBLIC_ERROR_CODES,
          description: 'A stable code. Codes can be added: treat an unknown code as a general failure.',
          examples: ['not_found'],
        },
        message: {
          type: 'string',
          description: 'What to do, in one sentence for people. The text can change.',
          examples: [exampleBody('not_found').message],
        },
        doc: {
          type: 'string',
          description: 'The address of the code in the guide.',
          examples: [exampleBody('not_found').doc],
        },
        details: { $ref: '#/components/schemas/ErrorDetails' },
      },
    },
    ErrorDetails: {
      type: 'object',
      description: 'Facts about the error for programs. Each code has its own, see its description.',
      properties: DETAILS as unknown as JsonSchema,
    },
  }
}

/** Returns the reference to the shared response of a status, with the codes of one operation in its description. */
export function errorReference(status: number, codes: ErrorCode[]): { $ref: string; description: string } {
  return { $ref: `#/components/responses/${nameOf(status)}`, description: errorDescription(codes) }
}

/** Returns the shared error responses of the codes, by name, with an example of each code. */
export function errorResponses(codes: ErrorCode[]): Record<string, DocumentResponse> {
  const byStatus = [...Map.groupBy(codes, (code) => ERRORS[code].status)]
  return Object.fromEntries(
    byStatus.map(([status, own]) => [
      nameOf(status),
      {
        description: errorDescription(own),
        headers: errorHeaders(status, own),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(
              own.map((code) => [code, { summary: ERRORS[code].meaning, value: exampleBody(code) }]),
            ),
          },
        },
      },
    ]),
  )
}

/** Returns references to the headers of an error, by name. */
function errorHeaders(status: number, codes: ErrorCode[]): Record<string, { $ref: string }> {
  const names = [...COMMON]
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503 || codes.includes('idempotency_in_progress')) names.push('Retry-After')
  if (!UNREPEATED.includes(status)) names.push('Idempotency-Replayed')
  return references(names)
}

/** Returns a Markdown list of the codes and their meanings. */
function errorDescription(codes: ErrorCode[]): string {
  return codes
    .map((code) => {
      const { meaning, details } = ERRORS[code]
      return `- \`${code}\`: ${meaning}${details ? ` Details: ${details.join(', ')}.` : ''}`
    })
    .join('\n')
}

function exampleBody(code: ErrorCode) {
  const { details = [], example = {} } = ERRORS[code]
  // The list of several problems is left out: its first one is in `field` and `reason`.
  const values = details
    .filter((name) => name !== 'errors')
    .map((name) => [name, example[name] ?? DETAILS[name].examples[0]])
  return errorBody(new ApiError(code, values.length > 0 ? Object.fromEntries(values) : undefined), ORIGIN)
}

/** The name of a status's response contains no codes, so a new code does not rename it in generated clients. */
function nameOf(status: number): string {
  // RFC 9110 has renamed it since.
  return status === 413 ? 'ContentTooLarge' : (STATUS_CODES[status] as string).replaceAll(' ', '')
}
