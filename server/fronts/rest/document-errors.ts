import { BODY_READ_MAX_BYTES } from '../../bodies/reader.ts'
import { ApiError } from '../../errors.ts'
import { errorBody } from '../../http/responses.ts'
import { DETAILS, type DetailName } from '../../schemas/errors/details.ts'
import { ERRORS, type ErrorCode } from '../../schemas/errors/error-table.ts'
import { errorHeaders } from './document-headers.ts'
import type { DocumentResponse, JsonSchema } from './document-types.ts'

/**
 * The shared responses by status. Their names contain no codes, so a new code does not rename them in generated
 * clients.
 */
const NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  413: 'ContentTooLarge',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
}

/** An address as an installation has it. */
const ORIGIN = 'https://soundline.example.com'

/** The field that an example of a code names, where it is not the script. */
const EXAMPLE_FIELDS: Partial<Record<ErrorCode, string>> = {
  field_invalid: 'pageSize',
  field_required: 'projectId',
  invalid_uuid: 'id',
  invalid_request_body: 'name',
  not_found: 'projectId',
  already_exists: 'name',
  binding_exists: 'webhookId',
  version_conflict: 'version',
}
const EXAMPLE_REASONS: Partial<Record<ErrorCode, string>> = {
  field_invalid: 'must be at most 100',
  invalid_request_body: 'must be a string',
}

const EXAMPLE_BYTES: Partial<Record<ErrorCode, number>> = { body_too_large: BODY_READ_MAX_BYTES }

/** The one schema of all error bodies, and that of their details. */
export function errorSchemas(codes: ErrorCode[]): Record<string, JsonSchema> {
  return {
    Error: {
      type: 'object',
      description: 'Why a request failed.',
      required: ['error', 'message', 'doc'],
      properties: {
        error: {
          type: 'string',
          'x-extensible-enum': codes,
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
  // The list of several problems is left out: its first one is in `field` and `reason`.
  const names = (ERRORS[code].details ?? []).filter((name) => name !== 'errors')
  const details = Object.fromEntries(names.map((name) => [name, exampleDetail(code, name)]))
  return errorBody(new ApiError(code, names.length > 0 ? details : undefined), ORIGIN)
}

function exampleDetail(code: ErrorCode, name: DetailName): unknown {
  if (name === 'field') return EXAMPLE_FIELDS[code] ?? 'script'
  if (name === 'reason' && code in EXAMPLE_REASONS) return EXAMPLE_REASONS[code]
  if (name === 'maxBytes' && code in EXAMPLE_BYTES) return EXAMPLE_BYTES[code]
  const { examples } = DETAILS[name] as { examples?: readonly unknown[] }
  return examples?.[0]
}

function nameOf(status: number): string {
  const name = NAMES[status]
  if (!name) throw new Error(`The status ${status} has no shared response`)
  return name
}
