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
  const forward = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as [Socket, Socket][]) {
      sockets.add(from)
      from.on('error', () => {}).on('close', () => to.destroy())
      from.pipe(to)
    }
  }
  const server = createServer((near) => {
    near.on('error', () => {})
    near.once('data', (first) => {
      near.pause()
      const isAsked = first.length === 8 && first.readInt32BE(4) === SSL_REQUEST
      if (!isAsked) {
        near.unshift(first)
        forward(near)
      } else if (!certificate) {
        near.write('N')
        forward(near)
      } else {
        near.write('S')
        const secure = new TLSSocket(near, { isServer: true, key: certificate.key, cert: certificate.cert })
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
