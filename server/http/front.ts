import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, toApiError } from '../errors.ts'
import { countResponse } from '../observe/metrics/requests.ts'
import { traceRequest } from '../observe/telemetry/trace-request.ts'
import { log } from '../process/log.ts'
import type { Settings } from '../process/settings.ts'
import { BODY_MAX_BYTES as AGENT_BODY_MAX_BYTES } from '../schemas/agents/protocol.ts'
import { type AddressLimiter, createAddressLimiter } from './address-rate-limits.ts'
import { requireLengthWithin } from './body.ts'
import { type Client, clientAddress, setClientHeaders, trustFrontHeaders } from './client-address.ts'
import { refuseConnection, send, toRequest } from './node-adapter.ts'
import { hasOneHost, isOwnHost, originOf, transportSecurity, WRONG_HOST } from './own-host.ts'
import { classifyPath, type PathKind, splitTarget, type Target } from './path.ts'
import { errorResponse, methodNotAllowed, respondWith } from './responses.ts'
import { STATIC_URL } from './static-files.ts'

/** A part of the product as a web-standard function. It responds to every request and never throws. */
export type WebHandler = (request: Request, client: Client) => Promise<Response>

/** The parts of the product by the kind of their paths. The paths of a part that is absent are 404. */
export type FrontOptions = Partial<Record<Exclude<PathKind, 'page'>, WebHandler>> & {
  runtime: { settings: Settings }
  /** Serves the pages, and the paths of the dashboard without a part of their own. */
  next?: RequestListener
  /** Serves connection upgrades of Next's development server; without it, they are refused. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

type Front = FrontOptions & {
  /** Headers of every response. */
  security: Record<string, string>
  /** The rate limits of those parts that need no credential. */
  limits: Partial<Record<PathKind, AddressLimiter>>
}

/** A request, and what the front knows of it. */
type Exchange = {
  incoming: IncomingMessage
  outgoing: ServerResponse
  kind: PathKind
  client: Client & { requestId: string; target: Target }
}

const LOGGED_BY_HANDLER: PathKind[] = ['api', 'mcp', 'agent']
const PAGE_METHODS = 'GET, HEAD'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
/** Headers that must not reach Next from a client: its address, and headers that this server sets for Next. */
const STRIPPED =
  /^(x-forwarded-.*|forwarded|x-real-ip|x-client-address|x-request-id|x-middleware-.*|x-nonce|x-page-path|content-security-policy)$/

/**
 * Creates the HTTP server that clients reach. It checks the raw request before any parser normalizes it, determines the
 * client's address, limits headers, bodies and time, serves the API itself, and passes the rest to Next.
 */
export function createFront(options: FrontOptions): Server {
  trustFrontHeaders()
  const { settings } = options.runtime
  const front: Front = { ...options, security: transportSecurity(settings), limits: limitsOf(settings) }
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
      // Longer than load balancers keep idle connections, so that they do not reuse one that this server just closed.
      keepAliveTimeout: 65_000,
      // `hasOneHost` refuses instead, in JSON.
      requireHostHeader: false,
    },
    (incoming, outgoing) => void handle(front, incoming, outgoing),
  )
  server.maxHeadersCount = 100
  server.on('checkExpectation', (incoming, outgoing) => void handle(front, incoming, outgoing))
  server.on('clientError', (error, socket) => refuseBrokenRequest(front, error, socket))
  server.on('connect', ({ headers }, socket) => refuse(front, socket, methodNotAllowed(METHODS), headers.host))
  if (options.upgrade) {
    server.on('upgrade', (incoming, socket, head) => {
      if (classifyPath(splitTarget(incoming.url ?? '').path) === 'page') options.upgrade?.(incoming, socket, head)
      else refuse(front, socket, new ApiError('not_found'), incoming.headers.host)
    })
  }
  return server
}

function limitsOf({ RATE_LIMIT_ENABLED, RATE_LIMIT_PAGES_MAX, RATE_LIMIT_HEALTH_MAX }: Settings): Front['limits'] {
  if (!RATE_LIMIT_ENABLED) return {}
  const page = createAddressLimiter(RATE_LIMIT_PAGES_MAX)
  const health = createAddressLimiter(RATE_LIMIT_HEALTH_MAX)
  // Metrics apart, because members of any organization scrape.
  return { page, download: page, health, ready: health, metrics: createAddressLimiter(RATE_LIMIT_HEALTH_MAX) }
}

function handle(front: Front, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  acceptAbsoluteTarget(incoming)
  const target = splitTarget(incoming.url ?? '/')
  const kind = classifyPath(target.path)
  const forwarded = String(incoming.headers['x-forwarded-for'] ?? '')
  const hops = front.runtime.settings.TRUSTED_PROXY_HOPS
  const client = {
    address: clientAddress(incoming.socket.remoteAddress, forwarded, hops),
    requestId: randomUUID(),
    target,
    onLost: (callback: () => void) =>
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) callback()
      }),
  }
  const described = { requestId: client.requestId, path: target.path, kind }
  return traceRequest(incoming, outgoing, described, () => serve(front, { incoming, outgoing, kind, client }))
}

async function serve(front: Front, exchange: Exchange): Promise<void> {
  const { incoming, outgoing, kind, client } = exchange
  const { settings } = front.runtime
  const started = performance.now()
  // A response body that an agent uploads.
  const maxBytes = Math.max(settings.REQUEST_BODY_MAX_BYTES, kind === 'agent' ? AGENT_BODY_MAX_BYTES : 0)
  const untilBytes = incoming.socket.bytesRead + maxBytes
  const common = { ...front.security, 'X-Request-Id': client.requestId }
  for (const [name, value] of Object.entries(common)) outgoing.setHeader(name, value)
  outgoing.once('close', () => {
    countResponse(kind, outgoing.statusCode)
    if (!LOGGED_BY_HANDLER.includes(kind)) logRequest(exchange, started)
  })
  try {
    if (!hasOneHost(incoming)) throw new ApiError('bad_request')
    const response = await respond(front, exchange)
    // Next sends the response itself.
    if (response) await send(incoming, outgoing, response, untilBytes)
  } catch (error) {
    const known = toApiError(error)
    if (known.api === 'internal_error')
      log.error({ err: error, requestId: client.requestId }, 'the front could not serve a request')
    if (outgoing.headersSent) outgoing.destroy()
    else await send(incoming, outgoing, errorResponse(known, originOf(incoming.headers.host, settings)), untilBytes)
  }
}

/** Returns the response, or null when Next sends it. */
async function respond(front: Front, { incoming, outgoing, kind, client }: Exchange): Promise<Response | null> {
  const { settings } = front.runtime
  if (kind !== 'page') front.limits[kind]?.count(client.address)
  const handler = kind === 'page' ? undefined : front[kind]
  if (handler) return handler(toRequest(incoming, outgoing), client)
  if (kind === 'malformed') throw new ApiError('invalid_path')
  if (kind !== 'page' && kind !== 'dashboard') throw new ApiError('not_found')
  const method = incoming.method ?? 'GET'
  // No page uses server actions, so Next gets no bodies, which it would read without our limits. In development it posts to
  // itself.
  const methods = kind === 'page' && !front.upgrade ? PAGE_METHODS : METHODS
  if (!methods.split(', ').includes(method)) throw methodNotAllowed(methods)
  if (!front.next) throw new ApiError('not_found')
  if (!isOwnHost(incoming.headers.host, settings)) {
    return respondWith(421, `${WRONG_HOST}\n`, { 'Content-Type': 'text/plain; charset=utf-8' })
  }
  if (!client.target.path.startsWith(STATIC_URL)) front.limits.page?.count(client.address)
  requireLengthWithin(incoming.headers['content-length'] ?? null, settings.REQUEST_BODY_MAX_BYTES)
  // A body of unknown length cannot be limited on its way into Next.
  if (incoming.headers['transfer-encoding']) throw new ApiError('length_required')
  for (const name of Object.keys(incoming.headers)) if (STRIPPED.test(name)) delete incoming.headers[name]
  setClientHeaders(incoming.headers, client)
  await front.next(incoming, outgoing)
  return null
}

/**
 * Takes the host of an absolute request target, as RFC 9112 requires, where the host selects nothing: for the API, its
 * document and health. Elsewhere it stays, and is refused: a proxy in front could have checked the `Host` header.
 */
function acceptAbsoluteTarget(incoming: IncomingMessage): void {
  const [, host, target] = /^https?:\/\/([a-z0-9.:[\]_-]+)(\/.*)$/i.exec(incoming.url ?? '') ?? []
  if (!host || !target || !['api', 'document', 'health'].includes(classifyPath(splitTarget(target).path))) return
  incoming.url = target
  incoming.headers.host = host
}

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Responds to requests that Node's parser refused. Path and host are read from the first bytes, if possible. */
function refuseBrokenRequest(front: Front, error: ParserError, socket: Duplex): void {
  // A response that has begun cannot become an error.
  const hasBegun = (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent
  if (!socket.writable || error.code === 'ECONNRESET' || hasBegun) {
    socket.destroy()
    return
  }
  const text = error.rawPacket?.subarray(0, 4096).toString('latin1') ?? ''
  refuse(front, socket, describeBroken(error.code, text), /^host:[ \t]*(\S+)/im.exec(text)?.[1])
}

function describeBroken(code: string | undefined, text: string): ApiError {
  const [, method, target] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (.*) HTTP\/\d\.\d\r\n/.exec(text) ?? []
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('request_headers_too_large')
  if (code === 'HPE_INVALID_METHOD' && method) return methodNotAllowed(METHODS)
  if (code === 'HPE_INVALID_URL' && target && classifyPath(splitTarget(target).path) === 'api') {
    return new ApiError('invalid_path')
  }
  return new ApiError('bad_request')
}

/** Refuses a request where Node has no response object. */
function refuse({ runtime, security }: Front, socket: Duplex, error: ApiError, host: string | undefined): void {
  const response = errorResponse(error, originOf(host, runtime.settings), { ...security, 'X-Request-Id': randomUUID() })
  void refuseConnection(socket, response)
}

/** Logs the path without its query, which may contain a secret. */
function logRequest({ incoming, outgoing, client }: Exchange, started: number): void {
  log.info(
    {
      requestId: client.requestId,
      method: incoming.method,
      path: client.target.path,
      status: outgoing.statusCode,
      ms: Math.round(performance.now() - started),
      address: client.address,
    },
    'request',
  )
}
