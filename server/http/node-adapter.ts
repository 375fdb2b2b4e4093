import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { FastResponse, NodeRequest, sendNodeResponse } from 'srvx/node'
import { isEventStream } from './responses.ts'

// Between Node's messages and web-standard ones: srvx, and what it does otherwise with a body that nobody reads to its end.

/** How far past its limit a body is read, so that a client that is still sending can read the response. */
const SLACK_BYTES = 65_536
const SLACK_MS = 2_000
/** A download or an event stream ends when the client accepts nothing for this long. */
const IDLE_MS = 60_000

/** Returns the request. Its body is read on demand, and its signal aborts when the client disconnects. */
export function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  // Cancelling the stream of srvx closes the connection before the response.
  const body = hasBody(incoming) ? ReadableStream.from(incoming.iterator({ destroyOnReturn: false })) : null
  return Object.defineProperty(new NodeRequest({ req: incoming, res: outgoing }), 'body', { value: body })
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Sends a response. An error of its stream closes the connection: a part of a file must not look like the whole. Of a body
 * that is still sent, no more is received than until the connection has received `untilBytes`, and some slack.
 */
export async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  untilBytes: number,
): Promise<void> {
  if (!incoming.complete) {
    await sendAndClose(incoming, outgoing, response, untilBytes)
    return
  }
  const isStream = response.headers.has('content-disposition') || isEventStream(response)
  if (isStream) outgoing.setTimeout(IDLE_MS, () => outgoing.destroy())
  const closed = new Promise((resolve) => outgoing.once('close', resolve))
  await Promise.race([sendNodeResponse(outgoing, isStream ? response : await whole(response)), closed])
}

/** Adds the length of the body and the text of the status to a response that `respondWith` did not make. */
async function whole(response: Response): Promise<Response> {
  if (response.statusText) return response
  const { status, headers } = response
  const body = await response.bytes()
  return new FastResponse(body.length > 0 ? body : null, { status, statusText: STATUS_CODES[status] ?? '', headers })
}

/** Responds while the request's body is incomplete. Closing at once would reset the connection, and lose the response. */
async function sendAndClose(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  untilBytes: number,
): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.statusCode = response.status
  outgoing.setHeaders(response.headers)
  outgoing.setHeader('Connection', 'close')
  outgoing.flushHeaders()
  if (body.length > 0) outgoing.write(body)
  await drain(incoming, untilBytes + SLACK_BYTES)
  outgoing.end()
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

/** Sends a response where Node has no response object, and closes the connection. */
export async function refuseConnection(socket: Duplex, response: Response): Promise<void> {
  // Without a listener, the error of a closed connection would end the process.
  socket.on('error', () => socket.destroy())
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`, ...lines, 'Connection: close']
  socket.end(`${head.join('\r\n')}\r\n\r\n${await response.text()}`)
}
