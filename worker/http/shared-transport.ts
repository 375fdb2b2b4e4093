import type { Transport } from '#server/lace/transport.ts'
import type { Work } from '../fairness/fair-permits.ts'
import { createHostConnections } from './host-connections.ts'
import { createLargeBodyPermits } from './large-bodies.ts'

export type RunTransport = {
  transport: Transport
  /** Milliseconds its calls waited for their turns so far. */
  waitedMs: () => number
  /** To be called when the run has ended. */
  release: () => void
}

/** The transport of each run, which shares with the others what a process has of connections and memory. */
export function shareTransport(
  transport: Transport,
  largeBodies: number,
): (client: Work, endsAt: number) => RunTransport {
  const connections = createHostConnections()
  const largeBodyPermits = createLargeBodyPermits(largeBodies)
  return (client, endsAt) => {
    const hostTransport = connections.transportFor(transport, client, endsAt)
    const permit = largeBodyPermits(client)
    let waitedMs = 0
    return {
      transport: (request) => {
        const onWaited = (ms: number) => {
          waitedMs += ms
          request.onWaited?.(ms)
        }
        return hostTransport({ ...request, onWaited, reserveBody: permit.reserve })
      },
      waitedMs: () => waitedMs,
      release: permit.release,
    }
  }
}
