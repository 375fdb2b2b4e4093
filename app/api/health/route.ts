import { processHandlers } from '#server/handlers.ts'

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

function handle(request: Request): Promise<Response> {
  return processHandlers().health(request)
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
