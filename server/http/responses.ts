import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { FastResponse } from 'srvx/node'
import { ApiError } from '../errors.ts'
import { AGENT_ERROR_CODES, type ErrorCode, messageOf } from '../schemas/errors/error-table.ts'

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** Returns a response that no cache keeps, unless `headers` say otherwise. */
export function respondWith(
  status: number,
  body: string | Uint8Array | null,
  headers: Record<string, string> = {},
): Response {
  const length = body === null ? null : { 'Content-Length': String(Buffer.byteLength(body)) }
  const all = { 'Cache-Control': 'no-store', ...headers, 'X-Content-Type-Options': 'nosniff', ...length }
  return new FastResponse(body as Exclude<BodyInit, URLSearchParams> | null, {
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: all,
  })
}

export function jsonResponse(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  return respondWith(status, JSON.stringify(value), { ...JSON_TYPE, ...headers })
}

/** Returns the error's body with the status of its code and its headers. `origin` is the address of this server. */
export function errorResponse(error: ApiError, origin: string, headers: Record<string, string> = {}): Response {
  return jsonResponse(error.status, errorBody(error, origin), { ...headers, ...error.headers })
}

/** `doc` is where the guide describes the code, at the address at which the caller reaches the server. */
export function errorBody(error: ApiError, origin: string) {
  const { api, details } = error
  const isAgents = (AGENT_ERROR_CODES as ErrorCode[]).includes(api)
  const doc = `${origin}/docs/guide${isAgents ? '/agents#codes-of-agents' : `#code-${api}`}`
  const body = { error: api, message: messageOf(error), doc }
  return details === undefined ? body : { ...body, details }
}

/** Returns the response to HEAD: the headers of its GET, length included, and no body. */
export function forMethod({ method }: Request, response: Response): Response {
  if (method !== 'HEAD') return response
  const { status, statusText, headers } = response
  return new FastResponse(null, { status, statusText, headers })
}

/** Whether the body is a stream of server-sent events, which lasts as long as a page is open. */
export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

/** @throws ApiError `method_not_allowed` */
export function requireReading({ method }: Request): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD')
}

export function methodNotAllowed(allow: string): ApiError {
  return new ApiError('method_not_allowed', undefined, { Allow: allow })
}

/**
 * Returns a file that clients may keep, if they ask each time whether it is that of the running version; 304 when it is.
 * `headers` are those of both, `ofContent` those of the file.
 */
export function fileResponse(
  request: Request,
  bytes: Uint8Array,
  ofContent: Record<string, string>,
  headers: Record<string, string> = {},
): Response {
  const ETag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  const common = { ...headers, 'Cache-Control': 'no-cache', ETag }
  if (isKnown(request, ETag)) return respondWith(304, null, common)
  return forMethod(request, respondWith(200, bytes, { ...common, ...ofContent }))
}

/** Returns whether the client has these bytes. A proxy that compresses makes an ETag weak, which is the same file still. */
function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  return known.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
