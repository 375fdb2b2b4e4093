import { type Transport, TransportError, type TransportRequest } from '#worker/lace/transport.ts'
import { type Client, chooseFairly, FairSlots } from '../fair-slots.ts'

/** Calls that one process has open to one host and port. */
export const CONNECTIONS_PER_HOST = 64
/** Below this a call has not waited. */
const WAITED_MIN_MS = 1

type Waiting = Client & { begin: (giveBack: () => void) => void }
type Host = { slots: FairSlots; waiting: Set<Waiting> }

export type HostConnections = {
  /**
   * The transport of one run: a call waits until its host may have one more connection, at most until `endsAt` by
   * `performance.now()`. Its own time begins after that. Rejects as `busy` when none became free.
   */
  of: (transport: Transport, client: Client, endsAt: number) => Transport
}

/** Bounds how many connections a host sees, shared among organizations as the slots of runs are. */
export function createHostConnections(most = CONNECTIONS_PER_HOST): HostConnections {
  const hosts = new Map<string, Host>()

  const serve = (key: string, host: Host) => {
    host.slots.age()
    for (const { one, giveBack } of chooseFairly(host.waiting, host.slots, host.slots.free)) {
      host.waiting.delete(one)
      one.begin(() => {
        giveBack()
        if (host.slots.held === 0) hosts.delete(key)
        serve(key, host)
      })
    }
  }

  const open = (key: string, client: Client, waitMs: number, signal: AbortSignal | null) => {
    return new Promise<() => void>((resolve, reject) => {
      const host = hosts.get(key) ?? { slots: new FairSlots(most), waiting: new Set() }
      hosts.set(key, host)
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        host.waiting.delete(one)
        outcome()
      }
      const one: Waiting = { ...client, begin: (giveBack) => settle(() => resolve(giveBack)) }
      const onAbort = () => settle(() => reject(new TransportError('aborted', 'the request was given up')))
      const timer = setTimeout(() => {
        settle(() => reject(new TransportError('busy', `no connection to ${key} was free, of ${most} at a time`)))
      }, waitMs)
      signal?.addEventListener('abort', onAbort)
      host.waiting.add(one)
      if (signal?.aborted) onAbort()
      serve(key, host)
    })
  }

  return {
    of: (transport, client, endsAt) => async (request) => {
      const key = keyOf(request)
      if (key === null) return transport(request)
      const askedAt = performance.now()
      const giveBack = await open(key, client, Math.max(0, endsAt - askedAt), request.signal)
      try {
        const now = performance.now()
        if (now - askedAt < WAITED_MIN_MS) return await transport(request)
        request.onWaited?.(now - askedAt)
        return await transport({ ...request, timeoutMs: Math.max(1, Math.min(request.timeoutMs, endsAt - now)) })
      } finally {
        giveBack()
      }
    },
  }
}

/** Host and port; null for what is no URL, which the transport refuses. */
function keyOf({ url }: TransportRequest): string | null {
  const parsed = URL.parse(url)
  if (parsed === null) return null
  const port = parsed.port || (parsed.protocol === 'https:' ? '443' : '80')
  return `${parsed.hostname.replace(/\.$/, '')}:${port}`
}
