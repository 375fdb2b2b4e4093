import type { ApiError } from '../errors.ts'

/** An answer before it becomes a `Response`. Header names are written as they go out. */
export type Reply = { status: number; headers: Record<string, string>; body: string | null }

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  }
}

export function emptyReply(headers: Record<string, string> = {}): Reply {
  return { status: 204, headers: { ...headers }, body: null }
}

/** `{error, details?}` with the status of the code and the headers the error brings. */
export function errorReply(error: ApiError, headers: Record<string, string> = {}): Reply {
  const body = error.details === undefined ? { error: error.api } : { error: error.api, details: error.details }
  return jsonReply(error.status, body, { ...headers, ...error.headers })
}

/** The answer as it is sent: a HEAD gets the headers of its GET, length included, and no body. */
export function toResponse(reply: Reply, isHead: boolean): Response {
  const headers = new Headers(reply.headers)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
  if (reply.body !== null) headers.set('Content-Length', String(Buffer.byteLength(reply.body)))
  return new Response(isHead ? null : reply.body, { status: reply.status, headers })
}
