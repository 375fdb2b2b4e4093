import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Listeners on loopback that no probe may reach. */
export type Canaries = {
  port: number
  /** Returns the number of accepted connections, on one address or on all. */
  hits: (address?: string) => number
  close: () => Promise<void>
}

const MAX_TRIES = 20

/** Listens on the same port of each address; addresses that the machine does not have are skipped. */
export async function startCanaries(
  addresses = ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1'],
): Promise<Canaries> {
  for (let attempt = 1; ; attempt += 1) {
    const servers: Server[] = []
    const hits: string[] = []
    const countOf = (address?: string) => hits.filter((hit) => address === undefined || hit === address).length
    const close = async () => {
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
    }
    try {
      for (const address of addresses) {
        const server = createServer((socket) => {
          hits.push(address)
          socket.on('error', () => {}).resume()
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret')
        })
        const port = servers.length === 0 ? 0 : listeningPort(servers[0]!)
        try {
          await once(server.listen(port, address), 'listening')
          servers.push(server)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EADDRNOTAVAIL') throw error
        }
      }
      return { port: listeningPort(servers[0]!), hits: countOf, close }
    } catch (error) {
      await close()
      // Another process uses this port on one of the addresses.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === MAX_TRIES) throw error
    }
  }
}

const counterOfContext = new AsyncLocalStorage<{ dials: number }>()

/**
 * Counts the client sockets that the calling test opens. Test files share a process, so sockets of programs of earlier
 * files are recognized by their asynchronous context.
 */
export function countDials(): { dials: () => number; stop: () => void } {
  const counter = { dials: 0 }
  const count = () => {
    if (counterOfContext.getStore() === counter) counter.dials += 1
  }
  counterOfContext.enterWith(counter)
  subscribe('net.client.socket', count)
  return { dials: () => counter.dials, stop: () => void unsubscribe('net.client.socket', count) }
}

export function listeningPort(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}
