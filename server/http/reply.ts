import { createHash } from 'node:crypto'
import type { ApiError } from '../errors.ts'
import { AGENT_ERROR_CODES, type ErrorCode, messageOf } from '../schemas/errors/error-table.ts'
import { jsonBody } from './json-body.ts'

/**
 * The parts of a `Request` that the public API reads. The front makes them from Node's own message, because undici's
 * `Request` and `Response` cost more than the rest of a short answer.
 */
export type HttpRequest = {
  readonly method: string
  readonly headers: Pick<Headers, 'get' | 'has'>
  readonly body: ReadableStream<Uint8Array> | null
}

/** A response before it becomes a `Response` object. Header names are written as they are sent. */
export type Reply = { status: number; headers: Record<string, string>; body: string | Uint8Array | null }

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(value) }
}

/** The same for an operation's output, which can be megabytes. */
export async function outputReply(status: number, output: unknown, headers: Record<string, string>): Promise<Reply> {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: await jsonBody(output) }
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

export function emptyReply(headers: Record<string, string> = {}): Reply {
  return { status: 204, headers: { ...headers }, body: null }
}

/** Returns the error's body with the status of its code and its headers. `origin` is the address of this server. */
export function errorReply(error: ApiError, origin: string, headers: Record<string, string> = {}): Reply {
  return jsonReply(error.status, errorBody(error, origin), { ...headers, ...error.headers })
}

export function errorBody(error: ApiError, origin: string) {
  const { api, details } = error
  const body = { error: api, message: messageOf(error), doc: guideLink(origin, api) }
  return details === undefined ? body : { ...body, details }
}

/** Returns where the guide describes the code. `origin` is the address at which the caller reaches the server. */
function guideLink(origin: string, code: ErrorCode): string {
  const isAgents = (AGENT_ERROR_CODES as ErrorCode[]).includes(code)
  return isAgents ? `${origin}/docs/guide/agents#codes-of-agents` : `${origin}/docs/guide#code-${code}`
}

export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`
}

/** Returns whether the client has these bytes. A proxy that compresses makes an ETag weak, which is the same file still. */
export function isKnown(request: HttpRequest, etag: string): boolean {
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  return known.some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}

/** Returns the response to send: HEAD gets the headers of its GET, length included, and no body. */
export function toResponse(reply: Reply, isHead: boolean): Response {
  const headers = sentHeaders(reply)
  return new Response(isHead ? null : (reply.body as BodyInit | null), { status: reply.status, headers })
}

/** Returns all headers of a response. */
export function sentHeaders({ headers, body }: Reply): Record<string, string> {
  const length = body === null ? null : { 'Content-Length': String(Buffer.byteLength(body)) }
  return { 'Cache-Control': 'no-store', ...headers, 'X-Content-Type-Options': 'nosniff', ...length }
}
