import type { PresetRequest } from '#server/alerts/webhooks/presets/request.ts'
import { type Transport, TransportError, type TransportResponse } from '#server/language/lace/transport.ts'

export const TIMEOUT_MS = 15_000

/** Sends one request of a webhook. */
export async function sendRequest(
  transport: Transport,
  { method, url, headers, body }: PresetRequest,
  signal: AbortSignal | null,
): Promise<TransportResponse> {
  const target = URL.parse(url)
  if (target === null) throw new TransportError('protocol', 'the URL is not valid')
  return transport({
    ...{ method, url: target, headers, signal },
    body: Buffer.from(body),
    timeoutMs: TIMEOUT_MS,
    rejectInvalidCerts: true,
  })
}
