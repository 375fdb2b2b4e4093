import { once } from 'node:events'
import { isIP, connect as openTcp, type Socket } from 'node:net'
import { type Duplex, duplexPair, pipeline } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { DatabaseTarget } from '../database-url.ts'
import { DatabaseUnavailable } from '../errors.ts'

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** Connects a socket for either driver, with TLS as the target demands. @throws DatabaseUnavailable within the target's `connectMs` */
export async function openSocket(target: DatabaseTarget): Promise<Socket> {
  const { host, port, connectMs } = target
  const socket = host.startsWith('/') ? openTcp(`${host}/.s.PGSQL.${port}`) : openTcp(port, host)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 30_000)
  const ended = new AbortController()
  const limit = setTimeout(() => socket.destroy(new Error(`no connection within ${connectMs} ms`)), connectMs)
  const fail = (error?: Error) => ended.abort(error ?? new Error('the server closed the connection'))
  // The listeners stay: an error before the driver adds its own would end the process.
  socket.on('error', fail).once('close', () => fail())
  try {
    await once(socket, 'connect', ended)
    return await encrypt(socket, target, ended.signal)
  } catch (error) {
    socket.destroy()
    const reason = ended.signal.aborted ? ended.signal.reason : error
    throw new DatabaseUnavailable(reason.message, { cause: reason })
  } finally {
    clearTimeout(limit)
  }
}

async function encrypt(socket: Socket, target: DatabaseTarget, signal: AbortSignal): Promise<Socket> {
  if (target.sslMode === 'disable') return socket
  if (!target.isDirectTls) {
    socket.write(SSL_REQUEST)
    const [reply] = (await once(socket, 'data', { signal })) as [Buffer]
    // Further bytes may come from an attacker, and would be treated as encrypted data (CVE-2021-23222).
    if (reply.length !== 1 || !/[SN]/.test(reply.toString('latin1'))) throw new Error('the server is not PostgreSQL')
    if (reply.toString('latin1') === 'N') {
      if (target.sslMode === 'prefer') return socket
      throw new Error(`sslmode is ${target.sslMode}, but the server does not support TLS`)
    }
  }
  const secure = connectTls({
    ...target.tls,
    socket,
    ...(isIP(target.host) === 0 && { servername: target.host }),
    ...(target.isDirectTls && { ALPNProtocols: ['postgresql'] }),
  })
  await once(secure, 'secureConnect', { signal })
  return secure.on('error', () => {})
}

/**
 * Returns a socket that connects when node-postgres, which creates it, calls `connect`. It is destroyed when the server
 * does not respond within `limitMs`; 0 for no limit. The driver's own limit would leave the dead connection in its pool.
 */
export function deferredSocket(target: DatabaseTarget, limitMs: number): Duplex {
  const [outer, inner] = duplexPair({ allowHalfOpen: false })
  let timer: NodeJS.Timeout | undefined
  const giveUp = () => outer.destroy(new Error(`no response within ${limitMs} ms`))
  const sent = () => {
    if (limitMs > 0) timer ??= setTimeout(giveUp, limitMs).unref()
  }
  const answered = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const attach = (socket: Socket) => {
    inner.on('data', sent)
    socket.on('data', answered)
    pipeline(inner, socket, inner, (error) => outer.destroy(error ?? undefined))
    outer.once('close', () => socket.destroy())
    outer.emit('connect')
  }
  const connect = () => openSocket(target).then(attach, (error: Error) => outer.destroy(error))
  const ignore = () => outer
  return Object.assign(outer, { connect, setNoDelay: ignore, setKeepAlive: ignore, ref: ignore, unref: ignore })
}
