import { randomUUID } from 'node:crypto'
import type { Runtime } from '../../context.ts'
import { ApiError, toApiError } from '../../errors.ts'
import { callerOf, withAdmission } from '../../http/admission.ts'
import { addressBucket } from '../../http/client-address.ts'
import type { WebHandler } from '../../http/front.ts'
import { originOf } from '../../http/own-host.ts'
import { targetOf } from '../../http/path.ts'
import { rateLimitKey, requireWithinLimit } from '../../http/rate-limits.ts'
import { errorResponse, fileResponse, forMethod, JSON_TYPE, requireReading } from '../../http/responses.ts'
import { log } from '../../process/log.ts'
import { corsHeaders, isPreflight, preflightResponse } from './cors.ts'
import { chooseRepresentation, representations } from './document-representations.ts'

export const DOCUMENT_PATH = '/api/openapi/public/v1.json'

const WINDOW_SECONDS = 60
const DEADLINE_MS = 8_000

/** Serves everything under `/api/openapi`: the OpenAPI document, without a key, with a rate limit per address. */
export function createDocument({ db, settings }: Runtime): WebHandler {
  const { API_CORS_ORIGINS, RATE_LIMIT_ENABLED, RATE_LIMIT_DOCUMENT_MAX } = settings
  const limit = { max: RATE_LIMIT_DOCUMENT_MAX, windowSeconds: WINDOW_SECONDS }
  return async (request, client) => {
    const requestId = client.requestId ?? randomUUID()
    const respond = async (): Promise<Response> => {
      if ((client.target ?? targetOf(request.url)).path !== DOCUMENT_PATH) throw new ApiError('not_found')
      if (isPreflight(request)) return preflightResponse(API_CORS_ORIGINS, request)
      requireReading(request)
      const count = () => requireWithinLimit(db, rateLimitKey('document', addressBucket(client.address)), limit)
      if (RATE_LIMIT_ENABLED) await withAdmission(callerOf(null, client.address), count, DEADLINE_MS)
      const all = await representations(settings)
      const { coding, bytes } = chooseRepresentation(all, request.headers.get('accept-encoding'))
      const file = fileResponse(request, bytes, { ...JSON_TYPE, ...(coding && { 'Content-Encoding': coding }) })
      file.headers.set('Vary', 'Accept-Encoding')
      return file
    }
    const response = await respond().catch((error) => {
      const refusal = toApiError(error)
      if (refusal.api === 'internal_error') log.error({ err: error, requestId }, 'the OpenAPI document failed')
      return errorResponse(refusal, originOf(request.headers.get('host'), settings))
    })
    const { Vary, ...cors } = corsHeaders(API_CORS_ORIGINS, request)
    for (const [name, value] of Object.entries({ ...cors, 'X-Request-Id': requestId }))
      response.headers.set(name, value)
    if (Vary && response.headers.get('Vary') !== Vary) response.headers.append('Vary', Vary)
    return forMethod(request, response)
  }
}
