import { v7 as uuidv7 } from 'uuid'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { openStore, registerStore, storeUrl } from '#server/body-store.ts'
import { enqueue, probeTask } from '#server/jobs.ts'
import { log } from '#server/log.ts'
import { parseNetworks } from '#server/network.ts'
import { runProgram, tellParent } from '#server/program.ts'
import { reachDatabase, requireSchema } from '#server/reach-database.ts'
import { SettingsError, settings } from '#server/settings.ts'
import { createVault } from '#server/vault.ts'
import { dispatchDue } from './dispatch.ts'
import { startLoop } from './loop.ts'
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
import { upkeep } from './tasks/upkeep.ts'

// `npm run worker`: dispatches schedules, runs probes of one agent, clears up. Any number of them share one database.

const DISPATCH_MS = 500

await runProgram(async (stops) => {
  const given = settings()
  if (!given.DATABASE_URL) throw new SettingsError('DATABASE_URL: must be set')
  if (!given.SECRET_KEYS) throw new SettingsError('SECRET_KEYS: must be set')

  await reachDatabase(given.DATABASE_URL)
  const db = openDatabase(given.DATABASE_URL, { name: 'soundline-worker', max: 10 })
  stops.defer(() => closeDatabase(db))
  await requireSchema(db)
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
    () => dispatcher.poke(),
  )
  const runner = await startRunner({
    databaseUrl: given.DATABASE_URL,
    concurrency: given.WORKER_CONCURRENCY,
    tasks: {
      [probeTask(agent.slug)]: prober.task,
      clear: (payload) => clear(db, given, payload),
      upkeep: () => upkeep(db, given),
      notify: (payload) => notify(db, given, payload),
      deliver: createDeliverer({ db, vault, allowedNetworks }),
      mail: createMailer(given),
    },
  })
  // Comes hourly by itself, and now, because this may be the first start in a long while.
  await enqueue(db, 'upkeep', {}, { key: 'upkeep' })
  const report = () => beat(db, { id: worker.id, agentId: agent.id, poolId: runner.poolId() })
  const pulse = createPulse(report, given.WORKER_STALE_SECONDS)
  await pulse.beat()
  stops.defer(() => leave(db, worker))

  const beatMs = Math.min(5_000, (given.WORKER_STALE_SECONDS * 1_000) / 6)
  const heart = startLoop('heartbeat', beatMs, async () => {
    await pulse.beat()
    await prober.renew()
  })
  stops.defer(heart.stop)
  stops.defer(runner.stop)

  const dispatcher = startLoop('dispatch', DISPATCH_MS, async () => {
    while ((await dispatchDue(db, recording, pulse.isSteady)) > 0);
    while ((await promoteWaiting(db)) > 0);
  })
  stops.defer(dispatcher.stop)
  const reaper = startLoop('reap', beatMs, async () => {
    await reapWorkers(db, given.WORKER_STALE_SECONDS, runner.unlock, pulse.isSteady)
    while ((await reapLeases(db, recording, pulse.isSteady)) > 0);
    await reapQueue(db, recording, pulse.isSteady)
  })
  stops.defer(reaper.stop)

  log.info({ agent: agent.slug, worker: worker.id, concurrency: given.WORKER_CONCURRENCY }, 'the worker is ready')
  tellParent({ type: 'ready' })
})
