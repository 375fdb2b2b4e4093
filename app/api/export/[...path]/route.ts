import { createDashboard, type Dashboard } from '#server/dashboard/serve.ts'
import { clientFromHeaders } from '#server/http/client-address.ts'
import { settings } from '#server/process/settings.ts'
import { processRuntime } from '#server/runtime.ts'

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

// Made when first called: a build has no database.
let dashboard: Dashboard | null = null

function handle(request: Request): Promise<Response> {
  dashboard ??= createDashboard(processRuntime())
  return dashboard(request, clientFromHeaders(request.headers, settings().TRUSTED_PROXY_HOPS))
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
