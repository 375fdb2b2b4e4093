import type { Work } from '#server/fairness/fair-queue.ts'
import { createLargeBodyPermits } from '#server/fairness/large-bodies.ts'
import type { Transport } from '#server/language/lace/transport.ts'
import { createHostConnections } from './host-connections.ts'

export type RunTransport = {
  transport: Transport
  /** Returns the milliseconds that its exchanges have waited for connections so far. */
  waitedMs: () => number
  /** Must be called when the run has ended. */
  release: () => void
}

/** Creates the transport of one run, which ends at a time of `performance.now()`. */
export type RunTransports = (work: Work, endsAt: number) => RunTransport

/** Creates the transport of each run. All of them share the connections and the memory of the process. */
export function shareTransport(transport: Transport, largeBodies: number): RunTransports {
  const connections = createHostConnections()
  const largeBodyPermits = createLargeBodyPermits(largeBodies)
  return (work, endsAt) => {
    const hostTransport = connections.transportFor(transport, work, endsAt)
    const permit = largeBodyPermits(work)
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
