import { createServer, type RequestListener, type Server } from 'node:http'
import { toNodeHandler } from 'srvx/node'
import { ApiError, toApiError } from '../errors.ts'
import { originOf } from '../http/own-host.ts'
import { errorResponse, forMethod, requireReading } from '../http/responses.ts'
import type { ProcessMetrics } from '../observe/metrics/process-metrics.ts'
import { listen } from '../process/listen.ts'
import { log } from '../process/log.ts'
import type { Settings } from '../process/settings.ts'
import type { Readiness } from './ready.ts'
import { requireMetricsToken, scrapeResponse } from './scrape.ts'

export type WorkerHealth = {
  readiness: Readiness
  own: ProcessMetrics
  settings: Pick<Settings, 'METRICS_TOKEN' | 'BASE_URL' | 'WORKER_HEALTH_PORT' | 'HOST'>
}

/**
 * Serves `WORKER_HEALTH_PORT`, if it is set: `/health` says that the process responds, `/ready` that it takes work, and
 * `/metrics` has the values of this process, for the holder of `METRICS_TOKEN`. Returns a function that stops it.
 * @throws StartupError when the port is in use
 */
export async function serveWorkerHealth(options: WorkerHealth): Promise<() => void> {
  const { WORKER_HEALTH_PORT: port, HOST: host } = options.settings
  if (port === undefined) return () => {}
  const server = createWorkerHealth(options)
  const listening = await listen(server, port, host, 'WORKER_HEALTH_PORT')
  log.info({ port: listening }, 'the worker serves its health')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

/** Creates the HTTP server of a worker's health. */
export function createWorkerHealth({ readiness, own, settings }: WorkerHealth): Server {
  const origin = originOf(null, settings)
  const serve = toNodeHandler(async (request) => {
    const responded = respond({ readiness, own, settings }, request)
    return forMethod(request, await responded.catch((error) => errorResponse(toApiError(error), origin)))
  })
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, serve as RequestListener)
  server.maxConnections = 50
  return server
}

async function respond({ readiness, own, settings }: WorkerHealth, request: Request): Promise<Response> {
  requireReading(request)
  switch (new URL(request.url).pathname) {
    case '/health':
      return Response.json({ ok: true })
    case '/ready':
      return readiness.serve(request)
    case '/metrics':
      requireMetricsToken(request, settings.METRICS_TOKEN)
      return scrapeResponse(request, await own.read())
    default:
      throw new ApiError('not_found')
  }
}
