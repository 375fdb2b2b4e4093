import { connect, type Socket } from 'node:net'
import { TransportError } from '#server/lace/transport.ts'
import { type AllowedNetworks, isResolutionAllowed } from '#server/scripts/target-addresses.ts'
import type { Deadline } from './deadline.ts'
import { connectFailure } from './failures.ts'
import { blockedTargetError, type Destination } from './guard.ts'

/** After this delay, the next address is tried in parallel (RFC 8305). */
const NEXT_ADDRESS_DELAY_MS = 250
const MAX_ADDRESSES = 8

export type Connection = { socket: Socket; address: string }

/**
 * Connects to the first of the destination's addresses that accepts. Addresses are tried in order, and in parallel when
 * one is slow. The peer's address is checked again on the open socket. Rejects with the deadline's reason when it passes.
 */
export function dial(destination: Destination, allowed: AllowedNetworks, deadline: Deadline): Promise<Connection> {
  const untried = destination.addresses.slice(0, MAX_ADDRESSES)
  const attempts = new Set<Socket>()
  let nextAttempt: NodeJS.Timeout | undefined

  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
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
        if (untried.length > 0) tryNext()
        else if (attempts.size === 0) settle(() => reject(connectFailure(cause, destination)))
      })
      if (untried.length > 0) nextAttempt = setTimeout(tryNext, NEXT_ADDRESS_DELAY_MS)
    }
    deadline.watch((reason) => settle(() => reject(reason)))
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
