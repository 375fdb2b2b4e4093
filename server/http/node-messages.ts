import type { IncomingMessage, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { isEventStream } from './event-stream.ts'
import { type HttpRequest, type Reply, sentHeaders } from './reply.ts'

// Converts between Node's messages and web-standard ones. Bodies are read only on demand.

/** How far past its limit a body is read, so that a client that is still sending can read the response. */
const SLACK_BYTES = 65_536
const SLACK_MS = 2_000
/** A download or an event stream ends when the client accepts nothing for this long. */
const IDLE_MS = 60_000

/** Returns the request in its web-standard form; the body is read on demand. The URL's host is a placeholder. */
export function toRequest(incoming: IncomingMessage, method: string): Request {
  const target = incoming.url ?? '/'
  return new Request(`http://localhost${target.startsWith('/') ? target : '/'}`, {
    method,
    headers: incoming.headers as Record<string, string>,
    ...(hasBody(incoming, method) ? { body: toStream(incoming), duplex: 'half' } : {}),
  } as RequestInit)
}

/** Returns what the public API reads of the request; the body is read on demand. */
export function toHttpRequest(incoming: IncomingMessage, method: string): HttpRequest {
  const { headers } = incoming
  return {
    method,
    headers: {
      get: (name) => {
        const value = headers[name.toLowerCase()]
        return value === undefined ? null : String(value)
      },
      has: (name) => headers[name.toLowerCase()] !== undefined,
    },
    body: hasBody(incoming, method) ? toStream(incoming) : null,
  }
}

function hasBody({ headers }: IncomingMessage, method: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  // Not destroyed on return: that would close the connection before the response.
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The bytes that a connection had received before the request, and the most that the request's body may have. */
export type ReceiveBounds = { startBytes: number; maxBytes: number }

/** Sends a response. */
export async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  bounds: ReceiveBounds,
): Promise<void> {
  const isStream = response.headers.has('content-disposition') || isEventStream(response)
  if (isStream && response.body && incoming.complete) {
    await sendStream(outgoing, response, response.body)
    return
  }
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  if (incoming.complete) outgoing.end(body)
  else await sendAndClose(incoming, outgoing, body, bounds)
}

/** Sends a reply; HEAD gets the headers of its GET. A string goes out in one write with its headers. */
export async function sendReply(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  reply: Reply,
  bounds: ReceiveBounds,
): Promise<void> {
  const headers = sentHeaders(reply)
  const body = reply.body ?? ''
  if (incoming.complete) {
    outgoing.writeHead(reply.status, headers).end(body)
    return
  }
  outgoing.statusCode = reply.status
  outgoing.setHeaders(new Map(Object.entries(headers)))
  await sendAndClose(incoming, outgoing, body, bounds)
}

/**
 * Responds while the request's body is incomplete: incoming bytes are read and dropped until the connection has received
 * the body's maximum and some slack; then it is closed. Closing at once would reset the connection, and the client would
 * lose the response.
 */
async function sendAndClose(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: string | Uint8Array,
  { startBytes, maxBytes }: ReceiveBounds,
): Promise<void> {
  outgoing.setHeader('Connection', 'close')
  outgoing.flushHeaders()
  if (body.length > 0) outgoing.write(body)
  await drain(incoming, startBytes + maxBytes + SLACK_BYTES)
  outgoing.end()
}

/**
 * Sends a file or events as fast as the client accepts them. An error closes the connection, so that the client does not
 * take a part of a file for the whole.
 */
async function sendStream(
  outgoing: ServerResponse,
  response: Response,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  outgoing.setTimeout(IDLE_MS, () => outgoing.destroy())
  await pipeline(Readable.fromWeb(body as NodeReadableStream), outgoing).catch((error: NodeJS.ErrnoException) => {
    // The client closed the connection, which is no failure of the server.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** Reads and drops the body until it ends, the connection closes or has received `untilBytes`, or two seconds pass. */
function drain(incoming: IncomingMessage, untilBytes: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(stop, SLACK_MS)
    function stop() {
      clearTimeout(timer)
      incoming.off('data', count).pause()
      resolve()
    }
    function count() {
      if (incoming.socket.bytesRead > untilBytes) stop()
    }
    incoming.once('end', stop).once('close', stop).on('data', count).resume()
  })
}

/** Sends a reply where Node has no response object, and closes the connection. */
export function refuseConnection(socket: Duplex, { status, headers, body }: Reply): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Length: ${Buffer.byteLength(body ?? '')}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  // Without a listener, the error of a closed connection would end the process.
  socket.on('error', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
