import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The response to one request. Requests get them in the order of `callIndex`. */
export type MockResponse = {
  callIndex: number
  outcome: 'response' | 'timeout' | 'connection_error' | 'tls_error'
  status?: number
  headers?: Record<string, string>
  body?: string
  delay_ms?: number
  ttfb_delay_ms?: number
  redirect_to?: string
}

export type MockServer = { port: number; close: () => Promise<void> }

/** Starts a server on a free loopback port. After the last response it repeats that one. */
export async function startMockServer(
  mocks: MockResponse[],
  certificate: { key: string; cert: string } | null,
): Promise<MockServer> {
  let requests = 0
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const index = requests++
    const mock = mocks.find((one) => one.callIndex === index) ?? mocks.at(-1)
    answer(mock && withPort(mock, request.socket.localPort), request, response).catch(() => response.destroy())
  }
  const server: Server = mocks.some((mock) => mock.outcome === 'tls_error')
    ? createTcpServer((socket) => socket.end('this is not TLS\r\n'))
    : certificate
      ? createHttpsServer(certificate, listener)
      : createHttpServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Some tests abort requests.
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Replaces `{port}`, with which a response refers to the server itself. */
function withPort(mock: MockResponse, port: number | undefined): MockResponse {
  return JSON.parse(JSON.stringify(mock).replaceAll('{port}', String(port)))
}

async function answer(
  mock: MockResponse | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for await (const _ of request);
  if (!mock || mock.outcome === 'timeout') return
  if (mock.outcome !== 'response') {
    request.socket.destroy()
    return
  }
  const wait = (mock.delay_ms ?? 0) + (mock.ttfb_delay_ms ?? 0)
  if (wait > 0) await delay(wait)
  response.sendDate = false
  for (const [name, value] of Object.entries(mock.headers ?? {})) response.setHeader(name, value)
  if (mock.redirect_to !== undefined) response.setHeader('location', mock.redirect_to)
  response.writeHead(mock.status ?? (mock.redirect_to === undefined ? 200 : 302))
  response.end(mock.body ?? '')
}
