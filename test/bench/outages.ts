import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { migrateDatabase } from '#db/migrate.ts'
import { createProbedService, type ProbedService, requestRunOf } from '#test/support/runs/probed.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'
import { stopChild } from './child-process.ts'
import type { Report } from './frame/report.ts'
import type { BenchOptions } from './main.ts'
import { FAULTS, type Fault, startFaultyDatabase } from './programs/outage-kinds.ts'

const SERVICES = 60
const ASK_EVERY_MS = 50
/** Time for the worker after the fault to probe again and to finish requested runs. */
const RECOVERY_LIMIT_MS = 150_000
const SHORT_OUTAGES = [['stop', 75]] as const
const CAMPAIGN_SECONDS = [15, 40, 60, 90, 240, 600]
const CAMPAIGN_TIMES = 5

/**
 * Causes outages of the database under load. Prints per outage: acknowledged runs, those that never got a result, the
 * time from recovery of the database to the first probe, and how often the worker ended. `--large` causes every fault
 * for 15 s to 10 min, five times each, and takes a night; `--case stop:90` causes one.
 */
export async function run({ large, cases }: BenchOptions, report: Report): Promise<void> {
  let allLost = 0
  // When a connection breaks, the driver may throw outside of any promise (porsager/postgres#1208).
  process.on('uncaughtException', () => {})
  const outages: (readonly [Fault, number])[] =
    cases.length > 0 ? cases.map(parse) : large ? campaign() : [...SHORT_OUTAGES]
  console.log('fault       seconds  acknowledged  without a result  first probe  all settled  worker ended')
  for (const [fault, seconds] of outages) {
    const { acknowledged, lost, probeMs, settledMs, ends } = await measureOutage(fault, seconds)
    allLost += lost
    console.log(
      [
        fault.padEnd(11),
        String(seconds).padStart(7),
        String(acknowledged).padStart(13),
        String(lost).padStart(17),
        format(probeMs).padStart(12),
        format(settledMs).padStart(12),
        String(ends).padStart(13),
      ].join(' '),
    )
  }
  report.add({ name: 'acknowledged runs without a result', value: allLost, unit: 'runs', goal: { atMost: 0 } })
}

function parse(text: string): [Fault, number] {
  const [fault, seconds] = text.split(':')
  if (!FAULTS.includes(fault as Fault)) throw new Error(`Unknown fault ${fault}; the faults are ${FAULTS.join(', ')}`)
  return [fault as Fault, Number(seconds ?? 60)]
}

function campaign(): [Fault, number][] {
  return FAULTS.flatMap((fault) =>
    CAMPAIGN_SECONDS.flatMap((seconds) =>
      Array.from({ length: CAMPAIGN_TIMES }, (): [Fault, number] => [fault, seconds]),
    ),
  )
}

type OutageOutcome = {
  acknowledged: number
  lost: number
  probeMs: number | null
  settledMs: number | null
  ends: number
}

async function measureOutage(fault: Fault, seconds: number): Promise<OutageOutcome> {
  const faulty = await startFaultyDatabase()
  await migrateDatabase(faulty.url)
  let db = openDatabase(faulty.url, { max: 4, name: 'soundline-bench' })
  let lastProbeAt = 0
  const probed: (() => void)[] = []
  const target = await startHttpTarget((_request, response) => {
    lastProbeAt = performance.now()
    for (const resolve of probed.splice(0)) resolve()
    setTimeout(() => response.end('fine'), 200 + Math.random() * 4_000)
  })
  const worker = await keepWorker(faulty.urlFor(fault))
  try {
    const services: ProbedService[] = []
    for (let i = 0; i < SERVICES; i++) {
      const script = `get("http://127.0.0.1:${target.port}/").expect(status: 200)`
      services.push(await createProbedService(db, script, { schedule: '* * * * *' }))
    }
    const load = startLoad(db, services)
    await sleep(10_000)
    await faulty.causeOutage(fault, seconds)
    const backAt = performance.now()
    const first = await Promise.race([
      new Promise<number>((resolve) => probed.push(() => resolve(lastProbeAt - backAt))),
      sleep(RECOVERY_LIMIT_MS, null, { ref: false }),
    ])
    await sleep(10_000)
    await load.stop()
    // The outage may have broken the benchmark's own pool too.
    await closeDatabase(db)
    db = openDatabase(faulty.url, { max: 4, name: 'soundline-bench' })
    const settled = await settle(db, backAt)
    // A result does not name its run, but each run has one result.
    const [counted] = await db.execute<{ acknowledged: number; lost: number }>(sql`
      select count(*) filter (where cause = 'request')::int as acknowledged,
        (count(*) filter (where cause = 'request' or state = 'done') - (select count(*) from results))::int as lost
      from runs`)
    return {
      acknowledged: counted?.acknowledged ?? 0,
      lost: counted?.lost ?? 0,
      probeMs: first,
      settledMs: settled,
      ends: worker.ends(),
    }
  } finally {
    await worker.stop()
    await closeDatabase(db)
    await target.close()
    await faulty.close()
  }
}

/** Requests runs continuously. A request that the database refuses is not acknowledged. */
function startLoad(db: Db, services: ProbedService[]): { stop: () => Promise<void> } {
  let going = true
  let next = 0
  const loop = async () => {
    while (going) {
      const service = services[next++ % services.length] as ProbedService
      await requestRunOf(db, service).catch(() => {})
      await sleep(ASK_EVERY_MS)
    }
  }
  const ended = loop()
  return {
    stop: () => {
      going = false
      return ended
    },
  }
}

/** Waits until no requested run is open. Returns the time since the database was back, or null. */
async function settle(db: Db, backAt: number): Promise<number | null> {
  while (performance.now() - backAt < RECOVERY_LIMIT_MS) {
    const [row] = await db.execute<{ open: number }>(
      sql`select count(*)::int as open from runs where cause = 'request' and state <> 'done'`,
    )
    if (row?.open === 0) return performance.now() - backAt
    await sleep(250)
  }
  return null
}

/** Starts a worker, and restarts it whenever it ends, like a process supervisor. */
async function keepWorker(databaseUrl: string): Promise<{ ends: () => number; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'soundline-outages-worker-'))
  let stopping = false
  let ends = 0
  let child: ChildProcess
  const start = () => {
    child = fork(new URL('../../worker/main.ts', import.meta.url), [], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        NODE_ENV: 'production',
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        SECRET_KEYS: `bench:${'0123456789abcdef'.repeat(4)}`,
        DATA_DIR: folder,
        PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
        SCHEDULE_SPREAD_SECONDS: '0',
        LOG_LEVEL: process.env.LOG_LEVEL,
      },
    })
    child.once('exit', async () => {
      if (stopping) return
      ends++
      await sleep(1_000)
      if (!stopping) start()
    })
  }
  start()
  await new Promise((resolve) => child.once('message', resolve))
  return {
    ends: () => ends,
    async stop() {
      stopping = true
      await stopChild(child, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function format(ms: number | null): string {
  return ms === null ? 'never' : `${(ms / 1_000).toFixed(1)} s`
}
