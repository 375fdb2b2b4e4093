import { randomUUID } from 'node:crypto'
import { openStore, registerStore, storeUrl } from '../../bodies/store.ts'
import type { Runtime } from '../../context.ts'
import { ApiError, toApiError } from '../../errors.ts'
import { createLargeBodyPermits, maxLargeBodies } from '../../fairness/large-bodies.ts'
import type { Client } from '../../http/client-address.ts'
import type { WebHandler } from '../../http/front.ts'
import { originOf } from '../../http/own-host.ts'
import { targetOf } from '../../http/path.ts'
import { errorResponse, forMethod, JSON_TYPE, respondWith } from '../../http/responses.ts'
import { type Announcer, createAnnouncer } from '../../live/announce.ts'
import { observeRequest } from '../../observe/metrics/requests.ts'
import { log } from '../../process/log.ts'
import { createRecordWriter } from '../../runs/record/writer.ts'
import {
  AGENT_HEADER,
  AGENT_PATH,
  type AgentSettings,
  MINIMUM_PROTOCOL,
  SIGNED_COMPONENTS,
} from '../../schemas/agents/protocol.ts'
import { readSignature } from '../../signatures/message-signature.ts'
import { enrol } from './enrol.ts'
import { createAgentFailures } from './requests/agent-failures.ts'
import type { AgentIdentity } from './requests/agent-key.ts'
import { authenticateAgent, refuserOf } from './requests/authenticate.ts'
import type { AgentCall, Gateway, SignedCall } from './requests/gateway-context.ts'
import { PollWaits } from './requests/poll-waits.ts'
import { storeBody } from './results/store-body.ts'
import { storeResult } from './results/store-result.ts'
import { heartbeat, release } from './runs/agent-heartbeat.ts'
import { poll } from './runs/poll.ts'

export type AgentGateway = WebHandler & {
  /** Ends the polls that wait. Called when the process stops. */
  endPolls: () => void
  /** Announces the last changes. Called when no request runs any more. */
  close: () => Promise<void>
}

/** Refused requests of one address or key in a minute; further ones are refused unchecked. */
const FAILURES_MAX = 60
const LONGEST_HEARTBEAT_SECONDS = 10
/** Four heartbeats may fail before an agent counts as dead. */
const HEARTBEATS_PER_LEASE = 4.5

const SIGNED: Record<string, (gateway: Gateway, call: SignedCall) => Promise<object>> = {
  poll,
  heartbeat,
  bodies: storeBody,
  results: storeResult,
  release,
}

/**
 * Creates the gateway of remote agents: everything under `/api/agent`. It responds to every request and never throws.
 * Only the signature of an agent is trusted.
 */
export function createAgentGateway(runtime: Runtime): AgentGateway {
  const announcer = createAnnouncer(runtime.db)
  const gateway = createGateway(runtime, announcer)
  const serve: WebHandler = async (request, client) => {
    const started = performance.now()
    const call = readCall(runtime, request, client)
    const known: { agent?: AgentIdentity } = {}
    const response = await respond(gateway, call, known).catch((error) =>
      refuse(gateway, call, known.agent ?? null, error),
    )
    observeRequest('gateway', operationOf(call), response.status, started)
    log.info(
      {
        requestId: call.requestId,
        method: request.method,
        path: call.target.path,
        status: response.status,
        ms: Math.round(performance.now() - started),
        address: call.address,
        agent: known.agent?.slug,
        keyId: known.agent?.keyId,
      },
      'agent request',
    )
    response.headers.set('X-Request-Id', call.requestId)
    return forMethod(request, response)
  }
  return Object.assign(serve, { endPolls: () => gateway.waits.close(), close: announcer.close })
}

function createGateway(runtime: Runtime, announcer: Announcer): Gateway {
  const { db, settings } = runtime
  const leaseSeconds = settings.AGENT_STALE_SECONDS
  let bodies: ReturnType<Gateway['bodies']> | null = null
  const openBodies = async () => {
    const url = storeUrl(settings)
    return { ...(await registerStore(db, url)), store: openStore(url) }
  }
  return {
    runtime,
    settings: {
      heartbeatSeconds: Math.min(LONGEST_HEARTBEAT_SECONDS, leaseSeconds / HEARTBEATS_PER_LEASE),
      leaseSeconds,
      runTimeoutMs: settings.PROBE_RUN_TIMEOUT * 1_000,
      minimumProtocol: MINIMUM_PROTOCOL,
    } satisfies AgentSettings,
    waits: new PollWaits(db),
    writer: createRecordWriter(db, {
      variablesMax: settings.VARIABLES_PER_SCOPE_MAX,
      announcer,
      metricsPerService: settings.METRICS_PER_SERVICE,
    }),
    bodies: () => {
      bodies ??= openBodies().catch((error) => {
        bodies = null
        throw error
      })
      return bodies
    },
    largeUploads: createLargeBodyPermits(maxLargeBodies(process.availableMemory())),
    failures: createAgentFailures(settings.RATE_LIMIT_ENABLED ? FAILURES_MAX : Number.POSITIVE_INFINITY),
  }
}

function readCall(runtime: Runtime, request: Request, client: Client): AgentCall {
  const target = client.target ?? targetOf(request.url)
  const [, version = '', protocol] =
    /^([0-9A-Za-z.+-]{1,32})\/(\d{1,3})$/.exec(request.headers.get(AGENT_HEADER) ?? '') ?? []
  const signable = { method: request.method, ...target, header: (name: string) => request.headers.get(name) }
  return {
    request,
    target,
    signable,
    signature: readSignature(signable, SIGNED_COMPONENTS),
    address: client.address,
    requestId: client.requestId ?? randomUUID(),
    origin: originOf(request.headers.get('host'), runtime.settings),
    version,
    protocol: Number(protocol ?? 0),
    signal: request.signal,
    onLost: (callback) => client.onLost?.(callback),
  }
}

/** Returns the operation that a request names: a signed one, or `enrol`; null for another path. */
function operationOf({ target: { path } }: AgentCall): string | null {
  const name = path.startsWith(`${AGENT_PATH}/`) ? path.slice(AGENT_PATH.length + 1) : ''
  return Object.hasOwn(SIGNED, name) || name === 'enrol' ? name : null
}

async function respond(gateway: Gateway, call: AgentCall, known: { agent?: AgentIdentity }): Promise<Response> {
  gateway.failures.check(call)
  const name = operationOf(call)
  if (name === null) throw new ApiError('not_found')
  const handle = SIGNED[name]
  if (call.request.method !== 'POST') throw new ApiError('method_not_allowed', undefined, { Allow: 'POST' })
  if (call.version === '') throw new ApiError('invalid_signature')
  if (!handle) return responseOf(await enrol(gateway, call))
  known.agent = await authenticateAgent(gateway, call)
  return responseOf(await handle(gateway, { ...call, agent: known.agent }))
}

function responseOf(answer: object): Response {
  return respondWith(200, answer instanceof Uint8Array ? answer : JSON.stringify(answer), JSON_TYPE)
}

async function refuse(
  gateway: Gateway,
  call: AgentCall,
  agent: AgentIdentity | null,
  thrown: unknown,
): Promise<Response> {
  const error = toApiError(thrown)
  if (error.api === 'internal_error') {
    log.error({ err: thrown, requestId: call.requestId, path: call.target.path }, 'the request of an agent failed')
  }
  gateway.failures.add(call, error.api)
  if (agent) await recordOfSigned(gateway, call, agent, error)
  log.warn({ requestId: call.requestId, error: error.api, address: call.address }, 'a request of an agent was refused')
  return errorResponse(error, call.origin)
}

/** Records attacks that are found after the signature was accepted: another body than the signed one, or too large. */
async function recordOfSigned(gateway: Gateway, call: AgentCall, agent: AgentIdentity, error: ApiError): Promise<void> {
  const attack =
    error.api === 'invalid_signature'
      ? 'invalid_signature'
      : error.api === 'request_body_too_large'
        ? 'too_large'
        : null
  if (attack === null) return
  await refuserOf(
    gateway,
    call,
    agent,
  )(attack, error).catch((failure) =>
    log.warn({ err: failure, requestId: call.requestId }, 'a refused request could not be recorded'),
  )
}
