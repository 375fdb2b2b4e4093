import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type DatabaseProxy = {
  /** The given URL with the proxy in between. */
  url: string
  /** Breaks all connections and takes no new ones. */
  cut: () => void
  /** Keeps all connections and lets nothing through. */
  hold: () => void
  /** As it was. */
  restore: () => void
  close: () => void
}

/** Stands between a program and its database, to come between them. */
export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  const pairs = new Set<[Socket, Socket]>()
  let state: 'open' | 'cut' | 'held' = 'open'
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near] as [Socket, Socket]]) {
      from.on('data', (chunk) => {
        if (state !== 'held') to.write(chunk)
      })
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const destroyAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    url: url.toString(),
    cut() {
      state = 'cut'
      destroyAll()
    },
    hold() {
      state = 'held'
    },
    restore() {
      // What was swallowed is lost: a connection that was held is of no use any more.
      if (state === 'held') destroyAll()
      state = 'open'
    },
    close() {
      destroyAll()
      server.close()
    },
  }
}
