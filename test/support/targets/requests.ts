import { TransportError, type TransportRequest, type TransportResponse } from '#server/lace/transport.ts'

/** A plain GET with a budget of 20 s, or whatever `changes` make of it. */
export function get(url: string, changes: Partial<TransportRequest> = {}): TransportRequest {
  return {
    method: 'GET',
    url,
    headers: [],
    body: null,
    timeoutMs: 20_000,
    rejectInvalidCerts: true,
    signal: null,
    ...changes,
  }
}

/** The response or the `TransportError`; any other rejection is a fault of the client and thrown on. */
export async function outcomeOf(exchange: Promise<TransportResponse>): Promise<TransportResponse | TransportError> {
  try {
    return await exchange
  } catch (error) {
    if (error instanceof TransportError) return error
    throw error
  }
}
