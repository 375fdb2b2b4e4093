import type { ErrorCode } from '../errors.ts'

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
  'WWW-Authenticate': {
    description: 'The scheme of the credential: `Bearer`.',
    schema: { type: 'string', examples: ['Bearer realm="soundline"'] },
  },
  'X-Request-Id': {
    description: "The request's id in the server's log.",
    schema: { type: 'string', examples: ['0f2c9a3e-5b1d-4c7a-9e8f-6d5c4b3a2f1e'] },
  },
}

/** Returns references to the headers of a response, by name. Without a status it is a success. */
export function headersOf(status?: number, codes: ErrorCode[] = []): Record<string, { $ref: string }> {
  const names = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503 || codes.includes('idempotency_in_progress')) names.push('Retry-After')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
