import type { Socket } from 'node:net'
import pg from 'pg'
import { type Message, messageReader } from './messages.ts'

/** What the pooler expects from the server, in order. */
type Expected = { kind: 'ready' } | { kind: 'parsed'; name: string; isHidden: boolean }

/** One connection of the pooler to the server, lent to a client for a transaction. */
export type ServerConnection = {
  key: { pid: number; secret: number }
  parameters: [name: string, value: string][]
  usedAt: number
  onMessage: (bytes: Buffer) => void
  /** The server has ended a transaction, and owes no response. */
  onIdle: () => void
  /** Sends messages. Each of them that ends with `ReadyForQuery` is counted. */
  send: (message: Message, parsed?: { name: string; isHidden: boolean }) => void
  isPrepared: (name: string) => boolean
  end: () => void
  isEnded: () => boolean
}

/** Writes what one turn of the event loop sends as one packet: each write of its own costs as much as a statement. */
export function writeTogether(socket: Socket, bytes: Buffer): void {
  if (socket.writableCorked === 0) {
    socket.cork()
    process.nextTick(() => socket.uncork())
  }
  socket.write(bytes)
}

/** The driver opens the connection and authenticates; after that the pooler reads and writes the socket itself. */
export async function openServerConnection(url: string): Promise<ServerConnection> {
  const client = new pg.Client(url)
  const { connection } = client as unknown as {
    connection: { stream: Socket; on: (event: string, listener: (message: never) => void) => void }
  }
  const parameters: [string, string][] = []
  connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
    parameters.push([parameterName as string, parameterValue as string])
  })
  client.on('error', () => {})
  await client.connect()
  const { processID: pid, secretKey: secret } = client as unknown as { processID: number; secretKey: number }
  const { stream } = connection
  stream.removeAllListeners('data')

  const prepared = new Set<string>()
  const expected: Expected[] = []
  let isEnded = false
  const server: ServerConnection = {
    key: { pid, secret },
    parameters,
    usedAt: 0,
    onMessage: () => {},
    onIdle: () => {},
    send({ type, bytes }, parsed) {
      if (parsed) {
        expected.push({ kind: 'parsed', ...parsed })
        prepared.add(parsed.name)
      }
      if (type === 'S' || type === 'Q') expected.push({ kind: 'ready' })
      writeTogether(stream, bytes)
    },
    isPrepared: (name) => prepared.has(name),
    end: () => stream.destroy(),
    isEnded: () => isEnded,
  }
  const receive = ({ type, bytes }: Message) => {
    const [next] = expected
    if (type === '1') {
      expected.shift()
      if (next?.kind === 'parsed' && next.isHidden) return
    }
    // After an error, the server skips everything up to the next `Sync`.
    if (type === 'E') {
      for (let skipped = expected[0]; skipped?.kind === 'parsed'; skipped = expected[0]) {
        prepared.delete(skipped.name)
        expected.shift()
      }
    }
    if (type === 'Z') expected.shift()
    server.onMessage(bytes)
    if (type === 'Z' && bytes[5] === 'I'.charCodeAt(0) && expected.length === 0) server.onIdle()
  }
  stream.on('data', messageReader(receive))
  stream.on('close', () => {
    isEnded = true
    server.onMessage(Buffer.alloc(0))
  })
  return server
}
