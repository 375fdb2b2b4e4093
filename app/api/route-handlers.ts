import type { Client } from '#server/http/client-address.ts'
import { server } from '../server.ts'

const { clientFromHeaders, processHandlers, processRuntime } = server

type Handle = (request: Request) => Promise<Response>

// The handlers that the route files export. `next build` loads them without a database, so each is created on its first
// request.

export const api = everyMethod((request) => processHandlers().api(request, clientOf(request)))
export const mcp = everyMethod((request) => processHandlers().mcp(request, clientOf(request)))
export const openApiDocument = everyMethod((request) => processHandlers().document(request, clientOf(request)))
export const health = everyMethod((request) => processHandlers().health(request))
export const dashboardApi = everyMethod((request) => processHandlers().dashboard(request, clientOf(request)))

/** Exports the handler for every method, because the handler itself refuses the methods that it does not support. */
function everyMethod(handle: Handle) {
  return { DELETE: handle, GET: handle, HEAD: handle, OPTIONS: handle, PATCH: handle, POST: handle, PUT: handle }
}

function clientOf(request: Request): Client {
  return clientFromHeaders(request.headers, processRuntime().settings.TRUSTED_PROXY_HOPS)
}
