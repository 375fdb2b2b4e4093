import { type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { LARGE_BODY_BYTES } from '#server/fairness/large-bodies.ts'
import { TransportError, type TransportRequest } from '#server/language/lace/transport.ts'
import { ByteSink } from './byte-sink.ts'
import type { Deadline } from './deadline.ts'
import { readExcerpt } from './excerpt.ts'
import { exchangeFailure } from './transport-failures.ts'
import { unfoldHeaders } from './unfold.ts'

const MAX_INTERIM_RESPONSES = 20
// Each chunk costs about a microsecond and an allocation: 10 MiB byte by byte would take ten seconds of CPU time.
const MAX_CHUNKS = 100_000

/** With `excerptBytes`, only so much of the body is read: see `readExcerpt`. */
export type ExchangeLimits = { maxBodyBytes: number; maxHeaderBytes: number; excerptBytes?: number | undefined }

/** `body` is not decoded; null when it exceeded the limit. `bytesRead` is the number of bytes received. */
export type RawResponse = {
  status: number
  statusText: string
  rawHeaders: string[]
  body: Buffer | null
  bytesRead: number
  /** `performance.now()` when the headers were received. */
  headersAt: number
}

/**
 * Sends one request on an open socket and reads the response. The socket cannot be reused; the caller destroys it.
 * Rejects with a `TransportError`, or with the deadline's reason when it passes.
 */
export function exchange(
  socket: Socket,
  { method, body, reserveBody }: TransportRequest,
  { path, lines, onHeaders }: { path: string; lines: string[]; onHeaders: () => void },
  limits: ExchangeLimits,
  deadline: Deadline,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    if (deadline.reason) return reject(deadline.reason)
    const fail = (cause: unknown) => reject(exchangeFailure(cause, limits.maxHeaderBytes))
    deadline.watch(reject)
    unfoldHeaders(socket, limits.maxHeaderBytes)

    const request = startRequest({
      method,
      path,
      headers: lines,
      // With its own connection and without an agent, the request is alone on its socket and no proxy setting applies.
      createConnection: () => socket,
      maxHeaderSize: limits.maxHeaderBytes,
      insecureHTTPParser: false,
    })
    // Only the byte limit applies. By default, Node silently drops header lines after the 2,000th.
    request.maxHeadersCount = 0
    let received: IncomingMessage | undefined
    // After the response is complete, bytes that the server sends past its end do not matter. Of an excerpt, neither does
    // the rest of the exchange.
    const isExcerpt = limits.excerptBytes !== undefined
    request.on('error', (cause) => received?.complete || (received && isExcerpt) || fail(cause))
    rejectUnexpectedResponses(request, fail)
    request.on('response', (response) => {
      received = response
      onHeaders()
      const headersAt = performance.now()
      const reading =
        limits.excerptBytes === undefined
          ? readBody(response, limits.maxBodyBytes, () => reserveBody?.(deadline.signal))
          : readExcerpt(response, limits.excerptBytes)
      reading.then(
        (read) =>
          resolve({
            status: response.statusCode ?? 0,
            statusText: response.statusMessage ?? '',
            rawHeaders: response.rawHeaders,
            ...read,
            headersAt,
          }),
        fail,
      )
    })
    request.end(body ?? undefined)
  })
}

function rejectUnexpectedResponses(request: ClientRequest, fail: (cause: TransportError) => void): void {
  let interim = 0
  request.on('information', () => {
    interim += 1
    if (interim > MAX_INTERIM_RESPONSES) {
      fail(new TransportError('protocol', `the server sent more than ${MAX_INTERIM_RESPONSES} interim responses`))
      request.destroy()
    }
  })
  request.on('upgrade', (_response, socket) => {
    fail(new TransportError('protocol', 'the server switched to another protocol (101)'))
    socket.destroy()
  })
}

/** Reads a body. The rest of a large body is read after `reserve` resolves; until then the connection is paused. */
function readBody(
  response: IncomingMessage,
  maxBytes: number,
  reserve: () => Promise<void> | undefined,
): Promise<{ body: Buffer | null; bytesRead: number }> {
  const sink = new ByteSink(maxBytes)
  let chunks = 0
  let isReserved = false
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      chunks += 1
      if (chunks > MAX_CHUNKS) {
        reject(new TransportError('protocol', `the body came in more than ${MAX_CHUNKS} chunks`))
      } else if (sink.add(chunk)) {
        if (isReserved || sink.length <= LARGE_BODY_BYTES) return
        isReserved = true
        response.pause()
        Promise.resolve(reserve()).then(() => response.resume(), reject)
        return
      } else {
        resolve({ body: null, bytesRead: sink.length })
      }
      response.destroy()
    })
    response.on('end', () => resolve({ body: sink.bytes(), bytesRead: sink.length }))
    response.on('error', (cause: NodeJS.ErrnoException) => {
      const cut = cause.code === 'ECONNRESET' && !response.complete
      const message = `the connection closed before the response was complete, after ${sink.length} bytes of its body`
      reject(cut ? new TransportError('protocol', message, { cause }) : cause)
    })
  })
}
