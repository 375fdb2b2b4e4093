import { afterAll, beforeAll } from 'vitest'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { parseSettings } from '#server/process/settings.ts'
import { heartbeatIntervalMs } from '#worker/liveness.ts'
import { workerLoops } from '#worker/loops.ts'
import { startWorker, type WorkerSettings } from '#worker/worker.ts'
import { testFolder } from '../folder.ts'
import { TEST_SECRET_KEYS } from '../runs/worker-processes.ts'

/**
 * Runs a worker in the process of the test file, from its first test to its last. It is the worker of `npm run worker`,
 * of which a process costs two seconds of CPU time more. It may probe loopback.
 */
export function testWorker(databaseUrl: string) {
  const folder = testFolder()
  let stops: AsyncDisposableStack | null = null
  const worker = {
    async start(): Promise<void> {
      const own = new AsyncDisposableStack()
      stops = own
      const settings = parseSettings({
        DATABASE_URL: databaseUrl,
        SECRET_KEYS: TEST_SECRET_KEYS,
        DATA_DIR: folder,
        PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
        SCHEDULE_SPREAD_SECONDS: '0',
      }) as WorkerSettings
      const open = (name: string, max: number) => {
        const db = openDatabase(databaseUrl, { name, max })
        own.defer(() => closeDatabase(db))
        return db
      }
      const connections = { db: open('soundline-worker', 4), heartbeat: open('soundline-heartbeat', 1) }
      const loops = workerLoops(own)
      const started = await startWorker(connections, settings, loops.triggers)
      own.defer(started.deregister)
      loops.start(started, heartbeatIntervalMs(settings.WORKER_STALE_SECONDS), started.sendHeartbeat)
    },
    /** Ends it as SIGTERM does. */
    async stop(): Promise<void> {
      await stops?.disposeAsync()
      stops = null
    },
  }
  beforeAll(worker.start)
  afterAll(worker.stop)
  return worker
}
