import type { Db } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { schemaState } from '#db/migrate.ts'
import { requireReading } from '../http/responses.ts'
import { log } from '../process/log.ts'

const CHECK_MS = 2_500
/** Checks within this time share a result: load balancers ask often, and each check reads the list of migrations. */
const SHARED_MS = 1_000
/** No other statement shows that the disk has room again: one that changes a row may need none. */
const DISK_FAILURE_MS = 30_000

export type Readiness = {
  /** Serves `/api/ready`: 200 `{"ready": true}`, else 503 with the reason. @throws ApiError `method_not_allowed` */
  serve: (request: Request) => Promise<Response>
  /** From now on the process is not ready, because it stops. */
  stop: () => void
}

/** Returns why a process should get no requests; null when it should. */
export type ReadyCheck = () => Promise<string | null>

export function createReadiness(check: ReadyCheck): Readiness {
  let isStopping = false
  return {
    async serve(request) {
      requireReading(request)
      const reason = isStopping ? 'stopping' : await check()
      const body = reason === null ? { ready: true } : { ready: false, reason }
      const headers = {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        ...(reason !== null && { 'Retry-After': '2' }),
      }
      const text = request.method === 'HEAD' ? null : JSON.stringify(body)
      return new Response(text, { status: reason === null ? 200 : 503, headers })
    },
    stop() {
      isStopping = true
    },
  }
}

/**
 * Checks that the database responds, has the schema of this version, and that its disk failed none of the statements of
 * this process within 30 s.
 */
export function createDatabaseCheck(db: Db): ReadyCheck {
  const check = async () => {
    try {
      const state = await withinRequestBounds(CHECK_MS, () => schemaState(db))
      // The database of a newer release still serves this one: releases are replaced one process after another.
      return state === 'older' ? 'schema' : null
    } catch (error) {
      log.warn({ err: error }, 'not ready: the database does not respond')
      return 'database'
    }
  }
  let shared: { at: number; result: Promise<string | null> } | null = null
  return async () => {
    if (!shared || performance.now() - shared.at >= SHARED_MS) shared = { at: performance.now(), result: check() }
    const reason = await shared.result
    return reason ?? (performance.now() - db.$client.pool.diskFailedAt < DISK_FAILURE_MS ? 'disk' : null)
  }
}
