import type { Socket } from 'node:net'
import { shouldYield, yieldToEventLoop } from '#server/language/lace/event-loop.ts'
import {
  type Timings,
  type Transport,
  TransportError,
  type TransportResponse,
} from '#server/language/lace/transport.ts'
import type { AllowedNetworks } from '#server/scripts/target-addresses.ts'
import { Deadline } from './deadline.ts'
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

/** Made once: an abort without a reason makes an exception with its stack, for each request. */
const REQUEST_ENDED = new Error('the request has ended')

/**
 * Creates the HTTP client of probes and webhooks: HTTP/1.1, a new connection for each exchange, no settings from the
 * environment, and no connections to addresses that `#server/scripts/target-addresses.ts` blocks.
 *
 * The returned function rejects only with `TransportError`.
 */
export function createTransport(options: TransportOptions): Transport {
  const { allowedNetworks, maxBodyBytes = 10 * 1024 * 1024, maxHeaderBytes = 64 * 1024, excerptBytes } = options
  const resolver = options.resolver ?? createResolver()
  const trust = createTrust(options.ca ?? [])

  return async (request) => {
    const startedAt = performance.now()
    let socket: Socket | undefined
    const lookup = new AbortController()
    const deadline = new Deadline(request.timeoutMs, request.signal)
    try {
      deadline.throwIfPassed()
      const destination = await deadline.limit(
        resolveDestination(request.url, allowedNetworks, resolver, lookup.signal),
      )
      const lines = buildRequestHeaders(request, destination.url)
      const resolvedAt = performance.now()

      deadline.phase = 'connect'
      const connection = await dial(destination, allowedNetworks, deadline)
      socket = connection.socket
      const connectedAt = performance.now()

      let session: Session | null = null
      if (destination.secure) {
        deadline.phase = 'tls'
        const { host } = destination
        session = await handshake(socket, { host, trust, rejectInvalidCerts: request.rejectInvalidCerts, deadline })
        socket = session.socket
      }
      const readyAt = performance.now()

      deadline.phase = 'ttfb'
      const path = destination.url.pathname + destination.url.search
      const onHeaders = () => {
        deadline.phase = 'transfer'
        if (excerptBytes !== undefined) deadline.end()
      }
      const limits = { maxBodyBytes, maxHeaderBytes, excerptBytes }
      const raw = await exchange(socket, request, { path, lines, onHeaders }, limits, deadline)
      const endedAt = performance.now()
      const headers = parseResponseHeaders(raw.rawHeaders)
      const coding = excerptBytes === undefined ? headers['content-encoding'] : undefined
      // The response is complete, so its timeout does not count what it waits for here.
      if (coding === undefined) deadline.end()
      // Every moment is taken. What follows may wait, so that other sockets are read in time.
      if (shouldYield()) await yieldToEventLoop()
      socket.destroy()
      if (coding !== undefined) await request.reserveBody?.(deadline.signal)
      return {
        status: raw.status,
        statusText: raw.statusText,
        headers,
        ...(coding === undefined
          ? { body: raw.body, sizeBytes: raw.bytesRead }
          : await deadline.limit(decodeResponse(raw, String(coding), maxBodyBytes, deadline.signal))),
        timings: phaseTimings(
          { startedAt, resolvedAt, connectedAt, readyAt, headersAt: raw.headersAt, endedAt },
          session !== null,
        ),
        dns: {
          resolvedIps: [...new Set([...destination.addresses, connection.address])],
          resolvedIp: connection.address,
        },
        tls: session?.meta ?? null,
        firstToExpire: session?.firstToExpire ?? null,
        tlsWarning: session?.warning ?? null,
      }
    } catch (error) {
      throw error instanceof TransportError
        ? error
        : new TransportError('connection', 'the request failed', { cause: error })
    } finally {
      deadline.end()
      lookup.abort(REQUEST_ENDED)
      socket?.destroy()
    }
  }
}

async function decodeResponse(
  raw: { body: Buffer | null; bytesRead: number },
  coding: string,
  maxBodyBytes: number,
  signal: AbortSignal,
): Promise<Pick<TransportResponse, 'body' | 'sizeBytes'>> {
  if (raw.body === null) return { body: null, sizeBytes: raw.bytesRead }
  const body = await decodeBody(raw.body, coding, maxBodyBytes, signal)
  return { body, sizeBytes: body?.length ?? maxBodyBytes }
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
