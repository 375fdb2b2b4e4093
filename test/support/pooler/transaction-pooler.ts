import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { cancelRequest, type Message, message, messageReader, parseStartup, textAt } from './messages.ts'
import { openServerConnection, type ServerConnection, writeTogether } from './server-connection.ts'
import { leavesSessionState } from './session-state.ts'

// A small pooler that lends a server connection for one transaction, as PgBouncer 1.21 and later do with
// `pool_mode = transaction` and `max_prepared_statements`. It is stricter: the connection that was idle for longest is
// lent next, and a client that leaves state in its session is disconnected.

export type TransactionPooler = {
  /** Returns the URL through the pooler of a database. */
  urlOf: (databaseUrl: string) => string
  /** The statements that would have left state in a session. */
  refused: string[]
  close: () => Promise<void>
}

/** The start parameters that PgBouncer accepts. */
const PARAMETERS = ['user', 'database', 'application_name', 'client_encoding', 'DateStyle', 'TimeZone']
const SERVERS_MAX = 6
const TEXT_TYPES = new Set(['Q', 'P'])

type Client = { socket: Socket; pid: number; server: ServerConnection | null; isWaiting: boolean; isClosed: boolean }
type Pool = { servers: ServerConnection[]; idle: ServerConnection[]; opening: number; waiting: (() => void)[] }

export type PoolerOptions = {
  /** Whether it prepares a client's statements on each server connection, as PgBouncer does from 1.21 on. */
  keepsPrepared?: boolean
  /** Lends the connection that was returned last, as PgBouncer does without `server_round_robin`. */
  lendsLatest?: boolean
}

export async function startTransactionPooler({
  keepsPrepared = true,
  lendsLatest = false,
}: PoolerOptions = {}): Promise<TransactionPooler> {
  const pools = new Map<string, Pool>()
  const clients = new Map<number, Client>()
  const databases = new Map<string, string>()
  const refused: string[] = []
  let clientCount = 0

  const listener = createServer((socket) => {
    socket.setNoDelay(true)
    socket.on('error', () => {})
    readStartup(socket)
  })

  function readStartup(socket: Socket): void {
    let left = Buffer.alloc(0)
    const onData = (chunk: Buffer) => {
      left = Buffer.concat([left, chunk])
      for (let parsed = parseStartup(left); parsed; parsed = parseStartup(left)) {
        left = left.subarray(parsed.length)
        const { startup } = parsed
        if (startup.kind === 'ssl') socket.write('N')
        else if (startup.kind === 'cancel') cancel(startup.pid, socket)
        else {
          socket.off('data', onData)
          start(socket, startup.parameters, left)
          return
        }
      }
    }
    socket.on('data', onData)
  }

  function cancel(pid: number, socket: Socket): void {
    const server = clients.get(pid)?.server
    socket.end()
    if (!server) return
    const [url] = databases.values()
    const target = new URL(url as string)
    const forwarded = connect(Number(target.port), target.hostname)
    forwarded.on('error', () => {}).end(cancelRequest(server.key.pid, server.key.secret))
  }

  function start(socket: Socket, parameters: Record<string, string>, rest: Buffer): void {
    const unknown = Object.keys(parameters).find((name) => !PARAMETERS.includes(name))
    const url = databases.get(parameters.database ?? '')
    if (unknown || !url) {
      const reason = unknown ? `unsupported startup parameter: ${unknown}` : 'no such database'
      socket.end(message('E', ...['SFATAL', 'VFATAL', 'C08P01', `M${reason}`], Buffer.alloc(1)))
      return
    }
    const client: Client = { socket, pid: ++clientCount, server: null, isWaiting: false, isClosed: false }
    clients.set(client.pid, client)
    const receive = messageReader(receiverOf(client, url))
    socket.on('data', receive)
    socket.on('close', () => {
      client.isClosed = true
      clients.delete(client.pid)
      // In a transaction: the server rolls it back.
      client.server?.end()
    })
    void borrow(url).then((server) => {
      const known = server.parameters.map(([name, value]) => message('S', name, value))
      giveBack(url, server)
      socket.write(
        Buffer.concat([message('R', 0), ...known, message('K', client.pid, 1), message('Z', Buffer.from('I'))]),
      )
    })
    if (rest.length > 0) receive(rest)
  }

  function receiverOf(client: Client, url: string): (received: Message) => void {
    const statements = new Map<string, Buffer>()
    const queue: Message[] = []
    const forward = (received: Message) => {
      const server = client.server as ServerConnection
      const { type, bytes } = received
      const { text: name, end } = textAt(bytes, nameAt(type, bytes))
      if (
        !keepsPrepared ||
        !/^[PBDC]$/.test(type) ||
        name === '' ||
        (type !== 'P' && type !== 'B' && bytes[5] !== 'S'.charCodeAt(0))
      ) {
        server.send(received, type === 'P' ? { name: '', isHidden: false } : undefined)
        return
      }
      // Clients use the same names for different statements.
      const own = `c${client.pid}_${name}`
      const renamed = { type, bytes: rename(bytes, nameAt(type, bytes), end, own) }
      if (type === 'P') statements.set(own, renamed.bytes)
      else if (type !== 'C' && !server.isPrepared(own)) {
        server.send({ type: 'P', bytes: statements.get(own) as Buffer }, { name: own, isHidden: true })
      }
      server.send(renamed, type === 'P' ? { name: own, isHidden: false } : undefined)
    }
    const flush = () => {
      for (let next = queue.shift(); next; next = queue.shift()) forward(next)
    }
    return (received) => {
      if (received.type === 'X') return client.socket.destroy()
      const text = TEXT_TYPES.has(received.type) ? statementOf(received) : ''
      if (leavesSessionState(text)) {
        refused.push(text)
        return client.socket.destroy()
      }
      queue.push(received)
      if (client.server) return flush()
      if (client.isWaiting) return
      client.isWaiting = true
      void borrow(url).then((server) => {
        client.isWaiting = false
        if (client.isClosed) return giveBack(url, server)
        client.server = server
        server.onMessage = (bytes) => (bytes.length > 0 ? writeTogether(client.socket, bytes) : client.socket.destroy())
        server.onIdle = () => {
          client.server = null
          giveBack(url, server)
        }
        flush()
      })
    }
  }

  async function borrow(url: string): Promise<ServerConnection> {
    const pool = poolOf(url)
    for (;;) {
      const idle = lendsLatest ? pool.idle.pop() : pool.idle.shift()
      if (idle && !idle.isEnded()) return idle
      if (idle) {
        pool.servers = pool.servers.filter((server) => server !== idle)
        continue
      }
      pool.servers = pool.servers.filter((server) => !server.isEnded())
      if (pool.servers.length + pool.opening < SERVERS_MAX) {
        pool.opening++
        const server = await openServerConnection(url).finally(() => pool.opening--)
        pool.servers.push(server)
        return server
      }
      await new Promise<void>((resolve) => pool.waiting.push(resolve))
    }
  }

  function giveBack(url: string, server: ServerConnection): void {
    const pool = poolOf(url)
    server.onMessage = () => {}
    server.onIdle = () => {}
    pool.idle.push(server)
    pool.waiting.shift()?.()
  }

  function poolOf(url: string): Pool {
    const pool = pools.get(url) ?? { servers: [], idle: [], opening: 0, waiting: [] }
    pools.set(url, pool)
    return pool
  }

  await once(listener.listen(0, '127.0.0.1'), 'listening')
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl)
      databases.set(url.pathname.slice(1), databaseUrl)
      url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
      return url.toString()
    },
    refused,
    async close() {
      listener.close()
      for (const { socket } of clients.values()) socket.destroy()
      for (const { servers } of pools.values()) for (const server of servers) server.end()
      await once(listener, 'close')
    },
  }
}

/** Where the name of the statement begins: after the portal in `Bind`, after the kind in `Describe` and `Close`. */
function nameAt(type: string, bytes: Buffer): number {
  if (type === 'B') return textAt(bytes, 5).end
  return type === 'D' || type === 'C' ? 6 : 5
}

function rename(bytes: Buffer, start: number, end: number, name: string): Buffer {
  const renamed = Buffer.concat([bytes.subarray(0, start), Buffer.from(`${name}\0`), bytes.subarray(end)])
  renamed.writeInt32BE(renamed.length - 1, 1)
  return renamed
}

function statementOf({ type, bytes }: Message): string {
  return textAt(bytes, type === 'P' ? textAt(bytes, 5).end : 5).text
}
