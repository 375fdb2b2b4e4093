import { randomUUID } from 'node:crypto'
import type { Runtime } from '../../context.ts'
import { ApiError, toApiError } from '../../errors.ts'
import { callerOf, withAdmission } from '../../http/admission.ts'
import { addressBucket } from '../../http/client-address.ts'
import type { WebHandler } from '../../http/front.ts'
import { originOf } from '../../http/own-host.ts'
import { targetOf } from '../../http/path.ts'
import { rateLimitKey, requireWithinLimit } from '../../http/rate-limits.ts'
import { errorResponse, forMethod, isKnown, JSON_TYPE, respondWith } from '../../http/responses.ts'
import { log } from '../../process/log.ts'
import { corsHeaders, isPreflight, preflightResponse } from './cors.ts'
import { chooseRepresentation, representations } from './document-representations.ts'

export const DOCUMENT_PATH = '/api/openapi/public/v1.json'

const WINDOW_SECONDS = 60
const DEADLINE_MS = 8_000

/** Serves everything under `/api/openapi`: the OpenAPI document, without a key, with a rate limit per address. */
export function createDocument(runtime: Runtime): WebHandler {
  return async (request, client) => {
    const requestId = client.requestId ?? randomUUID()
    const respond = async (): Promise<Response> => {
      if ((client.target ?? targetOf(request.url)).path !== DOCUMENT_PATH) throw new ApiError('not_found')
      if (isPreflight(request)) return preflightResponse(runtime.settings.API_CORS_ORIGINS, request)
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, HEAD' })
      }
      await withAdmission(callerOf(null, client.address), () => requireRateLimit(runtime, client.address), DEADLINE_MS)
      return documentResponse(runtime, request)
    }
    const response = await respond().catch((error) => {
      const refusal = toApiError(error)
      if (refusal.api === 'internal_error') log.error({ err: error, requestId }, 'the OpenAPI document failed')
      return errorResponse(refusal, originOf(request.headers.get('host'), runtime.settings))
    })
    const { Vary, ...cors } = corsHeaders(runtime.settings.API_CORS_ORIGINS, request)
    for (const [name, value] of Object.entries({ ...cors, 'X-Request-Id': requestId }))
      response.headers.set(name, value)
    if (Vary && response.headers.get('Vary') !== Vary) response.headers.append('Vary', Vary)
    return forMethod(request, response)
  }
}

/** Returns the document in the coding that the client accepts, or 304 when the client has it already. */
async function documentResponse({ settings }: Runtime, request: Request): Promise<Response> {
  const all = await representations(settings)
  const { coding, bytes, etag } = chooseRepresentation(all, request.headers.get('accept-encoding'))
  // `no-cache`: a client asks each time whether its copy is that of the running version.
  const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
  if (isKnown(request, etag)) return respondWith(304, null, headers)
  return respondWith(200, bytes, { ...headers, ...JSON_TYPE, ...(coding && { 'Content-Encoding': coding }) })
}

/** @throws ApiError `rate_limited` with `Retry-After` */
async function requireRateLimit({ db, settings }: Runtime, address: string): Promise<void> {
  if (!settings.RATE_LIMIT_ENABLED) return
  const limit = { max: settings.RATE_LIMIT_DOCUMENT_MAX, windowSeconds: WINDOW_SECONDS }
  await requireWithinLimit(db, rateLimitKey('document', addressBucket(address)), limit)
}
