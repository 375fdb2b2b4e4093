import { sql } from 'drizzle-orm'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import type { Runtime } from '../context.ts'
import { ApiError } from '../errors.ts'
import { log } from '../process/log.ts'
import { errorReply, jsonReply, toResponse } from './reply.ts'

const DEADLINE_MS = 2_500

/** Serves `/api/health`: 200 `{"ok": true}` while this process reaches its database, else 503 `{"ok": false}`. */
export function createHealth({ db }: Pick<Runtime, 'db'>): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return toResponse(errorReply(new ApiError('method_not_allowed', undefined, { Allow: 'GET, HEAD' })), false)
    }
    const ok = await withinRequestBounds('health', DEADLINE_MS, () => db.execute(sql`select 1`), true).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'the database does not respond')
        return false
      },
    )
    return toResponse(jsonReply(ok ? 200 : 503, { ok }), request.method === 'HEAD')
  }
}
