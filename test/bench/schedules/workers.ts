import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { makeCertificate } from '#test/support/certificates.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'
import { startChild, stopChild, waitForPort } from '../child-process.ts'
import { withDatabase } from '../database.ts'
import { measureHere, percentile } from '../frame/alternate.ts'
import { cpuSecondsOf } from '../frame/cpu-time.ts'
import type { Report } from '../frame/report.ts'
import { bareRequest } from '../probes/bare-requests.ts'
import { inParallel } from '../probes/peers.ts'
import { startProbeTarget } from '../probes/probe-target.ts'
import { latenessOf } from './lateness.ts'
import { createServices, MINUTE_MS, newProject, nextMinute, runEveryMinute } from './services.ts'

const SERVICES = 10_000
/** A worker opens only so many connections to one host. */
const HOSTS = 16
/** The first runs compile the code and fill the caches. */
const WARM_UP_MS = 30_000
const MEASURED_MS = 60_000
const [BARE_REQUESTS, BARE_AT_ONCE] = [2_000, 16]

/** Measures one worker process with 10,000 services that run every minute, against targets that take 50 ms. */
export async function measureBusyWorker(report: Report): Promise<void> {
  const target = await startProbeTarget(await makeCertificate('valid'))
  try {
    await withDatabase(async (db, url) => {
      const urlOf = (i: number) => `http://127.0.0.${1 + (i % HOSTS)}:${target.plain}/after/50`
      const services = await createServices(db, await newProject(db), SERVICES, urlOf)
      await runEveryMinute(db, services, nextMinute(0), 60)
      await withWorker(url, {}, async (pid) => {
        await sleep(nextMinute(0) + WARM_UP_MS - Date.now())
        const [cpuBefore, before, startedAt] = [await cpuSecondsOf(pid), await countStored(db), performance.now()]
        await sleep(MEASURED_MS)
        const stored = (await countStored(db)) - before
        const perMinute = (stored * MINUTE_MS) / (performance.now() - startedAt)
        const cpuMicros = (((await cpuSecondsOf(pid)) - cpuBefore) / stored) * 1e6
        const bare = await measureHere(async () => {
          const options = { host: '127.0.0.1', port: target.plain, path: '/after/50' }
          await inParallel(BARE_REQUESTS, BARE_AT_ONCE, () => bareRequest('http', options))
          return BARE_REQUESTS
        })
        const bareMicros = (bare.cpuSeconds / bare.count) * 1e6
        report.add({
          name: `runs a minute of one worker with ${SERVICES} services`,
          value: perMinute,
          unit: 'runs',
          // What is stored lies some runs behind what was due.
          bound: { atLeast: SERVICES * 0.98 },
          cpuMicros: { own: cpuMicros, peer: bareMicros },
          note: '50 ms targets; the peer is a bare request',
        })
      })
    })
  } finally {
    await target.stop()
  }
}

async function countStored(db: Db): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from results where status = 'success'`,
  )
  return row?.count ?? 0
}

/** With `isApart`, the good services have an organization of their own. A hanging target accepts and never responds. */
type Scenario = { name: string; good: number; hanging: number; isApart?: boolean; atMost?: number; permits?: string }

const SCENARIOS: Scenario[] = [
  { name: '100 good services alone', good: 100, hanging: 0 },
  { name: '100 good services with 100 hanging ones', good: 100, hanging: 100, atMost: 2 },
  { name: '10 good services of another organization', good: 10, hanging: 25, isApart: true, atMost: 5, permits: '10' },
]
const MINUTES = 2
const SPREAD_SECONDS = 20
/** For the start of the workers before services are due. */
const START_MS = 15_000

/**
 * Measures what hanging targets cost other services, on one worker process for each scenario. The scenarios run side by
 * side: each is idle nearly all of the time. The first one is the floor.
 */
export async function measureHanging(report: Report): Promise<void> {
  const good = await startHttpTarget((_request, response) => response.end('ok'))
  const hanging = await startHttpTarget(() => {})
  const measure = (scenario: Scenario) =>
    withDatabase(async (db, url) => {
      const project = await newProject(db)
      const other = scenario.isApart ? await newProject(db) : project
      const bad = await createServices(db, project, scenario.hanging, () => hanging.url)
      const services = await createServices(db, other, scenario.good, () => good.url)
      const begin = nextMinute(START_MS)
      await runEveryMinute(db, [...bad, ...services], begin, SPREAD_SECONDS)
      const environment: Record<string, string> = scenario.permits ? { WORKER_CONCURRENCY: scenario.permits } : {}
      const end = begin + MINUTES * MINUTE_MS
      await withWorker(url, environment, () => sleep(end - Date.now()))
      const late = await latenessOf(db, services, begin, end)
      const due = scenario.good * MINUTES
      report.add({
        name: `lateness of ${scenario.name}, p95`,
        // A run that did not take place is late without end.
        value: percentile([...late, ...Array(Math.max(0, due - late.length)).fill(Number.POSITIVE_INFINITY)], 95),
        unit: 's',
        ...(scenario.atMost ? { bound: { atMost: scenario.atMost } } : {}),
        note: `${late.length} of ${due} runs${scenario.permits ? `, WORKER_CONCURRENCY=${scenario.permits}` : ''}`,
      })
    })
  try {
    await Promise.all(SCENARIOS.map(measure))
  } finally {
    await Promise.all([good.close(), hanging.close()])
  }
}

/** Runs a worker process during `work`, which gets its id. */
async function withWorker(
  databaseUrl: string,
  settings: Record<string, string>,
  work: (pid: number) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-worker-'))
  const worker = startChild('../../worker/main.ts', {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: `bench:${'0123456789abcdef'.repeat(4)}`,
    DATA_DIR: folder,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
    ...settings,
  })
  try {
    await waitForPort(worker)
    await work(worker.pid as number)
  } finally {
    await stopChild(worker, 'SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}
