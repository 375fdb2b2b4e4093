import type { ErrorCode } from '../../schemas/errors/error-table.ts'

/** The headers of responses, as components of the document. */
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
  'Idempotency-Replayed': {
    description: 'Of a POST: `true` when this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', examples: ['true'] },
  },
  'WWW-Authenticate': {
    description: 'The scheme of the credential: `Bearer`.',
    schema: { type: 'string', examples: ['Bearer realm="soundline"'] },
  },
  'X-Request-Id': {
    description: "The request's id in the server's log.",
    schema: { type: 'string', examples: ['0f2c9a3e-5b1d-4c7a-9e8f-6d5c4b3a2f1e'] },
  },
}

/** The statuses of errors that a repeated request does not get again. */
const UNREPEATED = [401, 413, 429, 500, 503]

/** Returns references to the headers of a success, by name. */
export function successHeaders(method: string): Record<string, { $ref: string }> {
  return method === 'POST' ? references([...COMMON, 'Idempotency-Replayed']) : references(COMMON)
}

/** Returns references to the headers of an error, by name. */
export function errorHeaders(status: number, codes: ErrorCode[]): Record<string, { $ref: string }> {
  const names = [...COMMON]
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503 || codes.includes('idempotency_in_progress')) names.push('Retry-After')
  if (!UNREPEATED.includes(status)) names.push('Idempotency-Replayed')
  return references(names)
}

const COMMON = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

function references(names: string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
