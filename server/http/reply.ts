import type { ApiError } from '../errors.ts'
import { jsonBytes } from './json-bytes.ts'

/** An answer before it becomes a `Response`. Header names are written as they go out. */
export type Reply = { status: number; headers: Record<string, string>; body: string | Uint8Array | null }

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(value) }
}

/** The same for what an operation returns, which may be megabytes. */
export async function outputReply(status: number, output: unknown, headers: Record<string, string>): Promise<Reply> {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: await jsonBytes(output) }
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

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
  return new Response(isHead ? null : (reply.body as BodyInit | null), { status: reply.status, headers })
}
