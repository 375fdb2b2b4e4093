import type { Transport } from '#server/lace/transport.ts'
import type { Work } from '../fairness/fair-permits.ts'
import { createHostConnections } from './host-connections.ts'
import { createBodyRooms } from './large-bodies.ts'

export type RunTransport = {
  transport: Transport
  /** Milliseconds its calls waited for their turns so far. */
  waitedMs: () => number
  /** To be called when the run has ended. */
  leave: () => void
}

/** The transport of each run, which shares with the others what a process has of connections and memory. */
export function shareTransport(
  transport: Transport,
  largeBodies: number,
): (client: Work, endsAt: number) => RunTransport {
  const connections = createHostConnections()
  const rooms = createBodyRooms(largeBodies)
  return (client, endsAt) => {
    const toHost = connections.of(transport, client, endsAt)
    const room = rooms(client)
    let waitedMs = 0
    return {
      transport: (request) => {
        const onWaited = (ms: number) => {
          waitedMs += ms
          request.onWaited?.(ms)
        }
        return toHost({ ...request, onWaited, reserveBody: room.reserve })
      },
      waitedMs: () => waitedMs,
      leave: room.leave,
    }
  }
}
