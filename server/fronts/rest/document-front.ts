import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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
import { oncePerProcess } from '../../process/once-per-process.ts'
import type { Settings } from '../../process/settings.ts'
import { corsHeaders, isPreflight, preflightResponse } from './cors.ts'
import { buildDocument } from './document.ts'
import type { ApiDocument } from './document-types.ts'

export const DOCUMENT_PATH = '/api/openapi/public/v1.json'

const WINDOW_SECONDS = 60
const DEADLINE_MS = 8_000
/** The best quality is an eighth smaller, but takes 380 ms of CPU time at each start of web instead of 12. */
const BROTLI_QUALITY = 6

/** Serves everything under `/api/openapi`: the OpenAPI document, without a key, with a rate limit per address. */
export function createDocument({ db, settings }: Runtime): WebHandler {
  const { API_CORS_ORIGINS, RATE_LIMIT_ENABLED, RATE_LIMIT_DOCUMENT_MAX } = settings
  const limit = { max: RATE_LIMIT_DOCUMENT_MAX, windowSeconds: WINDOW_SECONDS }
  return async (request, client) => {
    const requestId = client.requestId ?? randomUUID()
    const headers = { ...corsHeaders(API_CORS_ORIGINS, request), 'X-Request-Id': requestId }
    const respond = async (): Promise<Response> => {
      if ((client.target ?? targetOf(request.url)).path !== DOCUMENT_PATH) throw new ApiError('not_found')
      if (isPreflight(request)) return preflightResponse(API_CORS_ORIGINS, request, headers)
      requireReading(request)
      const count = () => requireWithinLimit(db, rateLimitKey('document', addressBucket(client.address)), limit)
      if (RATE_LIMIT_ENABLED) await withAdmission(callerOf(null, client.address), count, DEADLINE_MS)
      const accepted = acceptedCodings(request)
      const all = await representations(settings)
      const { coding, bytes } = all.find((each) => each.coding === null || accepted.includes(each.coding)) as Coded
      const Vary = API_CORS_ORIGINS.length > 0 ? 'Accept-Encoding, Origin' : 'Accept-Encoding'
      const ofContent = { ...JSON_TYPE, ...(coding && { 'Content-Encoding': coding }) }
      return fileResponse(request, bytes, ofContent, { ...headers, Vary })
    }
    const response = await respond().catch((error) => {
      const refusal = toApiError(error)
      if (refusal.api === 'internal_error') log.error({ err: error, requestId }, 'the OpenAPI document failed')
      return errorResponse(refusal, originOf(request.headers.get('host'), settings), headers)
    })
    return forMethod(request, response)
  }
}

function acceptedCodings({ headers }: Request): (string | undefined)[] {
  const parts = (headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  const accepted = parts.filter((part) => !/;\s*q\s*=\s*0(\.0*)?\s*(;|$)/.test(part))
  return accepted.map((part) => part.split(';', 1)[0]?.trim())
}

/** The document in one content coding, as it is sent; null for none. */
type Coded = { coding: string | null; bytes: Uint8Array }

/** Returns the document's JSON in each coding, best first. It is compressed once, in threads of their own. */
export function representations({ BASE_URL }: Pick<Settings, 'BASE_URL'>): Promise<Coded[]> {
  return oncePerProcess('document-representations', async () => {
    const document = BASE_URL === undefined ? apiDocument() : withLinks(apiDocument(), BASE_URL)
    const text = Buffer.from(JSON.stringify(document))
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
    return [
      { coding: 'br', bytes: await promisify(brotliCompress)(text, { params }) },
      { coding: 'gzip', bytes: await promisify(gzip)(text, { level: 9 }) },
      { coding: null, bytes: text },
    ]
  })
}

/** Returns the document. The first call takes 0.2 s, so web makes it before it accepts requests. */
export function apiDocument(): ApiDocument {
  return oncePerProcess('document', buildDocument)
}

/** Adds the addresses of the guide and the reference, which are known only when the operator has set one. */
export function withLinks(document: ApiDocument, address: string): ApiDocument {
  const { info, ...rest } = document
  return {
    ...rest,
    info: { ...info, contact: { ...info.contact, url: `${address}/docs` } },
    externalDocs: {
      description: 'The guide: first steps, error codes, permissions, retries and webhooks.',
      url: `${address}/docs/guide`,
    },
  }
}
