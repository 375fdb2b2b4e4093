import type { IncomingMessage, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'

// Between node's messages and the web's. Nothing here reads more of a body than it is asked to.

/** How far past the limit a body is read in all, so that a client that is still sending comes to read its answer. */
const SLACK_BYTES = 65_536
const SLACK_MS = 2_000
/** A client that takes nothing of a file for so long gets no more of it. */
const FILE_IDLE_MS = 60_000

/** Returns the request in its web-standard form; the body is read on demand. The URL's host is a placeholder. */
export function toRequest(incoming: IncomingMessage, method: string): Request {
  const target = incoming.url ?? '/'
  const hasBody =
    method !== 'GET' &&
    method !== 'HEAD' &&
    (incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0)
  return new Request(`http://localhost${target.startsWith('/') ? target : '/'}`, {
    method,
    headers: incoming.headers as Record<string, string>,
    ...(hasBody ? { body: toStream(incoming), duplex: 'half' } : {}),
  } as RequestInit)
}

function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  // Left open when nobody pulls any more: destroying it would take the connection along, and the answer with it.
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

/**
 * Sends an answer. When the request's body is not all there, what is on its way is read and dropped until the connection
 * has carried `maxBytes` and some slack since it stood at `startBytes`, and then closed: closing at once would reset it,
 * and the client would lose the answer.
 */
export async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  { startBytes, maxBytes }: { startBytes: number; maxBytes: number },
): Promise<void> {
  if (response.headers.has('content-disposition') && response.body && incoming.complete) {
    await sendFile(outgoing, response, response.body)
    return
  }
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  if (incoming.complete) {
    outgoing.end(body)
    return
  }
  outgoing.setHeader('Connection', 'close')
  outgoing.flushHeaders()
  if (body.length > 0) outgoing.write(body)
  await drain(incoming, startBytes + maxBytes + SLACK_BYTES)
  outgoing.end()
}

/**
 * Sends a file as fast as the client takes it. What breaks on the way breaks the connection, so that nobody takes a part
 * for the whole.
 */
async function sendFile(outgoing: ServerResponse, response: Response, body: ReadableStream<Uint8Array>): Promise<void> {
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  outgoing.setTimeout(FILE_IDLE_MS, () => outgoing.destroy())
  await pipeline(Readable.fromWeb(body as NodeReadableStream), outgoing).catch((error: NodeJS.ErrnoException) => {
    // A client that goes away is no failure of ours.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** Reads on until the body ends, the connection breaks or has carried so many bytes, or two seconds have passed. */
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

/** Answers where node has no response object, and closes the connection. */
export function refuseConnection(socket: Duplex, status: number, code: string, headers: string[] = []): void {
  const body = JSON.stringify({ error: code })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...headers,
    'Connection: close',
  ]
  // Nobody else listens there, and a client that is gone must not end the process.
  socket.on('error', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
