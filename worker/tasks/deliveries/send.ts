import type { Transport, TransportResponse } from '#server/lace/transport.ts'
import type { PresetRequest } from '#server/webhooks/presets/request.ts'

export const TIMEOUT_MS = 15_000

/** Sends one request of a webhook. `onStatus` is called as soon as the headers of the response are there. */
export function sendRequest(
  transport: Transport,
  { method, url, headers, body }: PresetRequest,
  signal: AbortSignal | null,
  onStatus: (status: number) => void = () => {},
): Promise<TransportResponse> {
  return transport({
    ...{ method, url, headers, signal, onStatus },
    body: Buffer.from(body),
    timeoutMs: TIMEOUT_MS,
    rejectInvalidCerts: true,
  })
}
