import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { sql } from '#db/drizzle.cjs'
import type { Runtime } from '../context.ts'
import { unavailable } from '../errors.ts'
import { originOf } from '../http/own-host.ts'
import { errorBody, errorResponse, forMethod, jsonResponse, methodNotAllowed } from '../http/responses.ts'
import { log } from '../process/log.ts'

const DEADLINE_MS = 2_500

/** Serves `/api/health`: 200 `{"ok": true}` while this process reaches its database, else 503 `{"ok": false, …}`. */
export function createHealth({
  db,
  settings,
}: Pick<Runtime, 'db' | 'settings'>): (request: Request) => Promise<Response> {
  return async (request) => {
    const origin = originOf(request.headers.get('host'), settings)
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (!isReading) return errorResponse(methodNotAllowed('GET, HEAD'), origin)
    const ok = await withinRequestBounds(DEADLINE_MS, () => db.execute(sql`select 1`)).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'the database does not respond')
        return false
      },
    )
    return forMethod(request, ok ? jsonResponse(200, { ok }) : unhealthy(origin))
  }
}

function unhealthy(origin: string): Response {
  const error = unavailable()
  return jsonResponse(error.status, { ok: false, ...errorBody(error, origin) }, error.headers)
}
