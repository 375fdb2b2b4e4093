import { respondWith } from '../../http/responses.ts'
import { HEADERS } from './document-responses.ts'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const EXPOSED = Object.keys(HEADERS).join(', ')

/** Returns the headers that allow a listed origin to read the response. */
export function corsHeaders(origins: readonly string[], request: Request): Record<string, string> {
  if (origins.length === 0) return {}
  const origin = request.headers.get('origin')
  if (origin === null || !origins.includes(origin)) return { Vary: 'Origin' }
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
}

/** Returns whether this is a CORS preflight. It carries no key, so it is served before authentication. */
export function isPreflight(request: Request): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.headers.has('origin') &&
    request.headers.has('access-control-request-method')
  )
}

/** Returns 204 for every origin, with the headers that allow the request only for a listed one. */
export function preflightResponse(
  origins: readonly string[],
  request: Request,
  others: Record<string, string> = {},
): Response {
  const headers = { ...others, ...corsHeaders(origins, request) }
  const allowed = {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Mcp-Protocol-Version',
    'Access-Control-Max-Age': '600',
  }
  return respondWith(204, null, 'Access-Control-Allow-Origin' in headers ? { ...headers, ...allowed } : headers)
}
