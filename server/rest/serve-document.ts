import { randomUUID } from 'node:crypto'
import type { Runtime } from '../context.ts'
import { ApiError, toApiError } from '../errors.ts'
import { callerOf, withAdmission } from '../http/admission.ts'
import { addressBucket } from '../http/client-address.ts'
import { targetOf } from '../http/path.ts'
import { countRequest, rateLimitKey } from '../http/rate-limits.ts'
import { errorReply, type Reply, toResponse } from '../http/reply.ts'
import { log } from '../process/log.ts'
import { corsHeaders, isPreflight, preflightReply } from './cors.ts'
import { buildDocument } from './document.ts'
import type { Facade } from './serve.ts'

export const DOCUMENT_PATH = '/api/openapi/public/v1.json'

const WINDOW_SECONDS = 60
const DEADLINE_MS = 8_000

/** Answers everything under `/api/openapi`: the OpenAPI document, without a key, metered per address. */
export function createDocument(runtime: Runtime): Facade {
  return async (request, client) => {
    const requestId = client.requestId ?? randomUUID()
    const answer = async (): Promise<Reply> => {
      if ((client.target ?? targetOf(request.url)).path !== DOCUMENT_PATH) throw new ApiError('not_found')
      if (isPreflight(request)) return preflightReply(runtime.settings.API_CORS_ORIGINS, request)
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, HEAD' })
      }
      await withAdmission(runtime.db, callerOf(null, client.address), () => meter(runtime, client.address), DEADLINE_MS)
      return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: documentText() }
    }
    const reply = await answer().catch((error): Reply => {
      const refusal = toApiError(error)
      if (refusal.api === 'internal_error') log.error({ err: error, requestId }, 'document failed')
      return errorReply(refusal)
    })
    Object.assign(reply.headers, corsHeaders(runtime.settings.API_CORS_ORIGINS, request), {
      'X-Request-Id': requestId,
    })
    return toResponse(reply, request.method === 'HEAD')
  }
}

let text: string | null = null

/** Takes 0.1 s of work, once: a web process has it done before it takes requests. */
export function documentText(): string {
  text ??= JSON.stringify(buildDocument())
  return text
}

/** @throws ApiError `rate_limited` with `Retry-After` */
async function meter({ db, settings }: Runtime, address: string): Promise<void> {
  if (!settings.RATE_LIMIT_ENABLED) return
  const budget = { max: settings.RATE_LIMIT_DOCUMENT_MAX, windowSeconds: WINDOW_SECONDS }
  const { spent, secondsLeft } = await countRequest(db, rateLimitKey('document', addressBucket(address)), budget)
  if (spent > budget.max) throw new ApiError('rate_limited', undefined, { 'Retry-After': String(secondsLeft) })
}
