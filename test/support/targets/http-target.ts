import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { TestCertificate } from '../certificates.ts'
import { listeningPort } from './canary.ts'

export type HttpTarget = { url: string; port: number; server: Server; close: () => Promise<void> }

/** Starts an HTTP server on 127.0.0.1 or on `address`; with a certificate, over TLS. */
export async function startHttpTarget(
  listener: RequestListener,
  options: { certificate?: TestCertificate; address?: string; port?: number } = {},
): Promise<HttpTarget> {
  const server = options.certificate ? createTlsServer(options.certificate, listener) : createServer(listener)
  await once(server.listen(options.port ?? 0, options.address ?? '127.0.0.1'), 'listening')
  const port = listeningPort(server)
  return {
    url: `${options.certificate ? 'https' : 'http'}://localhost:${port}`,
    port,
    server,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
