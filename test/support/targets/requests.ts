import { TransportError, type TransportRequest, type TransportResponse } from '#server/language/lace/transport.ts'

/** Returns a GET request with a timeout of 20 s; `changes` override its fields. */
export function get(url: string | URL, changes: Partial<TransportRequest> = {}): TransportRequest {
  return {
    method: 'GET',
    url: new URL(url),
    headers: [],
    body: null,
    timeoutMs: 20_000,
    rejectInvalidCerts: true,
    signal: null,
    ...changes,
  }
}

/** Returns the response or the `TransportError`. Any other rejection is a bug of the client, and is thrown. */
export async function outcomeOf(exchange: Promise<TransportResponse>): Promise<TransportResponse | TransportError> {
  try {
    return await exchange
  } catch (error) {
    if (error instanceof TransportError) return error
    throw error
  }
}
