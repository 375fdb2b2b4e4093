import { hostname } from 'node:os'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { createReadiness } from '#server/health/ready.ts'
import { serveWorkerHealth } from '#server/health/worker-health.ts'
import { createProcessMetrics } from '#server/observe/metrics/process-metrics.ts'
import { keepSnapshots } from '#server/observe/metrics/snapshots.ts'
import { warnOperator } from '#server/observe/system/warnings.ts'
import { checkDatabase, requireSchema } from '#server/process/check-database.ts'
import { connectionShare, limitPool } from '#server/process/connection-limits.ts'
import { SettingsError } from '#server/process/environment.ts'
import { log } from '#server/process/log.ts'
import type { Settings } from '#server/process/settings.ts'
import { heartbeatIntervalMs } from './liveness.ts'
import { workerLoops } from './loops.ts'
import { startWorker } from './worker.ts'

/**
 * Starts a worker, which disposing of `stops` drains and ends. Calls `fail` with a reason when it cannot go on.
 * @throws SettingsError, StartupError
 */
export async function runWorker(
  given: Settings,
  stops: AsyncDisposableStack,
  fail: (reason: string) => void,
): Promise<void> {
  const { DATABASE_URL, DATABASE_SESSION_URL: sessionUrl, SECRET_KEYS } = given
  if (!DATABASE_URL) throw new SettingsError('DATABASE_URL: must be set')
  if (!SECRET_KEYS) throw new SettingsError('SECRET_KEYS: must be set')

  const connectionLimit = await checkDatabase(DATABASE_URL, false, sessionUrl)
  const db = openDatabase(DATABASE_URL, {
    name: 'soundline-worker',
    max: given.DATABASE_POOL_MAX,
    sessionUrl,
  })
  const isLimited = limitPool(db, connectionShare(connectionLimit, 'worker'))
  stops.defer(() => closeDatabase(db))
  await requireSchema(db)
  if (isLimited) warnOperator(db, 'few_connections', hostname(), `the database allows ${connectionLimit} connections`)
  const heartbeatMs = heartbeatIntervalMs(given.WORKER_STALE_SECONDS)
  const heartbeat = openDatabase(DATABASE_URL, { name: 'soundline-heartbeat', max: 1, sessionUrl })
  stops.defer(() => closeDatabase(heartbeat))
  const loops = workerLoops(stops)
  const workerSettings = {
    ...given,
    DATABASE_URL,
    SECRET_KEYS,
    queueConnections: connectionShare(connectionLimit, 'queues'),
  }
  const worker = await startWorker({ db, heartbeat }, workerSettings, loops.triggers)
  stops.defer(worker.deregister)

  const own = createProcessMetrics('worker', { pools: { worker: db.$client.pool, heartbeat: heartbeat.$client.pool } })
  stops.defer(keepSnapshots(db, own))
  let aliveAt = performance.now()
  const beat = async () => {
    await worker.sendHeartbeat()
    aliveAt = performance.now()
    // Not while the database is away: the next process could not start either.
    const { aborted, reason } = worker.lostQueue
    if (!aborted) return
    warnOperator(db, 'queue_stalled', hostname(), reason)
    fail(`the job queue is lost, so the process ends: ${reason}`)
  }
  const isAlive = () => performance.now() - aliveAt < given.WORKER_STALE_SECONDS * 1_000
  const readiness = createReadiness(async () => (isAlive() ? null : 'database'))
  stops.defer(await serveWorkerHealth({ readiness, own, settings: given }))

  loops.start(worker, heartbeatMs, beat)
  stops.defer(readiness.stop)

  log.info({ agent: worker.agent.slug, worker: worker.id, permits: worker.permits }, 'the worker is ready')
}
