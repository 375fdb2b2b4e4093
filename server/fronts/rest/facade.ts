import { randomUUID } from 'node:crypto'
import type { Db } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import type { Actor, ActorContext, Runtime } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { type Admitted, callerOf, rememberCaller, waysOf, withAdmission } from '../../http/admission.ts'
import { parseJsonBody, readBody } from '../../http/body.ts'
import type { WebHandler } from '../../http/front.ts'
import { originOf } from '../../http/own-host.ts'
import { isCanonicalPath, targetOf } from '../../http/path.ts'
import {
  errorResponse,
  forMethod,
  JSON_TYPE,
  jsonResponse,
  methodNotAllowed,
  respondWith,
} from '../../http/responses.ts'
import { authenticate, recheckKey } from '../../identity/auth/authenticate-key.ts'
import { createKeyUsage } from '../../identity/auth/key-usage.ts'
import { observeRequest } from '../../observe/metrics/requests.ts'
import { log } from '../../process/log.ts'
import { currentTracing } from '../../process/tracing.ts'
import { appRouter } from '../../router.ts'
import { corsHeaders, isPreflight, preflightResponse } from './cors.ts'
import { describeFailure } from './describe-failure.ts'
import { answerOnce, readIdempotencyKey, type Waiting } from './idempotency.ts'
import { answersOf } from './idempotent-answers.ts'
import { readInput } from './input.ts'
import { BASE_PATH, createRouteTable, type Route, type RouteTable } from './route.ts'

export type Facade = WebHandler & {
  /** Stores the counted usage of keys; called when the process stops. */
  flush: () => Promise<void>
}

/** How long each part of a request may take, in milliseconds. */
export const DEADLINES = {
  // A database that takes longer will not respond.
  authenticationMs: 8_000,
  bodyMs: 20_000,
  // An operation's statements are cancelled and rolled back after this.
  statementsMs: 25_000,
  // Longer than the slowest response (a step body, 25 s), and shorter than the timeout of proxies.
  operationMs: 28_000,
  // A request with the `Idempotency-Key` of one that still runs waits this long for its answer.
  repeatedMs: 5_000,
}
export type Deadlines = typeof DEADLINES

/**
 * Creates the facade: the public API as a web-standard function for everything under `/api/public`. It responds to every
 * request and never throws: an unexpected error becomes `internal_error` and is logged under the id in `X-Request-Id`.
 */
export function createFacade(runtime: Runtime, deadlines: Deadlines = DEADLINES): Facade {
  const table = createRouteTable(appRouter)
  const usage = createKeyUsage(runtime)
  const serve: WebHandler = async (request, client) => {
    const started = performance.now()
    const requestId = client.requestId ?? randomUUID()
    const call: Call = {
      request,
      ...(client.target ?? targetOf(request.url)),
      address: client.address,
      requestId,
      origin: originOf(request.headers.get('host'), runtime.settings),
      headers: { ...corsHeaders(runtime.settings.API_CORS_ORIGINS, request), 'X-Request-Id': requestId },
      actor: null,
      operationId: null,
    }
    const response = await respond(runtime, table, deadlines, call).catch((error) =>
      refuse(runtime, deadlines, call, error),
    )
    const { organizationId, key } = call.actor ?? {}
    if (organizationId && key && call.operationId) {
      usage.add({ organizationId, id: key.id }, call.operationId, response.status >= 400)
    }
    observeRequest('api', call.operationId, response.status, started)
    log.info(
      {
        requestId,
        method: request.method,
        path: call.path,
        status: response.status,
        ms: Math.round(performance.now() - started),
        address: call.address,
        keyId: key?.id,
      },
      'api request',
    )
    return forMethod(request, response)
  }
  return Object.assign(serve, { flush: usage.flush })
}

type Call = {
  request: Request
  path: string
  query: string
  address: string
  requestId: string
  origin: string
  /** Headers of its response; from the check of the key on with `X-RateLimit-*`. */
  headers: Record<string, string>
  /** Null until the key is accepted. */
  actor: Actor | null
  /** Null until the route is found. */
  operationId: string | null
}

/** Runs the steps of a request, in the order in which they refuse it. */
async function respond(runtime: Runtime, table: RouteTable, deadlines: Deadlines, call: Call): Promise<Response> {
  const { request, path } = call
  if (!isCanonicalPath(path)) throw new ApiError('invalid_path')
  if (isPreflight(request)) return preflightResponse(runtime.settings.API_CORS_ORIGINS, request, call.headers)

  // Matched before the key's access is checked, so that key usage counts refused writes too.
  const match = path.startsWith(`${BASE_PATH}/`) ? table.match(request.method, path.slice(BASE_PATH.length)) : null
  const authorization = request.headers.get('authorization')
  const { actor, headers } = await withAdmission(
    callerOf(authorization, call.address),
    () => authenticate(runtime, authorization, call.address),
    deadlines.authenticationMs,
  )
  Object.assign(call, { actor, headers: { ...call.headers, ...headers } })
  const requester = rememberCaller(authorization, actor.organizationId)
  if (match && 'route' in match) {
    call.operationId = match.route.operationId
    currentTracing()?.setRoute(`${BASE_PATH}${match.route.path}`)
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead && actor.key?.access !== 'write') throw new ApiError('api_key_read_only')

  if (!match) throw new ApiError('not_found')
  if ('allow' in match) throw methodNotAllowed(match.allow)

  const { route, params } = match
  const key = readIdempotencyKey(request)
  const bounds = { maxBytes: runtime.settings.REQUEST_BODY_MAX_BYTES, maxMs: deadlines.bodyMs }
  const bytes = isRead ? new Uint8Array() : await readBody(request, bounds)
  // Of an operation without input, a body is checked and dropped. Usually there is none.
  const body = isRead ? {} : parseJsonBody(request, bytes, !route.readsBody || route.api.optionalBody)
  const { raw, parsed: input } = readInput(route, params, new URLSearchParams(call.query), body)
  const { address, requestId, origin } = call
  const context: ActorContext = { ...runtime, actor, address, requestId, origin, session: null }
  const { admitted, completing } = waysOf(requester, deadlines)
  const operate = (db: Db) => admitted(() => route.call(db === runtime.db ? context : { ...context, db }, raw))
  const waiting = waitingOf(request, route, input, context, completing)
  if (key !== null && actor.key) {
    const content = [route.method, path, call.query, bytes]
    const keyed = { organizationId: actor.organizationId, keyId: actor.key.id, name: key, content }
    const answers = answersOf(runtime.vault, keyed)
    const permit = () => admitted(() => route.permit(context, raw))
    const ways = { admitted, completing, waitMs: deadlines.repeatedMs }
    const answered = await answerOnce(runtime.db, { route, answers, permit, operate, ...waiting, ...ways })
    const replayed: Record<string, string> = answered.isRepeated ? { 'Idempotency-Replayed': 'true' } : {}
    return respondWith(answered.status, answered.body, { ...JSON_TYPE, ...call.headers, ...replayed })
  }
  const output = await waiting.finish(await operate(runtime.db))
  if (output === undefined && route.api.noContent) return respondWith(204, null, call.headers)
  return jsonResponse(route.api.status ?? 200, output, call.headers)
}

/** Returns how a request waits for the runs in its output, as long as the caller asks. */
function waitingOf(
  request: Request,
  { api: { wait }, output: shape }: Route,
  input: Record<string, unknown>,
  context: ActorContext,
  completing: Admitted,
): Waiting {
  const seconds = Number(input.wait ?? 0)
  const awaitedOf = (output: unknown) => (wait && seconds > 0 ? wait.pending(output as never, context) : null)
  return {
    waits: (output) => awaitedOf(output) !== null,
    async finish(output) {
      const awaited = awaitedOf(output)
      if (!wait || !awaited) return output
      await context.waits.wait({ ...awaited, userId: context.actor.userId }, seconds * 1_000, request.signal)
      return completing(async () => {
        // With the member's present permissions.
        const actor = await recheckKey(context, request.headers.get('authorization'))
        return shape.parse(await wait.read(output as never, { ...context, actor }, input))
      })
    },
    isCutShort: () => request.signal.aborted || context.waits.isClosed,
  }
}

async function refuse(runtime: Runtime, deadlines: Deadlines, call: Call, error: unknown): Promise<Response> {
  const describe = () => describeFailure(runtime.db, call.actor, error)
  const refusal = await withinRequestBounds(deadlines.statementsMs, describe)
  const { requestId, path } = call
  const about = { err: error, requestId, method: call.request.method, path }
  if (refusal.api === 'internal_error') log.error(about, 'the API request failed')
  if (refusal.api === 'service_unavailable') log.warn(about, 'the API is unavailable')
  return errorResponse(refusal, call.origin, { ...call.headers, ...challenge(refusal) })
}

/** RFC 6750: a 401 names the scheme, and an error only when the request had a token. */
export function challenge({ api, status }: ApiError): Record<string, string> {
  if (status !== 401) return {}
  const error = api === 'missing_auth_header' ? '' : `, error="invalid_token", error_description="${api}"`
  return { 'WWW-Authenticate': `Bearer realm="soundline"${error}` }
}
