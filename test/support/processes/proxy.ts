import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type DatabaseProxy = {
  /** The database URL that leads through the proxy. */
  url: string
  /** Breaks all connections and refuses new ones. */
  refuse: () => void
  /** Breaks all connections; new ones work. */
  reset: () => void
  /** Keeps all connections, and delays all data until `restore`. */
  stall: () => void
  /** Keeps all connections and drops all data. Current connections stay silent forever, as if the peer had vanished. */
  blackHole: () => void
  /** Forwards the next commit, and breaks its connection instead of delivering the database's response. */
  loseCommit: () => void
  /** Leads new connections to another database. */
  lead: (databaseUrl: string) => void
  /** Adds latency: half of it in each direction. */
  delay: (ms: number) => void
  /** Restores normal operation, at least for new connections. */
  restore: () => void
  /** Returns the number of connections. */
  connections: () => number
  close: () => void
}

type Pair = { client: Socket; database: Socket; isLost: boolean }

/** Starts a proxy between a program and its database that can cause faults. */
export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  let state: 'open' | 'refused' | 'stalled' | 'black-hole' = 'open'
  let delayMs = 0
  let losesCommit = false
  const forward = (pair: Pair, from: Socket, to: Socket) => {
    from.on('data', (chunk) => {
      if (state === 'black-hole') pair.isLost = true
      if (pair.isLost) return
      if (losesCommit && from === pair.database && chunk.includes('COMMIT\0')) {
        losesCommit = false
        pair.client.destroy()
        pair.database.destroy()
        return
      }
      if (delayMs > 0) setTimeout(() => to.write(chunk), delayMs / 2)
      else to.write(chunk)
    })
    from.on('error', () => {})
    from.on('close', () => {
      // A vanished peer sends no FIN.
      if (pair.isLost && from === pair.database) return
      to.destroy()
      pairs.delete(pair)
    })
    if (state === 'stalled') from.pause()
  }
  const server = createServer((client) => {
    if (state === 'refused') return client.destroy()
    const pair: Pair = {
      client,
      database: connect(Number(target.port), target.hostname),
      isLost: state === 'black-hole',
    }
    pairs.add(pair)
    forward(pair, pair.client, pair.database)
    forward(pair, pair.database, pair.client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const reset = () => {
    for (const { client, database } of pairs) {
      client.resetAndDestroy()
      database.destroy()
    }
  }
  return {
    url: url.toString(),
    refuse() {
      state = 'refused'
      reset()
    },
    reset,
    stall() {
      state = 'stalled'
      for (const { client, database } of pairs) for (const socket of [client, database]) socket.pause()
    },
    blackHole() {
      state = 'black-hole'
      for (const pair of pairs) pair.isLost = true
    },
    loseCommit() {
      losesCommit = true
    },
    lead(databaseUrl) {
      target = new URL(databaseUrl)
    },
    delay(ms) {
      delayMs = ms
    },
    restore() {
      state = 'open'
      for (const { client, database } of pairs) for (const socket of [client, database]) socket.resume()
    },
    connections: () => pairs.size,
    close() {
      reset()
      server.close()
    },
  }
}
