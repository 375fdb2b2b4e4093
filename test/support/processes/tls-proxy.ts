import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { TestCertificate } from '../certificates.ts'

/** The code with which a PostgreSQL client requests encryption. */
const SSL_REQUEST = 80_877_103

export type TlsProxy = { port: number; encrypted: () => number; close: () => void }

/** Starts a proxy that adds TLS to the PostgreSQL at `databaseUrl`; with a null certificate it refuses encryption. */
export async function startTlsProxy(databaseUrl: string, certificate: TestCertificate | null): Promise<TlsProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let encrypted = 0
  const forward = (client: Socket) => {
    const database = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as [Socket, Socket][]) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.pipe(to)
    }
  }
  const server = createServer((client) => {
    client.on('error', () => {})
    client.once('data', (first) => {
      client.pause()
      const isAsked = first.length === 8 && first.readInt32BE(4) === SSL_REQUEST
      if (!isAsked) {
        client.unshift(first)
        forward(client)
      } else if (!certificate) {
        client.write('N')
        forward(client)
      } else {
        client.write('S')
        const secure = new TLSSocket(client, { isServer: true, key: certificate.key, cert: certificate.cert })
        secure.on('error', () => {}).once('secure', () => encrypted++)
        forward(secure)
      }
    })
  })
  await once(server.listen(0), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    encrypted: () => encrypted,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
