import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { TransportFailure } from '#server/language/lace/transport.ts'
import { makeCertificate } from '../certificates.ts'
import { brotliBomb, chainedBomb, deflateBomb, emptyMembers, gzipBomb, wideZstd } from './bombs.ts'
import { listeningPort } from './canary.ts'

/** A server that misbehaves, and the expected outcome of a request to it. */
export type HostileTarget = {
  name: string
  scheme: 'http' | 'https'
  /** Serves one connection. Most targets do not read the request. */
  serve: (socket: Socket) => void
  expect: { failure: TransportFailure | TransportFailure[]; message: RegExp } | { status: number; body: null | RegExp }
  /** Only the timeout ends a request to it, so tests use a short one. */
  slow?: true
  /** A request to it takes fifty milliseconds of processor time and more, so the load requests it less often. */
  costly?: true
  /** Does not work over TLS. */
  plainOnly?: true
}

const OK = 'HTTP/1.1 200 OK\r\n'
const MAX_BODY_BYTES = 10 * 1024 * 1024

export const HOSTILE_TARGETS: HostileTarget[] = [
  {
    name: 'gzip bomb',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Encoding: gzip\r\n\r\n`, gzipBomb()),
    expect: { status: 200, body: null },
    costly: true,
  },
  {
    name: 'deflate bomb',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Encoding: deflate\r\n\r\n`, deflateBomb()),
    expect: { status: 200, body: null },
    costly: true,
  },
  {
    name: 'brotli bomb',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Encoding: br\r\n\r\n`, brotliBomb()),
    expect: { status: 200, body: null },
    costly: true,
  },
  {
    name: 'bomb in a bomb',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Encoding: gzip, br\r\n\r\n`, chainedBomb()),
    expect: { status: 200, body: null },
    costly: true,
  },
  {
    name: 'a thousand codings',
    scheme: 'http',
    serve: (socket) =>
      send(socket, `${OK}Content-Encoding: ${Array(1_000).fill('gzip').join(', ')}\r\n\r\n`, gzipBomb()),
    expect: { failure: 'protocol', message: /1000 content codings, more than 2/ },
  },
  {
    name: 'empty compressed members without end',
    scheme: 'http',
    serve: (socket) => flood(socket, `${OK}Content-Encoding: gzip\r\n\r\n`, emptyMembers()),
    expect: { status: 200, body: null },
    costly: true,
  },
  {
    name: 'zstd frame with a window of 128 MiB',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Encoding: zstd\r\n\r\n`, wideZstd()),
    expect: { failure: 'protocol', message: /not valid zstd/ },
  },
  {
    name: 'body that does not match its coding',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Encoding: gzip\r\n\r\n`, 'plainly no gzip'),
    expect: { failure: 'protocol', message: /not valid gzip/ },
  },
  {
    name: 'compressed body cut short',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Encoding: gzip\r\n\r\n`, gzipBomb().subarray(0, 400)),
    expect: { failure: 'protocol', message: /not valid gzip/ },
  },
  {
    name: 'body without end',
    scheme: 'http',
    serve: (socket) => flood(socket, `${OK}\r\n`, Buffer.alloc(65_536, 'x')),
    expect: { status: 200, body: null },
    costly: true,
  },
  {
    name: 'body without end, in chunks of one byte',
    scheme: 'http',
    serve: (socket) =>
      flood(socket, `${OK}Transfer-Encoding: chunked\r\n\r\n`, Buffer.from('1\r\nx\r\n'.repeat(10_000))),
    expect: { failure: 'protocol', message: /more than 100000 chunks/ },
    costly: true,
  },
  {
    name: 'headers without end',
    scheme: 'http',
    serve: (socket) => flood(socket, OK, Buffer.from(`X-More: ${'x'.repeat(100)}\r\n`.repeat(100))),
    expect: { failure: 'protocol', message: /headers are larger than 65536 bytes/ },
  },
  {
    name: 'one header of more than 64 KiB',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}X-Large: ${'x'.repeat(70_000)}\r\nContent-Length: 0\r\n\r\n`),
    expect: { failure: 'protocol', message: /headers are larger than 65536 bytes/ },
  },
  {
    name: 'trailers without end',
    scheme: 'http',
    serve: (socket) =>
      flood(
        socket,
        `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n`,
        Buffer.from('X-More: x\r\n'.repeat(1_000)),
      ),
    expect: { failure: 'protocol', message: /headers are larger than 65536 bytes/ },
  },
  {
    name: 'chunk extension without end',
    scheme: 'http',
    serve: (socket) => flood(socket, `${OK}Transfer-Encoding: chunked\r\n\r\n1;`, Buffer.alloc(16_384, 'x')),
    expect: { failure: 'protocol', message: /not valid HTTP/ },
  },
  {
    name: '4,000 cookies',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}${'Set-Cookie: a\r\n'.repeat(4_000)}Content-Length: 0\r\n\r\n`),
    expect: { status: 200, body: /^$/ },
  },
  {
    name: 'interim responses without end',
    scheme: 'http',
    serve: (socket) => flood(socket, '', Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500))),
    expect: { failure: 'protocol', message: /more than 20 interim responses/ },
  },
  {
    name: 'switch to another protocol',
    scheme: 'http',
    serve: (socket) =>
      send(socket, 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nxxxx'),
    expect: { failure: 'protocol', message: /switched to another protocol/ },
  },
  {
    name: 'no response, ever',
    scheme: 'http',
    serve: () => {},
    expect: { failure: 'timeout', message: /within \d+ ms \(waiting for the response\)/ },
    slow: true,
  },
  {
    name: 'headers byte by byte',
    scheme: 'http',
    serve: (socket) => drip(socket, OK, 'X-Slow: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'),
    expect: { failure: 'timeout', message: /within \d+ ms \(waiting for the response\)/ },
    slow: true,
  },
  {
    name: 'body byte by byte',
    scheme: 'http',
    serve: (socket) => drip(socket, `${OK}Content-Length: 100000\r\n\r\n`, 'x'),
    expect: { failure: 'timeout', message: /within \d+ ms \(reading the body\)/ },
    slow: true,
  },
  {
    name: 'chunk byte by byte',
    scheme: 'http',
    serve: (socket) => drip(socket, `${OK}Transfer-Encoding: chunked\r\n\r\nff\r\n`, 'x'),
    expect: { failure: 'timeout', message: /within \d+ ms \(reading the body\)/ },
    slow: true,
  },
  {
    name: 'TLS that never finishes',
    scheme: 'https',
    serve: () => {},
    expect: { failure: 'timeout', message: /within \d+ ms \(in the TLS handshake\)/ },
    slow: true,
  },
  {
    name: 'connection closed at once',
    scheme: 'http',
    serve: (socket) => socket.destroy(),
    // The message depends on how far the client has come.
    expect: {
      failure: ['protocol', 'connection'],
      message: /closed the connection (without|at once)|reset the connection/,
    },
  },
  {
    name: 'connection reset in the middle of the body',
    scheme: 'http',
    serve: (socket) => {
      socket.write(`${OK}Content-Length: 10\r\n\r\nabc`)
      setTimeout(() => socket.resetAndDestroy(), 20)
    },
    expect: { failure: 'connection', message: /reset the connection/ },
    plainOnly: true,
  },
  {
    name: 'half-closed before a response',
    scheme: 'http',
    serve: (socket) => socket.end(),
    expect: { failure: 'protocol', message: /closed the connection without a response/ },
  },
  {
    name: 'half-closed within the headers',
    scheme: 'http',
    serve: (socket) => socket.end(`${OK}X-Cut: `),
    expect: { failure: 'protocol', message: /closed the connection without a response|not valid HTTP/ },
  },
  {
    name: 'body shorter than its length',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Length: 100\r\n\r\nshort`),
    expect: { failure: 'protocol', message: /closed before the response was complete, after 5 bytes/ },
  },
  {
    name: 'body longer than its length',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Length: 5\r\n\r\nlonger than five`),
    expect: { status: 200, body: /^longe$/ },
  },
  {
    name: 'two lengths that disagree',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`),
    expect: { failure: 'protocol', message: /not valid HTTP/ },
  },
  {
    name: 'length that is not a number',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Content-Length: 1e3\r\n\r\nabc`),
    expect: { failure: 'protocol', message: /not valid HTTP/ },
  },
  {
    name: 'chunks of garbage',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nxxxx\r\n`),
    expect: { failure: 'protocol', message: /not valid HTTP/ },
  },
  {
    name: 'chunked body without its end',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`),
    expect: { failure: 'protocol', message: /closed before the response was complete, after 5 bytes/ },
  },
  {
    name: 'garbage instead of HTTP',
    scheme: 'http',
    serve: (socket) => send(socket, 'SSH-2.0-OpenSSH_9.7\r\n'),
    expect: { failure: 'protocol', message: /not valid HTTP: Expected HTTP/ },
  },
  {
    name: 'bytes instead of HTTP',
    scheme: 'http',
    serve: (socket) => send(socket, Buffer.from([...Array(256).keys()])),
    expect: { failure: 'protocol', message: /not valid HTTP/ },
  },
  {
    name: 'NUL in a header',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n`),
    expect: { failure: 'protocol', message: /not valid HTTP/ },
  },
  {
    name: 'bare line breaks in headers',
    scheme: 'http',
    serve: (socket) => send(socket, `${OK}X-A: 1\rX-B: 2\r\nContent-Length: 0\r\n\r\n`),
    expect: { failure: 'protocol', message: /not valid HTTP/ },
  },
  {
    name: 'NUL and invalid UTF-8 in the body',
    scheme: 'http',
    serve: (socket) =>
      send(socket, `${OK}Content-Length: 6\r\n\r\n`, Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0x28])),
    expect: { status: 200, body: /^a\0\ufffd\ufffd\ufffd\($/ },
  },
  {
    name: 'header named __proto__',
    scheme: 'http',
    serve: (socket) =>
      send(socket, `${OK}__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nContent-Length: 2\r\n\r\nok`),
    expect: { status: 200, body: /^ok$/ },
  },
  {
    name: 'redirect to itself',
    scheme: 'http',
    serve: (socket) => send(socket, 'HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n'),
    expect: { status: 302, body: /^$/ },
  },
  {
    name: 'garbage instead of TLS',
    scheme: 'https',
    serve: (socket) => send(socket, Buffer.alloc(512, 0x42)),
    expect: { failure: 'tls', message: /TLS handshake failed/ },
  },
  {
    name: 'HTTP instead of TLS',
    scheme: 'https',
    serve: (socket) => send(socket, 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
    expect: { failure: 'tls', message: /TLS handshake failed: wrong version number/ },
  },
  {
    name: 'TLS closed in the handshake',
    scheme: 'https',
    serve: (socket) => void socket.once('data', () => socket.destroy()),
    expect: { failure: 'tls', message: /closed the connection during the TLS handshake/ },
  },
]

/** The same targets over a valid TLS session, but for those that cost time to decode: nothing decodes them differently. */
export const HOSTILE_OVER_TLS: HostileTarget[] = HOSTILE_TARGETS.filter(
  ({ scheme, plainOnly, costly }) => scheme === 'http' && !plainOnly && !costly,
).map((target) => ({ ...target, name: `${target.name}, over TLS` }))

export type RunningTarget = { target: HostileTarget; url: string; open: () => number; close: () => Promise<void> }

/** Starts a target on 127.0.0.1. `open` returns the number of open connections. */
export async function startHostile(target: HostileTarget, options: { secure?: boolean } = {}): Promise<RunningTarget> {
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.resume()
    target.serve(socket)
  }
  const server = options.secure
    ? createTlsServer(await makeCertificate('valid'), serve)
    : createServer({ noDelay: true }, serve)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const scheme = options.secure ? 'https' : target.scheme
  return {
    target,
    url: `${scheme}://127.0.0.1:${listeningPort(server)}/`,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Sends a complete response and closes. Waits for the request first, because closing before it would cause a reset. */
function send(socket: Socket, head: string | Buffer, body: string | Buffer = ''): void {
  socket.once('data', () => {
    socket.write(head)
    socket.end(body)
  })
}

/** Sends `piece` again and again until the client closes the connection. */
function flood(socket: Socket, head: string, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece))
      if (socket.bytesWritten > 8 * MAX_BODY_BYTES) return socket.destroy()
  }
  socket.once('data', () => {
    socket.write(head)
    more()
  })
  socket.on('drain', more)
}

function drip(socket: Socket, head: string, text: string): void {
  let sent = 0
  socket.write(head)
  const timer = setInterval(() => socket.write(text[sent++ % text.length]!), 10)
  socket.on('close', () => clearInterval(timer))
}
