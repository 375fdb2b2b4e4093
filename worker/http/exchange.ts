import { type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { TransportError, type TransportRequest } from '#server/lace/transport.ts'
import { ByteSink } from './byte-sink.ts'
import { exchangeFailure } from './failures.ts'
import { LARGE_BODY_BYTES } from './large-bodies.ts'

const MAX_INTERIM_RESPONSES = 20
// A piece costs a microsecond and an allocation however small it is: 10 MiB byte by byte would be ten seconds of CPU.
const MAX_CHUNKS = 100_000

export type ExchangeLimits = { maxBodyBytes: number; maxHeaderBytes: number }

/** `body` is as sent, content codings not undone; null when it passed the limit. `bytesRead` counts what came. */
export type RawResponse = {
  status: number
  statusText: string
  rawHeaders: string[]
  body: Buffer | null
  bytesRead: number
  /** `performance.now()` when the headers were there. */
  headersAt: number
}

/**
 * Sends one request on an open socket and reads the answer. The socket is of no further use afterwards, and is the
 * caller's to destroy. Rejects with a `TransportError`, or with the signal's reason when it aborts.
 */
export function exchange(
  socket: Socket,
  { method, body, reserveBody }: TransportRequest,
  { path, lines, onHeaders }: { path: string; lines: string[]; onHeaders: () => void },
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => settle(() => reject(signal.reason))
    const settle = (outcome: () => void) => {
      signal.removeEventListener('abort', onAbort)
      outcome()
    }
    const fail = (cause: unknown) => settle(() => reject(exchangeFailure(cause, limits.maxHeaderBytes)))
    signal.addEventListener('abort', onAbort)

    const request = startRequest({
      method,
      path,
      headers: lines,
      // With its own connection and no agent a request is alone on its socket, and no proxy setting applies.
      createConnection: () => socket,
      maxHeaderSize: limits.maxHeaderBytes,
      insecureHTTPParser: false,
    })
    // The byte limit is the limit; by default Node drops header lines past the 2,000th without a word.
    request.maxHeadersCount = 0
    let received: IncomingMessage | undefined
    // Once the response is complete, what a server sends past its end is no concern of the call.
    request.on('error', (cause) => received?.complete || fail(cause))
    rejectUnexpectedResponses(request, fail)
    request.on('response', (response) => {
      received = response
      onHeaders()
      const headersAt = performance.now()
      readBody(response, limits.maxBodyBytes, () => reserveBody?.(signal)).then(
        (read) =>
          settle(() =>
            resolve({
              status: response.statusCode ?? 0,
              statusText: response.statusMessage ?? '',
              rawHeaders: response.rawHeaders,
              ...read,
              headersAt,
            }),
          ),
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

/** What is past the beginning of a large body waits for `reserve`, at the sender's end of the connection. */
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
        reject(new TransportError('protocol', `the body came in more than ${MAX_CHUNKS} pieces`))
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
