import { availableParallelism } from 'node:os'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { openStore, registerStore, storeUrl, withoutCredentials } from '#server/bodies/store.ts'
import { storeOnce } from '#server/bodies/store-once.ts'
import { slowAwareQueue } from '#server/fairness/fair-queue.ts'
import { maxLargeBodies } from '#server/fairness/large-bodies.ts'
import { createAnnouncer } from '#server/live/announce.ts'
import { measureDatabaseClock, observeDatabaseTime } from '#server/observe/system/database-clock.ts'
import { log } from '#server/process/log.ts'
import { createRunLoader } from '#server/runs/probes/run-loader.ts'
import { createRecordWriter } from '#server/runs/record/writer.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { findOrCreateAgent, type LastTaken, removeWorker, sendHeartbeat, unlockJobs } from './heartbeat.ts'
import { readAuthorities } from './http/authorities.ts'
import { createTransport } from './http/client.ts'
import { shareTransport } from './http/shared-transport.ts'
import { createLiveness } from './liveness.ts'
import { createProcessMeter } from './process-load.ts'
import { startQueues, type WorkerSettings } from './queues.ts'
import { admit, createLoadMeter, permitsFor } from './runs/admission.ts'
import { dispatchDue, nextDueInMs } from './runs/dispatch.ts'
import { createDraftRunner } from './runs/drafts.ts'
import { findWork } from './runs/find-work.ts'
import { createPicker } from './runs/picker.ts'
import { createProber } from './runs/prober.ts'
import { promoteWaiting } from './runs/promote.ts'
import { reapLeases, reapQueue, reapWorkers } from './runs/reap.ts'
import { findReapable } from './runs/reap-statements.ts'

/**
 * A worker. It takes jobs as soon as they are due. Everything else happens in ticks that the caller starts; each one
 * does what is due by the database's clock, which all workers share.
 */
export type Worker = {
  id: string
  agent: { id: string; slug: string }
  /** The most runs that it executes at the same time. */
  permits: number
  /** Sends a heartbeat, and renews the leases of its runs. */
  sendHeartbeat: () => Promise<void>
  /**
   * Queues runs of due services, and waiting runs whose service no longer has a run in flight. Returns when the next service
   * gets due, in milliseconds from now; null for none. `look` finds those that were left.
   */
  dispatch: () => Promise<number | null>
  /** Looks for work, and triggers the loops that have some. */
  look: () => Promise<void>
  /** Starts queued runs of the agent while permits are free. */
  pick: () => Promise<void>
  /** Starts queued draft runs of the agent. */
  pickDrafts: () => Promise<void>
  /** Queues the jobs and runs of dead workers again, and moves or skips runs that no worker takes. */
  reap: () => Promise<void>
  /** Aborts with a text when a job queue takes no more jobs, for ever. */
  lostQueue: AbortSignal
  /** Takes no more jobs. Resolves when the jobs and runs in flight have ended. */
  drain: () => Promise<void>
  /** Removes its heartbeat, so that other workers know that it stopped. */
  deregister: () => Promise<void>
}

/** Starts the next tick of a loop early. */
export type LoopTriggers = {
  /** Called when a run has ended, so that its service's waiting run can be queued. */
  look: () => void
  /** Called when a schedule is due, and when a waiting run may be queued. */
  dispatch: () => void
  /** Called when there may be a run to start. */
  pick: () => void
  /** Called when a draft run is queued. */
  pickDrafts: () => void
}

/** The share of the memory free at the start that the process may use before it takes fewer runs. */
const MEMORY_SHARE = 0.75

/**
 * Creates a worker of the agent `AGENT_SLUG` and starts its job queue; the caller runs its ticks. Heartbeats have a
 * connection of their own, `heartbeat`, so that a worker whose other connections are busy is not taken for dead.
 */
export async function startWorker(
  { db, heartbeat }: { db: Db; heartbeat: Db },
  settings: WorkerSettings,
  triggers: LoopTriggers,
): Promise<Worker> {
  await measureDatabaseClock(db)
  const agent = await findOrCreateAgent(db, settings.AGENT_SLUG)
  const url = storeUrl(settings)
  const store = openStore(url)
  const bodies = { ...(await registerStore(db, url)), store: storeOnce(store) }
  log.info({ store: bodies.id, url: withoutCredentials(url) }, 'response bodies go to this store')
  // Not awaited: the first call may look at very many files.
  store.protect().catch((error) => {
    log.warn({ err: error, store: bodies.id }, 'the body store may be open to other users of this machine')
  })

  // A lease lasts as long as a heartbeat counts.
  const worker = { id: uuidv7(), agentId: agent.id, agentSlug: agent.slug, leaseSeconds: settings.WORKER_STALE_SECONDS }
  const vault = createVault(settings.SECRET_KEYS)
  const allowedNetworks = parseNetworks(settings.PROBE_ALLOWED_NETWORKS)
  const ca = readAuthorities(settings.PROBE_CA_FILE)
  const announcer = createAnnouncer(db)
  const recordOptions = {
    variablesMax: settings.VARIABLES_PER_SCOPE_MAX,
    announcer,
    metricsPerService: settings.METRICS_PER_SERVICE,
  }
  const memoryBytes = process.availableMemory()
  const executing = {
    db,
    vault,
    transportOf: shareTransport(createTransport({ allowedNetworks, ca }), maxLargeBodies(memoryBytes)),
    runTimeoutMs: settings.PROBE_RUN_TIMEOUT * 1_000,
    trust: settings,
  }
  const prober = createProber(
    db,
    worker,
    { ...executing, bodies, load: createRunLoader(db, vault, settings) },
    createRecordWriter(db, recordOptions),
    triggers.look,
  )
  const drafts = createDraftRunner(db, worker, executing)
  const rssMaxBytes = process.memoryUsage.rss() + memoryBytes * MEMORY_SHARE
  const permits = slowAwareQueue(
    permitsFor({ cores: availableParallelism(), memoryBytes }, settings.WORKER_CONCURRENCY),
  )
  const measureLoad = createLoadMeter()
  let lastTaken: LastTaken | null = null
  const onTaken = (task: string) => {
    lastTaken = { task, at: performance.now() }
  }
  const picker = createPicker({
    db,
    worker,
    permits,
    admit: () => admit(measureLoad(), rssMaxBytes, permits),
    perform: (run) => {
      onTaken('probe')
      return prober.perform(run)
    },
    onDropped: triggers.dispatch,
    onPermitFree: triggers.pick,
  })
  const meter = createProcessMeter()
  const storeHeartbeat = async () => {
    const sentAt = performance.now()
    const at = await sendHeartbeat(heartbeat, {
      load: { slots: permits.size, busy: permits.held, ...meter.measure() },
      id: worker.id,
      agentId: agent.id,
      poolIds: poolIds(),
      lastTaken,
    })
    observeDatabaseTime(db, at, sentAt)
    return at
  }
  const liveness = createLiveness(storeHeartbeat, settings.WORKER_STALE_SECONDS)
  const queues = await startQueues({
    ...{ db, settings, vault, announcer, allowedNetworks, ca, onTaken },
    canTrustSilence: liveness.canTrustSilence,
  })
  const poolIds = () => queues.map(({ poolId }) => poolId)
  // Cron enqueues these too, but this may be the first start in a long time.
  await enqueue(db, 'upkeep', {}, { key: 'upkeep' })
  await liveness.sendHeartbeat()

  return {
    id: worker.id,
    agent,
    permits: permits.size,
    async sendHeartbeat() {
      await liveness.sendHeartbeat()
      await prober.renewLeases(heartbeat)
    },
    async dispatch() {
      await dispatchDue(db, recordOptions, liveness.canTrustHeartbeats)
      while ((await promoteWaiting(db)) > 0);
      triggers.pick()
      return nextDueInMs(db)
    },
    async look() {
      const { hasRuns, hasDrafts, isDispatchDue } = await findWork(db, agent.id)
      if (isDispatchDue) triggers.dispatch()
      // A claim without a response may be committed late, and then no queued run shows it.
      if (hasRuns || picker.hasUnconfirmed()) triggers.pick()
      if (hasDrafts) triggers.pickDrafts()
    },
    pick: picker.pick,
    pickDrafts: drafts.pick,
    async reap() {
      const unlock = (poolIds: string[]) => unlockJobs(db, poolIds)
      const { hasDead, hasExpired, hasQueued } = await findReapable(db, settings.WORKER_STALE_SECONDS)
      if (hasDead) await reapWorkers(db, settings.WORKER_STALE_SECONDS, unlock, liveness.canTrustHeartbeats)
      while (hasExpired && (await reapLeases(db, recordOptions, liveness.canTrustHeartbeats)) > 0);
      if (hasQueued) await reapQueue(db, recordOptions, liveness.canTrustHeartbeats)
    },
    lostQueue: AbortSignal.any(queues.map(({ lost }) => lost)),
    async drain() {
      await Promise.all([...queues.map(({ stop }) => stop()), prober.drain(), picker.drain(), drafts.drain()])
      await announcer.close()
      meter.stop()
    },
    deregister: () => removeWorker(db, worker.id, poolIds()),
  }
}
