import { randomUUID } from 'node:crypto'
import type { Runtime } from '../context.ts'
import { ApiError, toApiError } from '../errors.ts'
import { callerOf, withAdmission } from '../http/admission.ts'
import { addressBucket } from '../http/client-address.ts'
import type { WebHandler } from '../http/front.ts'
import { originOf } from '../http/own-host.ts'
import { targetOf } from '../http/path.ts'
import { rateLimitKey, requireWithinLimit } from '../http/rate-limits.ts'
import { errorReply, isKnown, type Reply, toResponse } from '../http/reply.ts'
import { log } from '../process/log.ts'
import { corsHeaders, isPreflight, preflightReply } from './cors.ts'
import { chooseRepresentation, representations } from './document-representations.ts'

export const DOCUMENT_PATH = '/api/openapi/public/v1.json'

const WINDOW_SECONDS = 60
const DEADLINE_MS = 8_000

/** Serves everything under `/api/openapi`: the OpenAPI document, without a key, with a rate limit per address. */
export function createDocument(runtime: Runtime): WebHandler {
  return async (request, client) => {
    const requestId = client.requestId ?? randomUUID()
    const respond = async (): Promise<Reply> => {
      if ((client.target ?? targetOf(request.url)).path !== DOCUMENT_PATH) throw new ApiError('not_found')
      if (isPreflight(request)) return preflightReply(runtime.settings.API_CORS_ORIGINS, request)
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, HEAD' })
      }
      await withAdmission(callerOf(null, client.address), () => requireRateLimit(runtime, client.address), DEADLINE_MS)
      return documentReply(runtime, request)
    }
    const reply = await respond().catch((error): Reply => {
      const refusal = toApiError(error)
      if (refusal.api === 'internal_error') log.error({ err: error, requestId }, 'the OpenAPI document failed')
      return errorReply(refusal, originOf(request.headers.get('host'), runtime.settings))
    })
    const { Vary, ...cors } = corsHeaders(runtime.settings.API_CORS_ORIGINS, request)
    const vary = [reply.headers.Vary, Vary].filter((part) => part !== undefined).join(', ')
    Object.assign(reply.headers, cors, { 'X-Request-Id': requestId }, vary === '' ? {} : { Vary: vary })
    return toResponse(reply, request.method === 'HEAD')
  }
}

/** Returns the document in the coding that the client accepts, or 304 when the client has it already. */
async function documentReply({ settings }: Runtime, request: Request): Promise<Reply> {
  const all = await representations(settings)
  const { coding, bytes, etag } = chooseRepresentation(all, request.headers.get('accept-encoding'))
  // `no-cache`: a client asks each time whether its copy is that of the running version.
  const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
  if (isKnown(request, etag)) return { status: 304, headers, body: null }
  return {
    status: 200,
    headers: {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      ...(coding === null ? {} : { 'Content-Encoding': coding }),
    },
    body: bytes,
  }
}

/** @throws ApiError `rate_limited` with `Retry-After` */
async function requireRateLimit({ db, settings }: Runtime, address: string): Promise<void> {
  if (!settings.RATE_LIMIT_ENABLED) return
  const limit = { max: settings.RATE_LIMIT_DOCUMENT_MAX, windowSeconds: WINDOW_SECONDS }
  await requireWithinLimit(db, rateLimitKey('document', addressBucket(address)), limit)
}
