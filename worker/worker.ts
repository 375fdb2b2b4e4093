import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { openStore, registerStore, storeUrl } from '#server/body-store.ts'
import { enqueue, probeTask } from '#server/jobs.ts'
import { parseNetworks } from '#server/network.ts'
import type { Settings } from '#server/settings.ts'
import { createVault } from '#server/vault.ts'
import { dispatchDue } from './dispatch.ts'
import { beat, findOrMakeAgent, leave } from './presence.ts'
import { createTransport } from './probe/http-client.ts'
import { createRecordWriter } from './probe/record-writer.ts'
import { promoteWaiting } from './promote.ts'
import { createPulse } from './pulse.ts'
import { reapLeases, reapQueue, reapWorkers } from './reap.ts'
import { startRunner } from './runner.ts'
import { clear } from './tasks/clear.ts'
import { createDeliverer } from './tasks/deliver.ts'
import { createMailer } from './tasks/mail.ts'
import { notify } from './tasks/notify.ts'
import { createProber } from './tasks/probe.ts'
import { recent } from './tasks/recent.ts'
import { upkeep } from './tasks/upkeep.ts'

/** What a worker cannot do without. */
export type WorkerSettings = Settings & {
  DATABASE_URL: NonNullable<Settings['DATABASE_URL']>
  SECRET_KEYS: NonNullable<Settings['SECRET_KEYS']>
}

/**
 * A worker that takes jobs as they come. The rest of its work is done in turns, each of which does what is due by the
 * database's clock, the one that all workers share. Whoever holds the worker says when a turn is had.
 */
export type Worker = {
  id: string
  agent: { id: string; slug: string }
  /** Tells the others that it lives, and keeps the runs it has in hand. */
  beat: () => Promise<void>
  /** Queues the runs that are due, and those that waited for another to end. */
  dispatch: () => Promise<void>
  /** Takes up what dead workers held, and looks after runs that nobody takes. */
  reap: () => Promise<void>
  /** Takes no more jobs, and resolves when those in hand have ended. */
  finish: () => Promise<void>
  /** Tells the others that it lives no more. */
  leave: () => Promise<void>
}

/** Starts a worker of the agent `AGENT_SLUG`. `onRoom` is told when a service may have room for its waiting run. */
export async function startWorker(db: Db, given: WorkerSettings, onRoom: () => void): Promise<Worker> {
  const agent = await findOrMakeAgent(db, given.AGENT_SLUG)
  const url = storeUrl(given)
  const bodies = { ...(await registerStore(db, url)), store: openStore(url) }

  const worker = { id: uuidv7(), agentId: agent.id, agentSlug: agent.slug, leaseSeconds: given.WORKER_STALE_SECONDS }
  const vault = createVault(given.SECRET_KEYS)
  const allowedNetworks = parseNetworks(given.PROBE_ALLOWED_NETWORKS)
  const recording = { variablesMax: given.VARIABLES_PER_SCOPE_MAX }
  const prober = createProber(
    db,
    worker,
    {
      db,
      vault,
      transport: createTransport({ allowedNetworks }),
      bodies,
      runTimeoutMs: given.PROBE_RUN_TIMEOUT * 1_000,
      trust: given,
    },
    createRecordWriter(db, recording),
    onRoom,
  )
  const runner = await startRunner({
    databaseUrl: given.DATABASE_URL,
    concurrency: given.WORKER_CONCURRENCY,
    tasks: {
      [probeTask(agent.slug)]: prober.task,
      clear: (payload) => clear(db, given, payload),
      recent: () => recent(db),
      upkeep: () => upkeep(db, given),
      notify: (payload) => notify(db, given, payload),
      deliver: createDeliverer({ db, vault, allowedNetworks }),
      mail: createMailer(given),
    },
  })
  // Comes hourly by itself, and now, because this may be the first start in a long while.
  await enqueue(db, 'upkeep', {}, { key: 'upkeep' })
  await enqueue(db, 'recent', {}, { key: 'recent' })
  const report = () => beat(db, { id: worker.id, agentId: agent.id, poolId: runner.poolId() })
  const pulse = createPulse(report, given.WORKER_STALE_SECONDS)
  await pulse.beat()

  return {
    id: worker.id,
    agent,
    async beat() {
      await pulse.beat()
      await prober.renew()
    },
    async dispatch() {
      while ((await dispatchDue(db, recording, pulse.isSteady)) > 0);
      while ((await promoteWaiting(db)) > 0);
    },
    async reap() {
      await reapWorkers(db, given.WORKER_STALE_SECONDS, runner.unlock, pulse.isSteady)
      while ((await reapLeases(db, recording, pulse.isSteady)) > 0);
      await reapQueue(db, recording, pulse.isSteady)
    },
    finish: runner.stop,
    leave: () => leave(db, worker),
  }
}
