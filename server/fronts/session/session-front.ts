import { randomUUID } from 'node:crypto'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { Challenge, Context, Runtime, SessionPort, StartedSession } from '../../context.ts'
import { ApiError, toApiError } from '../../errors.ts'
import { type Admitted, callerOf, rememberCaller, withAdmission } from '../../http/admission.ts'
import { isJson, readJsonBody } from '../../http/body.ts'
import { addressBucket, type Client } from '../../http/client-address.ts'
import { withDeadline } from '../../http/deadline.ts'
import { isOwnHost, WRONG_HOST } from '../../http/own-host.ts'
import { rateLimitKey, requireWithinLimit } from '../../http/rate-limits.ts'
import { isEventStream } from '../../http/responses.ts'
import { requireStorable } from '../../http/storable.ts'
import { challengeCookie, deviceCookie, sessionCookie } from '../../identity/auth/cookies.ts'
import { requireSameOrigin } from '../../identity/auth/csrf.ts'
import { contextFromSession } from '../../identity/auth/sessions.ts'
import { observeRequest } from '../../observe/metrics/requests.ts'
import { log } from '../../process/log.ts'
import { currentTracing } from '../../process/tracing.ts'
import { appRouter } from '../../router.ts'
import { POSTED_QUERIES } from '../../schemas/account/posted-queries.ts'
import { dashboardTextOf } from '../../schemas/errors/error-table.ts'
import { describeError } from '../../trpc.ts'
import { EXPORT_PATH, serveExport } from './export.ts'
import { serveUnsubscribe, UNSUBSCRIBE_PATH } from './unsubscribe.ts'

export const DASHBOARD_PATH = '/api/trpc'

export type Dashboard = (request: Request, client: Client) => Promise<Response>

const DEADLINE_MS = 28_000
const BODY_MS = 20_000
const WINDOW_SECONDS = 60

/**
 * Creates the dashboard's API as a web-standard function for everything under `/api/trpc`, `/api/export` and
 * `/api/unsubscribe`: one operation
 * per request, queries by GET and mutations by POST, authenticated only by the session cookie. It responds to every
 * request and never throws; an error has its code and details in `error.data`.
 */
export function createDashboard(runtime: Runtime): Dashboard {
  return async (request, client) => {
    const started = performance.now()
    const call: Call = { request, address: client.address, requestId: client.requestId ?? randomUUID() }
    const caller = callerOf(request.headers.get('cookie'), call.address)
    const admitted: Admitted = (work) => withAdmission(caller, work)
    const responded = respond(runtime, call, admitted)
    const response = await withDeadline(DEADLINE_MS, responded).catch((error) => refuse(call, error))
    observeRequest('dashboard', operationOf(request), response.status, started)
    // A proxy that compresses or collects a stream would delay it.
    response.headers.set('Cache-Control', isEventStream(response) ? 'no-store, no-transform' : 'no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    response.headers.set('X-Request-Id', call.requestId)
    return response
  }
}

/** Returns the operation that a request names; null for everything else, such as exports and unknown names. */
function operationOf(request: Request): string | null {
  const name = new URL(request.url).pathname.slice(DASHBOARD_PATH.length + 1)
  return Object.hasOwn(PROCEDURES, name) ? name : null
}

type Call = { request: Request; address: string; requestId: string }

async function respond(runtime: Runtime, call: Call, admitted: Admitted): Promise<Response> {
  const { request, address } = call
  // An API key never works here, even with a valid cookie.
  if (request.headers.has('authorization')) throw new ApiError('session_required')
  if (!isOwnHost(request.headers.get('host'), runtime.settings))
    throw new ApiError('wrong_host', { reason: WRONG_HOST })
  await admitted(() => requireRateLimit(runtime, address))
  if (new URL(request.url).pathname === UNSUBSCRIBE_PATH) return serveUnsubscribe(runtime, request, address, admitted)
  if (request.method !== 'GET' && request.method !== 'POST') {
    throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, POST' })
  }
  requireSameOrigin(request, runtime.settings)
  if (new URL(request.url).pathname.startsWith(`${EXPORT_PATH}/`)) {
    return await admitted(async () =>
      serveExport(await contextOf(runtime, call, { setCookie: () => {}, setChallenge: () => {} }), request),
    )
  }
  let started: StartedSession | null | undefined
  let challenge: Challenge | null | undefined
  const context = await admitted(() =>
    contextOf(runtime, call, {
      setCookie: (given) => {
        started = given
      },
      setChallenge: (given) => {
        challenge = given
      },
    }),
  )
  const operation = new URL(request.url).pathname.slice(DASHBOARD_PATH.length + 1)
  if (Object.hasOwn(PROCEDURES, operation)) currentTracing()?.setRoute(`${DASHBOARD_PATH}/${operation}`)
  const checked = await checkedRequest(request, maxBodyBytes(context))
  const handled = () =>
    fetchRequestHandler({
      endpoint: DASHBOARD_PATH,
      req: checked,
      router: appRouter,
      allowBatching: false,
      allowMethodOverride: POSTED_QUERIES.includes(operation),
      createContext: () => context,
      responseMeta: ({ errors }) => {
        const error = errors[0] && describeError(errors[0])
        return error ? { status: error.status, headers: new Headers(error.headers) } : {}
      },
      onError: ({ error, path }) => {
        if (describeError(error).api === 'internal_error') logFailure(call, error, path)
      },
    })
  const response = await admitted(handled)
  // Only after success: a session whose transaction failed does not exist.
  if (response.ok && started !== undefined) {
    response.headers.append('Set-Cookie', await sessionCookie(runtime, started?.id ?? null))
    if (started) response.headers.append('Set-Cookie', await deviceCookie(runtime, started))
  }
  if (response.ok && challenge !== undefined) {
    response.headers.append('Set-Cookie', await challengeCookie(runtime, challenge))
  }
  return response
}

const PROCEDURES: object = appRouter._def.procedures

/** The limit before sign-in: more than any sign-in, invitation or setup needs. */
const ANONYMOUS_MAX_BYTES = 16_384

function maxBodyBytes({ actor, session, settings }: Context): number {
  const isKnown = actor !== null || Boolean(session?.unenrolled)
  return isKnown ? settings.REQUEST_BODY_MAX_BYTES : Math.min(ANONYMOUS_MAX_BYTES, settings.REQUEST_BODY_MAX_BYTES)
}

async function contextOf(
  runtime: Runtime,
  call: Call,
  setters: Pick<SessionPort, 'setCookie' | 'setChallenge'>,
): Promise<Context> {
  const { request, address, requestId } = call
  const cookies = request.headers.get('cookie')
  const userAgent = request.headers.get('user-agent') ?? ''
  const host = request.headers.get('host')
  const context = await contextFromSession(runtime, { cookies, userAgent, address, requestId, host }, setters)
  if (context.actor) rememberCaller(cookies, context.actor.organizationId)
  return context
}

async function requireRateLimit({ db, settings }: Runtime, address: string): Promise<void> {
  if (!settings.RATE_LIMIT_ENABLED) return
  const limit = { max: settings.RATE_LIMIT_DASHBOARD_MAX, windowSeconds: WINDOW_SECONDS }
  await requireWithinLimit(db, rateLimitKey('dashboard', addressBucket(address)), limit)
}

/**
 * Returns the request for tRPC: within the size limit, declared as JSON, with nothing that cannot be stored, and without
 * the headers that would change the format of tRPC's response.
 */
async function checkedRequest(request: Request, maxBytes: number): Promise<Request> {
  if (request.method === 'GET') {
    const url = new URL(request.url)
    const input = url.searchParams.get('input')
    if (input) requireStorable(parseJson(input))
    // A query whose fields all have defaults needs no input.
    else url.searchParams.set('input', '{}')
    return new Request(url, { signal: request.signal })
  }
  if (!isJson(request.headers.get('content-type'))) throw new ApiError('invalid_request_body')
  // An operation without input is called without a body.
  const isEmpty = request.body === null || request.headers.get('content-length') === '0'
  const input = isEmpty ? undefined : await readJsonBody(request, { maxBytes, maxMs: BODY_MS })
  requireStorable(input)
  return new Request(request.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: input === undefined ? null : JSON.stringify(input),
    signal: request.signal,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('invalid_request_body')
  }
}

/** Returns the error in tRPC's format, for requests that are refused before tRPC is called. */
function refuse(call: Call, error: unknown): Response {
  const refusal = toApiError(error)
  if (refusal.api === 'internal_error') logFailure(call, error)
  const data = { code: refusal.api, httpStatus: refusal.status, details: refusal.details ?? null }
  return Response.json(
    { error: { message: dashboardTextOf(refusal), code: TRPC_ERROR_CODES_BY_KEY[refusal.code], data } },
    { status: refusal.status, headers: refusal.headers },
  )
}

function logFailure({ request, requestId }: Call, error: unknown, operation?: string): void {
  log.error({ err: error, requestId, method: request.method, operation }, 'the dashboard request failed')
}
