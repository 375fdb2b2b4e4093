import { closeDatabase, openDatabase } from '#db/client.ts'
import { log } from '#server/log.ts'
import { runProgram, tellParent } from '#server/program.ts'
import { reachDatabase, requireSchema } from '#server/reach-database.ts'
import { SettingsError, settings } from '#server/settings.ts'
import { type Loop, startLoop } from './loop.ts'
import { startWorker } from './worker.ts'

// `npm run worker`: dispatches schedules, runs probes of one agent, clears up. Any number of them share one database.

const DISPATCH_MS = 500

await runProgram(async (stops) => {
  const given = settings()
  const { DATABASE_URL, SECRET_KEYS } = given
  if (!DATABASE_URL) throw new SettingsError('DATABASE_URL: must be set')
  if (!SECRET_KEYS) throw new SettingsError('SECRET_KEYS: must be set')

  await reachDatabase(DATABASE_URL)
  const db = openDatabase(DATABASE_URL, { name: 'soundline-worker', max: 10 })
  stops.defer(() => closeDatabase(db))
  await requireSchema(db)
  // Jobs are taken from the start on: the first may end before there is anyone to tell.
  let dispatcher: Loop | null = null
  const worker = await startWorker(db, { ...given, DATABASE_URL, SECRET_KEYS }, () => dispatcher?.poke())
  stops.defer(worker.leave)

  const beatMs = Math.min(5_000, (given.WORKER_STALE_SECONDS * 1_000) / 6)
  const heart = startLoop('heartbeat', beatMs, worker.beat)
  stops.defer(heart.stop)
  stops.defer(worker.finish)
  dispatcher = startLoop('dispatch', DISPATCH_MS, worker.dispatch)
  stops.defer(dispatcher.stop)
  const reaper = startLoop('reap', beatMs, worker.reap)
  stops.defer(reaper.stop)

  log.info(
    { agent: worker.agent.slug, worker: worker.id, concurrency: given.WORKER_CONCURRENCY },
    'the worker is ready',
  )
  tellParent({ type: 'ready' })
})
