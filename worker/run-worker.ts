import { hostname } from 'node:os'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { createReadiness } from '#server/fronts/exposition/ready.ts'
import { serveWorkerHealth } from '#server/fronts/exposition/worker-health.ts'
import { createProcessMetrics } from '#server/observe/metrics/process-metrics.ts'
import { keepSnapshots } from '#server/observe/metrics/snapshots.ts'
import { warnOperator } from '#server/observe/system/warnings.ts'
import { checkDatabase, requireSchema } from '#server/process/check-database.ts'
import { connectionShare, limitPool } from '#server/process/connection-limits.ts'
import { SettingsError } from '#server/process/environment.ts'
import { log } from '#server/process/log.ts'
import type { Settings } from '#server/process/settings.ts'
import { heartbeatIntervalMs } from './liveness.ts'
import { type Loop, startLoop } from './loop.ts'
import { LOOK_INTERVAL_MS } from './runs/find-work.ts'
import { startWorker } from './worker.ts'

/** Loops that are triggered also tick by themselves: a tick that nothing asked for costs little at this interval. */
const UNTRIGGERED_INTERVAL_MS = 10_000

/**
 * Runs a worker until `stops` is disposed of. Calls `fail` with a reason when the worker cannot go on. @throws SettingsError,
 * StartupError
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
  let looking: Loop | null = null
  let dispatcher: Loop | null = null
  let picker: Loop | null = null
  let drafts: Loop | null = null
  const triggers = {
    look: () => looking?.trigger(),
    dispatch: () => dispatcher?.trigger(),
    pick: () => picker?.trigger(),
    pickDrafts: () => drafts?.trigger(),
  }
  const workerSettings = {
    ...given,
    DATABASE_URL,
    SECRET_KEYS,
    queueConnections: connectionShare(connectionLimit, 'queues'),
  }
  const worker = await startWorker({ db, heartbeat }, workerSettings, triggers)
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

  const heartbeatLoop = startLoop('heartbeat', heartbeatMs, beat)
  stops.defer(heartbeatLoop.stop)
  stops.defer(worker.drain)
  picker = startLoop('pick', UNTRIGGERED_INTERVAL_MS, worker.pick)
  stops.defer(picker.stop)
  drafts = startLoop('drafts', UNTRIGGERED_INTERVAL_MS, worker.pickDrafts)
  stops.defer(drafts.stop)
  dispatcher = startLoop('dispatch', UNTRIGGERED_INTERVAL_MS, worker.dispatch)
  stops.defer(dispatcher.stop)
  looking = startLoop('look', LOOK_INTERVAL_MS, worker.look)
  stops.defer(looking.stop)
  const reaper = startLoop('reap', heartbeatMs, worker.reap)
  stops.defer(reaper.stop)
  stops.defer(readiness.stop)

  log.info({ agent: worker.agent.slug, worker: worker.id, permits: worker.permits }, 'the worker is ready')
}
