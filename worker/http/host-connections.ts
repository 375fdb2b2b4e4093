import { type Transport, TransportError, type TransportRequest } from '#server/lace/transport.ts'
import type { Work } from '../fairness/fair-permits.ts'
import { FairQueue } from '../fairness/fair-queue.ts'

/** Calls that one process has open to one host and port. */
export const MAX_CONNECTIONS_PER_HOST = 64

/** Below this a call has not waited. */
const MIN_WAIT_MS = 1

export type HostConnections = {
  /**
   * The transport of one run: a call waits until its host may have one more connection, at most until `endsAt` by
   * `performance.now()`. Its own time begins after that. Rejects as `busy` when none became free.
   */
  transportFor: (transport: Transport, client: Work, endsAt: number) => Transport
}

/** Bounds how many connections a host sees, shared among organizations as the slots of runs are. */
export function createHostConnections(size = MAX_CONNECTIONS_PER_HOST): HostConnections {
  const hosts = new Map<string, FairQueue>()

  const acquire = async (key: string, client: Work, ms: number, signal: AbortSignal | null) => {
    const host = hosts.get(key) ?? new FairQueue(size)
    hosts.set(key, host)
    const error = () => new TransportError('busy', `no connection to ${key} was free, of ${size} at a time`)
    const forget = () => host.isIdle && hosts.delete(key)
    try {
      const giveBack = await host.acquire(client, { signal, limit: { ms, error } })
      return () => {
        giveBack()
        forget()
      }
    } catch (error) {
      forget()
      throw error
    }
  }

  return {
    transportFor: (transport, client, endsAt) => async (request) => {
      const key = hostKey(request)
      if (key === null) return transport(request)
      const askedAt = performance.now()
      let waitedMs = 0
      const giveBack = await acquire(key, client, Math.max(0, endsAt - askedAt), request.signal).finally(() => {
        waitedMs = performance.now() - askedAt
        if (waitedMs >= MIN_WAIT_MS) request.onWaited?.(waitedMs)
      })
      try {
        if (waitedMs < MIN_WAIT_MS) return await transport(request)
        const leftMs = Math.max(1, endsAt - askedAt - waitedMs)
        return await transport({ ...request, timeoutMs: Math.min(request.timeoutMs, leftMs) })
      } finally {
        giveBack()
      }
    },
  }
}

/** Host and port; null for what is no URL, which the transport refuses. */
function hostKey({ url }: TransportRequest): string | null {
  const parsed = URL.parse(url)
  if (parsed === null) return null
  const port = parsed.port || (parsed.protocol === 'https:' ? '443' : '80')
  return `${parsed.hostname.replace(/\.$/, '')}:${port}`
}
