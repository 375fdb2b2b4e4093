import { randomUUID } from 'node:crypto'
import type { ActorContext, Runtime } from '../../context.ts'
import { ApiError, toApiError } from '../../errors.ts'
import { callerOf, rememberCaller, waysOf, withAdmission } from '../../http/admission.ts'
import { readJsonBody } from '../../http/body.ts'
import type { Client } from '../../http/client-address.ts'
import type { WebHandler } from '../../http/front.ts'
import { originOf } from '../../http/own-host.ts'
import { errorResponse, respondWith } from '../../http/responses.ts'
import { type Authenticated, authenticate, recheckKey } from '../../identity/auth/authenticate-key.ts'
import { createKeyUsage } from '../../identity/auth/key-usage.ts'
import { log } from '../../process/log.ts'
import { createCaller } from '../../router.ts'
import { corsHeaders, isPreflight, preflightResponse } from '../rest/cors.ts'
import { challenge, DEADLINES, type Facade } from '../rest/facade.ts'
import { respondToMessage } from './protocol.ts'
import type { ToolRequest } from './tool.ts'
import { TOOLS } from './tools.ts'

// Within the bounds of the public API: a request costs one of the key's budget, and each operation of a tool has the
// deadlines of an operation of the API.

type Call = {
  request: Request
  client: Client
  requestId: string
  origin: string
  /** Null until the key is accepted. */
  authenticated: Authenticated | null
  /** Null until a tool is called. */
  tool: string | null
}

/**
 * Creates the MCP endpoint: the tools of `TOOLS` by JSON-RPC over HTTP, for the member of the API key. It keeps no
 * session, so any web process can respond to any request.
 */
export function createMcp(runtime: Runtime): WebHandler & Pick<Facade, 'flush'> {
  const usage = createKeyUsage(runtime)
  const serve: WebHandler = async (request, client) => {
    const started = performance.now()
    const call: Call = {
      request,
      client,
      requestId: client.requestId ?? randomUUID(),
      origin: originOf(request.headers.get('host'), runtime.settings),
      authenticated: null,
      tool: null,
    }
    const response = await respond(runtime, call).catch((error) => refuse(call, error))
    const headers = { ...corsHeaders(runtime.settings.API_CORS_ORIGINS, request), ...call.authenticated?.headers }
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    response.headers.set('X-Request-Id', call.requestId)
    const { organizationId, key } = call.authenticated?.actor ?? {}
    if (organizationId && key) {
      const operation = call.tool === null ? 'mcp' : `mcp ${call.tool}`
      usage.add({ organizationId, id: key.id }, operation, response.status >= 400)
    }
    log.info(
      {
        requestId: call.requestId,
        tool: call.tool,
        status: response.status,
        ms: Math.round(performance.now() - started),
        address: client.address,
        keyId: key?.id,
      },
      'mcp request',
    )
    return response
  }
  return Object.assign(serve, { flush: usage.flush })
}

async function respond(runtime: Runtime, call: Call): Promise<Response> {
  const { request, client, requestId, origin } = call
  if (isPreflight(request)) return preflightResponse(runtime.settings.API_CORS_ORIGINS, request)
  // A GET would open a stream of server messages, which this server does not send.
  if (request.method !== 'POST') throw new ApiError('method_not_allowed', undefined, { Allow: 'POST' })

  const authorization = request.headers.get('authorization')
  call.authenticated = await withAdmission(
    callerOf(authorization, client.address),
    () => authenticate(runtime, authorization, client.address),
    DEADLINES.authenticationMs,
  )
  const { actor } = call.authenticated
  const requester = rememberCaller(authorization, actor.organizationId)
  // One message: a batch would be many requests for the price of one.
  const bounds = { maxBytes: runtime.settings.REQUEST_BODY_MAX_BYTES, maxMs: DEADLINES.bodyMs }
  const message = await readJsonBody(request, bounds)

  const ctx: ActorContext = { ...runtime, actor, address: client.address, requestId, origin, session: null }
  const { admitted, completing } = waysOf(requester, DEADLINES)
  // Only the first call can be refused for the load: the others may follow a change.
  let within = admitted
  let operations = createCaller(ctx)
  const toolRequest: ToolRequest = {
    ctx,
    call: async (work) => {
      const output = await within(() => work(operations))
      within = completing
      return output
    },
    wait: async (id, ms) => {
      await runtime.waits.wait({ organizationId: actor.organizationId, userId: actor.userId, id }, ms, request.signal)
      const present = await completing(() => recheckKey(runtime, authorization))
      operations = createCaller({ ...ctx, actor: present })
    },
  }
  const response = await respondToMessage(request, message, {
    tools: TOOLS.filter(({ access }) => access === 'read' || actor.key?.access === 'write'),
    request: toolRequest,
    onTool: ({ name }) => {
      call.tool = name
    },
  })
  const type = response.headers.get('content-type')
  const body = await response.text()
  return respondWith(response.status, body || null, type ? { 'Content-Type': type } : {})
}

function refuse(call: Call, error: unknown): Response {
  const refusal = toApiError(error)
  if (refusal.api === 'internal_error') log.error({ err: error, requestId: call.requestId }, 'an MCP request failed')
  return errorResponse(refusal, call.origin, challenge(refusal))
}
