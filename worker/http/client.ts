import type { Socket } from 'node:net'
import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import {
  PHASES,
  type Phase,
  type Timings,
  type Transport,
  TransportError,
  type TransportResponse,
} from '#server/lace/transport.ts'
import type { AllowedNetworks } from '#server/scripts/target-addresses.ts'
import { decodeBody } from './decode.ts'
import { dial } from './dial.ts'
import { exchange } from './exchange.ts'
import { resolveDestination } from './guard.ts'
import { buildRequestHeaders, parseResponseHeaders } from './headers.ts'
import { createResolver, type Resolver } from './resolve.ts'
import { createTrust, handshake, type Session } from './tls.ts'

export type TransportOptions = {
  /** From `parseNetworks`. When empty, probes reach public addresses only. */
  allowedNetworks: AllowedNetworks
  /** Replaces the machine's hosts file and name servers. */
  resolver?: Resolver
  lookupTimeoutMs?: number
  /** Applies to the body as sent, and again to the decoded body. */
  maxBodyBytes?: number
  maxHeaderBytes?: number
  /**
   * Reads only this much of each body, as it was sent. A response then counts once its headers are there: the timeout
   * no longer applies, and a body that hangs ends after a second.
   */
  excerptBytes?: number
  /** Further certificate authorities to trust, in PEM. */
  ca?: string[]
}

/**
 * Creates the HTTP client of probes and webhooks: HTTP/1.1, a new connection for each exchange, no settings from the
 * environment, and no connections to addresses that `#server/scripts/target-addresses.ts` blocks.
 *
 * The returned function rejects only with `TransportError`.
 */
export function createTransport(options: TransportOptions): Transport {
  const { allowedNetworks, maxBodyBytes = 10 * 1024 * 1024, maxHeaderBytes = 64 * 1024, excerptBytes } = options
  const resolver = options.resolver ?? createResolver({ timeoutMs: options.lookupTimeoutMs ?? 5_000 })
  const trust = createTrust(options.ca ?? [])

  return async (request) => {
    const startedAt = performance.now()
    let phase: Phase = 'dns'
    let socket: Socket | undefined
    const deadline = createCallSignal(request.timeoutMs, request.signal, () => phase)
    const { signal } = deadline
    try {
      signal.throwIfAborted()
      const destination = await untilAborted(resolveDestination(request.url, allowedNetworks, resolver), signal)
      const lines = buildRequestHeaders(request, destination.url)
      const resolvedAt = performance.now()

      phase = 'connect'
      const connection = await dial(destination, allowedNetworks, signal)
      socket = connection.socket
      const connectedAt = performance.now()

      let session: Session | null = null
      if (destination.secure) {
        phase = 'tls'
        const { host } = destination
        session = await handshake(socket, { host, trust, rejectInvalidCerts: request.rejectInvalidCerts, signal })
        socket = session.socket
      }
      const readyAt = performance.now()

      phase = 'ttfb'
      const path = destination.url.pathname + destination.url.search
      const onHeaders = (status: number) => {
        phase = 'transfer'
        if (excerptBytes !== undefined) deadline.end()
        request.onStatus?.(status)
      }
      const limits = { maxBodyBytes, maxHeaderBytes, excerptBytes }
      const raw = await exchange(socket, request, { path, lines, onHeaders }, limits, signal)
      const endedAt = performance.now()
      const headers = parseResponseHeaders(raw.rawHeaders)
      const isExcerpt = excerptBytes !== undefined
      const isCoded = headers['content-encoding'] !== undefined && !isExcerpt
      // The response is complete, so its timeout does not count what it waits for here.
      if (!isCoded) deadline.end()
      // Every moment is taken. What follows may wait, so that other sockets are read in time.
      if (shouldYield()) await yieldToEventLoop()
      socket.destroy()
      if (isCoded) await request.reserveBody?.(signal)
      return {
        status: raw.status,
        statusText: raw.statusText,
        headers,
        ...(isExcerpt
          ? { body: raw.body, sizeBytes: raw.bytesRead }
          : await untilAborted(decodeResponse(raw, headers, maxBodyBytes, signal), signal)),
        timings: phaseTimings(
          { startedAt, resolvedAt, connectedAt, readyAt, headersAt: raw.headersAt, endedAt },
          session !== null,
        ),
        dns: { resolvedIps: destination.addresses, resolvedIp: connection.address },
        tls: session?.meta ?? null,
        tlsWarning: session?.warning ?? null,
      }
    } catch (error) {
      throw error instanceof TransportError
        ? error
        : new TransportError('connection', 'the request failed', { cause: error })
    } finally {
      deadline.end()
      socket?.destroy()
    }
  }
}

async function decodeResponse(
  raw: { body: Buffer | null; bytesRead: number },
  headers: TransportResponse['headers'],
  maxBodyBytes: number,
  signal: AbortSignal,
): Promise<Pick<TransportResponse, 'body' | 'sizeBytes'>> {
  const coding = headers['content-encoding']
  if (raw.body === null || coding === undefined) return { body: raw.body, sizeBytes: raw.bytesRead }
  const body = await decodeBody(raw.body, String(coding), maxBodyBytes, signal)
  return { body, sizeBytes: body?.length ?? maxBodyBytes }
}

/** Combines the timeout of the exchange and the caller's signal into one signal. Its reason is the error to throw. */
function createCallSignal(
  timeoutMs: number,
  outer: AbortSignal | null,
  currentPhase: () => Phase,
): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  const stop = () => controller.abort(new TransportError('aborted', 'the request was aborted'))
  const timer = setTimeout(() => {
    const phase = currentPhase()
    const message = `no complete response within ${timeoutMs} ms (${PHASES[phase]})`
    controller.abort(new TransportError('timeout', message, { phase }))
  }, timeoutMs)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop)
  let isEnded = false
  const end = () => {
    if (isEnded) return
    isEnded = true
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
  return { signal: controller.signal, end }
}

/** Rejects when the signal aborts; the work itself is not cancelled. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    if (signal.aborted) onAbort()
  })
}

type Instants = Record<'startedAt' | 'resolvedAt' | 'connectedAt' | 'readyAt' | 'headersAt' | 'endedAt', number>

function phaseTimings(at: Instants, secure: boolean): Timings {
  return {
    responseTimeMs: Math.round(at.endedAt - at.startedAt),
    dnsMs: Math.round(at.resolvedAt - at.startedAt),
    connectMs: Math.round(at.connectedAt - at.resolvedAt),
    // 0 means no TLS, so the shortest handshake counts as 1.
    tlsMs: secure ? Math.max(1, Math.round(at.readyAt - at.connectedAt)) : 0,
    ttfbMs: Math.round(at.headersAt - at.readyAt),
    transferMs: Math.round(at.endedAt - at.headersAt),
  }
}
