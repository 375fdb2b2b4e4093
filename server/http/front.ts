import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, toApiError } from '../errors.ts'
import { countResponse } from '../observe/metrics/requests.ts'
import { traceRequest } from '../observe/telemetry/trace-request.ts'
import { log } from '../process/log.ts'
import type { Settings } from '../process/settings.ts'
import { BODY_MAX_BYTES as AGENT_BODY_MAX_BYTES } from '../schemas/agents/protocol.ts'
import { createAddressLimiter } from './address-rate-limits.ts'
import { type Client, clientAddress, setClientHeaders, trustFrontHeaders } from './client-address.ts'
import { refuseConnection, send, toRequest } from './node-adapter.ts'
import { hasOneHost, isOwnHost, originOf, transportSecurity, WRONG_HOST } from './own-host.ts'
import { classifyPath, type PathKind, splitTarget, type Target, withoutOrigin } from './path.ts'
import { errorResponse, methodNotAllowed, respondWith } from './responses.ts'
import { STATIC_URL } from './static-files.ts'

/** What the front knows of a client. */
type FrontClient = Client & { requestId: string; target: Target }

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
  /** Count a request of an address, of those parts that need no credential. @throws ApiError `rate_limited` */
  counters: Partial<Record<PathKind, (address: string) => void>>
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
export function createFront(frontOptions: FrontOptions): Server {
  trustFrontHeaders()
  const { settings } = frontOptions.runtime
  const limiterOf = (max: number) => {
    const { check, add } = createAddressLimiter(max)
    return (address: string) => {
      if (!settings.RATE_LIMIT_ENABLED) return
      check(address)
      add(address)
    }
  }
  const [countPage, countHealth] = [limiterOf(settings.RATE_LIMIT_PAGES_MAX), limiterOf(settings.RATE_LIMIT_HEALTH_MAX)]
  const options: Front = {
    ...frontOptions,
    security: transportSecurity(settings),
    counters: {
      page: countPage,
      download: countPage,
      health: countHealth,
      ready: countHealth,
      // Apart, because members of any organization scrape.
      metrics: limiterOf(settings.RATE_LIMIT_HEALTH_MAX),
    },
  }
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
    (incoming, outgoing) => void serveTraced(options, incoming, outgoing),
  )
  server.maxHeadersCount = 100
  server.on('checkExpectation', (incoming, outgoing) => void serve(options, randomUUID(), incoming, outgoing))
  server.on('clientError', (error, socket) => refuseBrokenRequest(options, error, socket))
  server.on('connect', ({ headers }, socket) => refuse(options, socket, methodNotAllowed(METHODS), headers.host))
  if (options.upgrade) {
    server.on('upgrade', (incoming, socket, head) => {
      if (classifyPath(splitTarget(incoming.url ?? '').path) === 'page') options.upgrade?.(incoming, socket, head)
      else refuse(options, socket, new ApiError('not_found'), incoming.headers.host)
    })
  }
  return server
}

function serveTraced(options: Front, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const requestId = randomUUID()
  const describe = () => {
    const { path } = splitTarget(incoming.url ?? '/')
    return { requestId, path, kind: classifyPath(path) }
  }
  return traceRequest(incoming, outgoing, describe, () => serve(options, requestId, incoming, outgoing))
}

async function serve(
  options: Front,
  requestId: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { settings } = options.runtime
  const started = performance.now()
  acceptAbsoluteTarget(incoming)
  const target = splitTarget(incoming.url ?? '/')
  const forwarded = incoming.headers['x-forwarded-for']
  const client = {
    address: clientAddress(incoming.socket.remoteAddress, String(forwarded ?? ''), settings.TRUSTED_PROXY_HOPS),
    requestId,
    target,
    onLost: (callback: () => void) =>
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) callback()
      }),
  }
  const bounds = { startBytes: incoming.socket.bytesRead, maxBytes: settings.REQUEST_BODY_MAX_BYTES }
  const kind = classifyPath(target.path)
  // A response body that an agent uploads.
  if (kind === 'agent') bounds.maxBytes = Math.max(bounds.maxBytes, AGENT_BODY_MAX_BYTES)
  const finish = (response: Response) => {
    response.headers.set('X-Request-Id', client.requestId)
    return send(incoming, outgoing, response, bounds)
  }
  for (const [name, value] of Object.entries(options.security)) outgoing.setHeader(name, value)
  outgoing.once('close', () => countResponse(kind, outgoing.statusCode))
  if (!LOGGED_BY_HANDLER.includes(kind)) outgoing.once('close', () => logRequest(incoming, outgoing, client, started))
  try {
    if (!hasOneHost(incoming)) throw new ApiError('bad_request')
    const response = await respond(options, kind, incoming, outgoing, client)
    // Next sends the response itself.
    if (response) await finish(response)
  } catch (error) {
    const known = toApiError(error)
    if (known.api === 'internal_error')
      log.error({ err: error, requestId: client.requestId }, 'the front could not serve a request')
    if (outgoing.headersSent) outgoing.destroy()
    else await finish(errorResponse(known, originOf(incoming.headers.host, settings)))
  }
}

/** Returns the response, or null when Next sends it. */
async function respond(
  options: Front,
  kind: PathKind,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  client: FrontClient,
): Promise<Response | null> {
  if (kind !== 'page') options.counters[kind]?.(client.address)
  const handler = kind === 'page' ? undefined : options[kind]
  if (handler) return handler(toRequest(incoming, outgoing), client)
  if (kind === 'malformed') throw new ApiError('invalid_path')
  if (kind !== 'page' && kind !== 'dashboard') throw new ApiError('not_found')
  const method = incoming.method ?? 'GET'
  // No page uses server actions, so Next gets no bodies, which it would read without our limits. In development it posts to
  // itself.
  const methods = kind === 'page' && !options.upgrade ? PAGE_METHODS : METHODS
  if (!methods.split(', ').includes(method)) throw methodNotAllowed(methods)
  if (!options.next) throw new ApiError('not_found')
  if (!isOwnHost(incoming.headers.host, options.runtime.settings)) {
    return respondWith(421, `${WRONG_HOST}\n`, { 'Content-Type': 'text/plain; charset=utf-8' })
  }
  if (!client.target.path.startsWith(STATIC_URL)) options.counters.page?.(client.address)
  const length = Number(incoming.headers['content-length'] ?? 0)
  const maxBytes = options.runtime.settings.REQUEST_BODY_MAX_BYTES
  if (length > maxBytes) throw new ApiError('request_body_too_large', { maxBytes })
  // A body of unknown length cannot be limited on its way into Next.
  if (incoming.headers['transfer-encoding']) throw new ApiError('length_required')
  for (const name of Object.keys(incoming.headers)) if (STRIPPED.test(name)) delete incoming.headers[name]
  setClientHeaders(incoming.headers, client)
  outgoing.setHeader('X-Request-Id', client.requestId)
  await options.next(incoming, outgoing)
  return null
}

/**
 * Takes the host of an absolute request target, as RFC 9112 requires, where the host selects nothing: for the API, its
 * document and health. Elsewhere it stays, and is refused: a proxy in front could have checked the `Host` header.
 */
function acceptAbsoluteTarget(incoming: IncomingMessage): void {
  const absolute = withoutOrigin(incoming.url ?? '')
  if (!absolute || !['api', 'document', 'health'].includes(classifyPath(splitTarget(absolute.target).path))) return
  incoming.url = absolute.target
  incoming.headers.host = absolute.host
}

/** Responds to requests that Node's parser refused. Path and host are read from the first bytes, if possible. */
function refuseBrokenRequest(
  options: Front,
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Duplex,
): void {
  // A response that has begun cannot become an error.
  const hasBegun = (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent
  if (!socket.writable || error.code === 'ECONNRESET' || hasBegun) {
    socket.destroy()
    return
  }
  const text = error.rawPacket?.subarray(0, 4096).toString('latin1') ?? ''
  refuse(options, socket, describeBroken(error.code, text), /^host:[ \t]*(\S+)/im.exec(text)?.[1])
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
function logRequest(incoming: IncomingMessage, outgoing: ServerResponse, client: FrontClient, started: number): void {
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
