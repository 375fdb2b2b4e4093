import { handedOnClient } from '#server/client-address.ts'
import { createDashboard, type Dashboard } from '#server/dashboard.ts'
import { processServices } from '#server/process.ts'
import { settings } from '#server/settings.ts'

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

// Made when first called: a build has no database.
let dashboard: Dashboard | null = null

function handle(request: Request): Promise<Response> {
  dashboard ??= createDashboard(processServices())
  return dashboard(request, handedOnClient(request.headers, settings().TRUSTED_PROXY_HOPS))
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
