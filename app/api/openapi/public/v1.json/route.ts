import { processHandlers } from '#server/handlers.ts'
import { clientFromHeaders } from '#server/http/client-address.ts'
import { processRuntime } from '#server/runtime.ts'

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

function handle(request: Request): Promise<Response> {
  const { settings } = processRuntime()
  return processHandlers().document(request, clientFromHeaders(request.headers, settings.TRUSTED_PROXY_HOPS))
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
