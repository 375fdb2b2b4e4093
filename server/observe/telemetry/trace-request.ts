import type { IncomingMessage, ServerResponse } from 'node:http'
import { currentTracing } from '../../process/tracing.ts'

const PATH_MAX = 256

/**
 * Serves a request in a span. `described` is its id, its path without the query, which may contain a secret, and the part
 * that serves it: the name of the span until the route is known.
 */
export function traceRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { requestId, path, kind }: { requestId: string; path: string; kind: string },
  serve: () => Promise<void>,
): Promise<void> {
  const tracing = currentTracing()
  if (!tracing) return serve()
  const method = incoming.method ?? 'GET'
  const attributes = {
    'http.request.method': method,
    'url.path': path.slice(0, PATH_MAX),
    'soundline.request.id': requestId,
  }
  const options = { kind: 'server', attributes, headers: incoming.headers } as const
  return tracing.span(`${method} ${kind}`, options, async (span) => {
    await serve()
    span.set({ 'http.response.status_code': outgoing.statusCode })
    if (outgoing.statusCode >= 500) span.fail(String(outgoing.statusCode))
  })
}
