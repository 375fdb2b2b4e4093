import type { Socket } from 'node:net'
import { LARGE_BODY_BYTES } from '#server/fairness/large-bodies.ts'
import { TransportError, type TransportRequest } from '#server/lace/transport.ts'
import { ByteSink } from './byte-sink.ts'
import { exchangeFailure } from './failures.ts'
import { type ResponseHead, ResponseParser } from './response-parser.ts'

const MAX_INTERIM_RESPONSES = 20
// Each chunk costs about a microsecond and an allocation: 10 MiB byte by byte would take ten seconds of CPU time.
const MAX_CHUNKS = 100_000
/** How long the beginning of a body may take once the headers are there. */
const EXCERPT_MS = 1_000

/**
 * With `excerptBytes`, the exchange ends after so many bytes of the body, or a second after the headers. A body that
 * breaks off is then as good as one that ends there: the response itself has arrived.
 */
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
 * Rejects with a `TransportError`, or with the signal's reason when it aborts.
 */
export function exchange(
  socket: Socket,
  { method, body, reserveBody }: TransportRequest,
  { path, lines, onHeaders }: { path: string; lines: string[]; onHeaders: (status: number) => void },
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const { excerptBytes } = limits
    const sink = new ByteSink(excerptBytes === undefined ? limits.maxBodyBytes : Number.POSITIVE_INFINITY)
    let head: ResponseHead | undefined
    let headersAt = 0
    let interim = 0
    let chunks = 0
    let isReserved = excerptBytes !== undefined
    let excerptTimer: NodeJS.Timeout | undefined

    const settle = (outcome: () => void) => {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(excerptTimer)
      parser.stop()
      outcome()
    }
    const onAbort = () => settle(() => reject(signal.reason))
    const fail = (cause: unknown) => settle(() => reject(exchangeFailure(cause)))
    const succeed = (bytes: Buffer | null) => {
      const { status, statusText, rawHeaders } = head as ResponseHead
      const bytesRead = excerptBytes === undefined ? sink.length : (bytes?.length ?? 0)
      settle(() => resolve({ status, statusText, rawHeaders, body: bytes, bytesRead, headersAt }))
    }
    const endExcerpt = () => succeed(sink.bytes().subarray(0, excerptBytes))
    const end = () => (excerptBytes === undefined ? succeed(sink.bytes()) : endExcerpt())

    const parser = new ResponseParser(limits.maxHeaderBytes, {
      onHead(received) {
        if (received.status >= 200) {
          head = received
          headersAt = performance.now()
          onHeaders(received.status)
          if (excerptBytes !== undefined) excerptTimer = setTimeout(endExcerpt, EXCERPT_MS)
          return
        }
        if (received.status === 101) {
          throw new TransportError('protocol', 'the server switched to another protocol (101)')
        }
        interim += 1
        if (interim > MAX_INTERIM_RESPONSES) {
          throw new TransportError('protocol', `the server sent more than ${MAX_INTERIM_RESPONSES} interim responses`)
        }
      },
      onBody(part) {
        chunks += 1
        if (chunks > MAX_CHUNKS) {
          throw new TransportError('protocol', `the body came in more than ${MAX_CHUNKS} chunks`)
        }
        if (!sink.add(part)) return succeed(null)
        if (excerptBytes !== undefined && sink.length >= excerptBytes) return endExcerpt()
        if (isReserved || sink.length <= LARGE_BODY_BYTES) return
        // The rest of a large body is read when the memory for it is reserved.
        isReserved = true
        socket.pause()
        Promise.resolve(reserveBody?.(signal)).then(() => socket.resume(), fail)
      },
      onEnd: end,
    })
    const onClosed = () => {
      if (parser.close()) return
      if (head === undefined) {
        fail(new TransportError('protocol', 'the server closed the connection without a response'))
      } else if (excerptBytes !== undefined) endExcerpt()
      else {
        const bytes = `after ${sink.length} bytes of its body`
        fail(new TransportError('protocol', `the connection closed before the response was complete, ${bytes}`))
      }
    }

    signal.addEventListener('abort', onAbort)
    socket.on('data', (data: Buffer) => {
      try {
        parser.write(data)
      } catch (error) {
        // Of an excerpt, the rest of the exchange does not matter.
        if (head !== undefined && excerptBytes !== undefined) endExcerpt()
        else fail(error)
      }
    })
    socket.on('error', (cause) => {
      if (head !== undefined && excerptBytes !== undefined) endExcerpt()
      else fail(cause)
    })
    socket.on('end', onClosed)
    socket.on('close', onClosed)
    send(socket, method, path, lines, body)
  })
}

function send(socket: Socket, method: string, path: string, lines: string[], body: Buffer | null): void {
  let head = `${method} ${path} HTTP/1.1\r\n`
  for (let i = 0; i < lines.length; i += 2) head += `${lines[i]}: ${lines[i + 1]}\r\n`
  if (body === null || body.length === 0) {
    socket.write(`${head}\r\n`, 'latin1')
    return
  }
  // Corked, so that a small body leaves in the same packet.
  socket.cork()
  socket.write(`${head}\r\n`, 'latin1')
  socket.write(body)
  socket.uncork()
}
