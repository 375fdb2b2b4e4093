import { connect, type Socket } from 'node:net'
import { TransportError } from '#server/language/lace/transport.ts'
import { type AllowedNetworks, isResolutionAllowed } from '#server/scripts/target-addresses.ts'
import type { Deadline } from './deadline.ts'
import { blockedTargetError, type Destination } from './guard.ts'
import { connectFailure } from './transport-failures.ts'

/** After this delay, the next address is tried in parallel (RFC 8305, Happy Eyeballs). */
const NEXT_ADDRESS_DELAY_MS = 250
const MAX_ADDRESSES = 8
/** Errors of a machine that has no route to an address, for example to IPv6 addresses. */
const NO_ROUTE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'])

export type Connection = { socket: Socket; address: string }

/**
 * Connects to the first of the destination's addresses that accepts, and closes the other attempts. Addresses are tried
 * in order, and in parallel when one is slow; late addresses are tried as soon as they are known. The peer's address is
 * checked again on the open socket. Rejects with the deadline's reason when it passes during an attempt.
 */
export function dial(destination: Destination, allowed: AllowedNetworks, deadline: Deadline): Promise<Connection> {
  const untried = destination.addresses.slice(0, MAX_ADDRESSES)
  const attempts = new Set<Socket>()
  let nextAttempt: NodeJS.Timeout | undefined
  let awaitsAddresses = destination.late !== null
  let isSettled = false
  let failure: NodeJS.ErrnoException | undefined

  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      isSettled = true
      clearTimeout(nextAttempt)
      for (const socket of attempts) socket.destroy()
      attempts.clear()
      outcome()
    }
    const tryNext = () => {
      clearTimeout(nextAttempt)
      const address = untried.shift()
      if (address === undefined) return
      const socket = connect({ host: address, port: destination.port, noDelay: true })
      attempts.add(socket)
      socket.once('connect', () => {
        attempts.delete(socket)
        const error = checkPeer(socket, destination.host, allowed)
        if (error) socket.destroy()
        settle(error ? () => reject(error) : () => resolve({ socket, address }))
      })
      // This listener stays for the socket's life, so that an error between two owners is never unhandled.
      socket.on('error', (cause) => {
        if (!attempts.delete(socket)) return
        if (!failure || NO_ROUTE.has(failure.code ?? '')) failure = cause
        proceed()
      })
      if (untried.length > 0) nextAttempt = setTimeout(tryNext, NEXT_ADDRESS_DELAY_MS)
    }
    const proceed = () => {
      if (untried.length > 0) tryNext()
      else if (attempts.size === 0 && !awaitsAddresses) settle(() => reject(connectFailure(failure, destination.url)))
    }
    destination.late?.then((addresses) => {
      if (isSettled) return
      awaitsAddresses = false
      untried.push(...addresses.slice(0, MAX_ADDRESSES))
      proceed()
    })
    deadline.watch((reason) => {
      // Every known address failed, so that is the cause, and not the lookup that is still silent.
      const isDown = failure !== undefined && attempts.size === 0 && reason.failure === 'timeout'
      settle(() => reject(isDown ? connectFailure(failure, destination.url) : reason))
    })
    if (deadline.reason === null) tryNext()
  })
}

/** The second check of the SSRF guard: the address that the connection really has. */
function checkPeer(socket: Socket, host: string, allowed: AllowedNetworks): TransportError | null {
  const { remoteAddress } = socket
  // The connection is already closed, so it has no peer.
  if (remoteAddress === undefined) return new TransportError('connection', 'the server closed the connection at once')
  return isResolutionAllowed(host, [remoteAddress], allowed) ? null : blockedTargetError()
}
