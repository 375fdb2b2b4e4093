import { type FairQueue, slowAwareQueue, type Work } from '#server/fairness/fair-queue.ts'
import { type Transport, TransportError } from '#server/language/lace/transport.ts'

/** Connections that one process opens to one host and port. */
export const MAX_CONNECTIONS_PER_HOST = 64

export type HostConnections = {
  /**
   * Returns the transport of one run. An exchange waits for a free connection to its host, until `endsAt` (on
   * `performance.now()`). The timeout of the exchange starts after that. Rejects with `busy` when no connection becomes
   * free.
   */
  transportFor: (transport: Transport, work: Work, endsAt: number) => Transport
}

/** Limits the connections per host, and shares them among organizations. */
export function createHostConnections(size = MAX_CONNECTIONS_PER_HOST): HostConnections {
  const hosts = new Map<string, FairQueue>()

  return {
    transportFor: (transport, work, endsAt) => async (request) => {
      const key = hostKey(request.url)
      const host = hosts.get(key) ?? slowAwareQueue(size)
      hosts.set(key, host)
      const waitingSince = performance.now()
      const error = () => new TransportError('busy', `no connection to ${key} was free, of ${size} at a time`)
      const limit = { ms: Math.max(0, endsAt - waitingSince), error }
      const release = await host.acquire(work, { signal: request.signal, limit }).finally(() => {
        request.onWaited?.(performance.now() - waitingSince)
      })
      try {
        const leftMs = Math.max(1, endsAt - performance.now())
        return await transport({ ...request, timeoutMs: Math.min(request.timeoutMs, leftMs) })
      } finally {
        release()
        if (host.held === 0 && hosts.get(key) === host) hosts.delete(key)
      }
    },
  }
}

/** Returns host and port. */
function hostKey({ hostname, port, protocol }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? '443' : '80')}`
}
