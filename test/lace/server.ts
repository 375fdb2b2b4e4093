import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type RunOptions, runScript } from '#server/language/lace/executor.ts'
import type { ProbeResult } from '#server/language/lace/result.ts'
import type { Json } from '#server/language/lace/values/json.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createTransport, type TransportOptions } from '#worker/http/client.ts'

export type Target = {
  /** `http://127.0.0.1:PORT` */
  url: string
  port: number
  /** Received requests with their bodies, in order. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  [Symbol.asyncDispose]: () => Promise<void>
}

export type Answer = (request: IncomingMessage & { body: string }, response: ServerResponse) => void

/** Starts a loopback server for one test. It records all requests. */
export async function startTarget(answer: Answer): Promise<Target> {
  const requests: Target['requests'] = []
  const listener: RequestListener = async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    requests.push({ method: request.method!, url: request.url!, headers: request.headers, body })
    answer(Object.assign(request, { body }), response)
  }
  const server = createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Responds to every request with this JSON. */
export function answerJson(value: Json, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  }
}

export function answerText(text: string, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(text)
  }
}

export const LOOPBACK = ['127.0.0.0/8', '::1/128']

type Options = Partial<RunOptions> & { transportOptions?: Partial<TransportOptions> }

/** Runs a script with the real client; loopback is allowed. */
export function run(source: string, { transportOptions, ...options }: Options = {}): Promise<ProbeResult> {
  const transport = createTransport({ allowedNetworks: parseNetworks(LOOPBACK), ...transportOptions })
  return runScript({ source, transport, ...options } as RunOptions)
}
