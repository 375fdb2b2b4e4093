import type { Work } from '#server/fairness/fair-permits.ts'
import { FairQueue } from '#server/fairness/fair-queue.ts'
import { type Transport, TransportError, type TransportRequest } from '#server/lace/transport.ts'

/** Connections that one process opens to one host and port. */
export const MAX_CONNECTIONS_PER_HOST = 64

/** Shorter waits count as no wait. */
const MIN_WAIT_MS = 1

export type HostConnections = {
  /**
   * Returns the transport of one run. An exchange waits for a free connection to its host, until `endsAt` (on
   * `performance.now()`). The timeout of the exchange starts after that. Rejects with `busy` when no connection becomes
   * free.
   */
  transportFor: (transport: Transport, work: Work, endsAt: number) => Transport
}

/** Limits the connections per host, and shares them among organizations like run permits. */
export function createHostConnections(size = MAX_CONNECTIONS_PER_HOST): HostConnections {
  const hosts = new Map<string, FairQueue>()

  const acquire = async (key: string, work: Work, ms: number, signal: AbortSignal | null) => {
    const host = hosts.get(key) ?? new FairQueue(size)
    hosts.set(key, host)
    const error = () => new TransportError('busy', `no connection to ${key} was free, of ${size} at a time`)
    const removeIfIdle = () => host.isIdle && hosts.delete(key)
    try {
      const release = await host.acquire(work, { signal, limit: { ms, error } })
      return () => {
        release()
        removeIfIdle()
      }
    } catch (error) {
      removeIfIdle()
      throw error
    }
  }

  return {
    transportFor: (transport, work, endsAt) => async (request) => {
      const key = hostKey(request)
      if (key === null) return transport(request)
      const waitingSince = performance.now()
      let waitedMs = 0
      const release = await acquire(key, work, Math.max(0, endsAt - waitingSince), request.signal).finally(() => {
        waitedMs = performance.now() - waitingSince
        if (waitedMs >= MIN_WAIT_MS) request.onWaited?.(waitedMs)
      })
      try {
        if (waitedMs < MIN_WAIT_MS) return await transport(request)
        const leftMs = Math.max(1, endsAt - waitingSince - waitedMs)
        return await transport({ ...request, timeoutMs: Math.min(request.timeoutMs, leftMs) })
      } finally {
        release()
      }
    },
  }
}

/** Returns host and port; null when the URL is not valid, which the transport then reports. */
function hostKey({ url }: TransportRequest): string | null {
  const parsed = URL.parse(url)
  if (parsed === null) return null
  const port = parsed.port || (parsed.protocol === 'https:' ? '443' : '80')
  return `${parsed.hostname.replace(/\.$/, '')}:${port}`
}
