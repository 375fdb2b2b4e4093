import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { syncSchedules } from '#server/schedule/schedules.ts'
import { makeCertificate } from '#test/support/certificates.ts'
import { createOrganization, createProject, createWorkspace } from '#test/support/factories.ts'
import { startChild, stopChild, waitForPort } from './child-process.ts'
import { withDatabase } from './database.ts'
import { alternate, measureHere, median, percentile, type Side } from './frame/alternate.ts'
import { cpuSecondsOf } from './frame/cpu-time.ts'
import type { Report } from './frame/report.ts'
import type { BenchOptions } from './main.ts'
import { bareRequest, bareStoringSide } from './probes/bare-requests.ts'
import { heySide, inParallel, isInstalled, startBlackbox } from './probes/peers.ts'
import { type ProbeTarget, startProbeTarget } from './probes/probe-target.ts'
import { createServices, recordedSide } from './probes/recorded-run.ts'
import { createWholeRun } from './probes/whole-run.ts'
import type { ProbeLoad, ProbeLoadResult } from './programs/probe-load.ts'

// Whole runs against other programs that send probes. Ratios are of CPU time, because some of those use several threads.

const CONCURRENCY = 16
/** The CPU time of other programs is read in ticks of 10 ms. */
const RUNS = 12_000
const HANDSHAKES = 400
const ROUNDS = 5
/** A round of handshakes takes half a second, and its rate scatters by a third. */
const HANDSHAKE_ROUNDS = 15

type Target = ProbeTarget & { certificate: Awaited<ReturnType<typeof makeCertificate>> }

const CASES: Record<string, (target: Target, report: Report) => Promise<void>> = {
  http: compareHttp,
  recorded: compareRecorded,
  https: compareHttps,
  phases: measurePhases,
  memory: measureMemory,
  worker: measureWorker,
}

/** Cases: `http`, `recorded`, `https`, `phases`, `memory`, `worker`. */
export async function run({ cases }: BenchOptions, report: Report): Promise<void> {
  const certificate = await makeCertificate('valid')
  const target = { ...(await startProbeTarget(certificate)), certificate }
  try {
    for (const [name, measure] of Object.entries(CASES)) {
      if (cases.length === 0 || cases.includes(name)) await measure(target, report)
    }
  } finally {
    await target.stop()
  }
}

/** Whole runs of plain HTTP on new connections, up to the finished run that the batch writer takes. */
async function compareHttp({ plain, certificate }: Target, report: Report): Promise<void> {
  const url = `http://127.0.0.1:${plain}/`
  const wholeRun = createWholeRun({ ca: [certificate.ca] })
  await compareWithPeers(
    report,
    'a run before it is stored',
    url,
    here(RUNS, () => wholeRun(url)),
  )
  const bare = here(RUNS, () => bareRequest('http', { host: '127.0.0.1', port: plain }))
  await compareFloor(report, "a bare request by Node's client", url, bare)
}

/** The same, with the reading of the service and the storing of the run in a database. Only this process is counted. */
async function compareRecorded({ plain }: Target, report: Report): Promise<void> {
  await withDatabase(async (db) => {
    const own = await recordedSide(db, plain, RUNS)
    const url = `http://127.0.0.1:${plain}/`
    await compareWithPeers(report, 'a run with its reading and storing', url, own)
    await own.close()
    const bare = await bareStoringSide(db, plain, RUNS, CONCURRENCY)
    await compareFloor(report, "a bare request by Node's client and a bare insert of its row", url, bare)
  })
}

/** What Node alone takes, beside the figures that have a goal. */
async function compareFloor(report: Report, what: string, url: string, bare: Side): Promise<void> {
  if (!(await isInstalled('hey'))) return
  const name = `HTTP, ${what}, against hey`
  await alternate(report, { name, own: bare, peer: heySide(url, RUNS), by: 'cpu', note: 'the floor' })
}

async function compareWithPeers(report: Report, what: string, url: string, own: Side): Promise<void> {
  const note = 'CPU time of the probing process'
  if (await isInstalled('hey')) {
    const peer = heySide(url, RUNS)
    await alternate(report, { name: `HTTP, ${what}, against hey`, own, peer, by: 'cpu', goal: { atMost: 2 }, note })
  }
  if (!(await isInstalled('prometheus-blackbox-exporter'))) return
  const blackbox = await startBlackbox()
  const peer = blackbox.side(url, RUNS)
  const name = `HTTP, ${what}, against blackbox_exporter`
  await alternate(report, { name, own, peer, by: 'cpu', goal: { atMost: 0.5 }, note }).finally(blackbox.stop)
}

/** Whole runs with a full handshake against a loop of bare requests, which asserts nothing. */
async function compareHttps({ secure, certificate }: Target, report: Report): Promise<void> {
  const wholeRun = createWholeRun({ ca: [certificate.ca] })
  const secureContext = createSecureContext({ ca: certificate.ca })
  // The option is passed to the TLS connection, although its type does not say so.
  const options = { host: '127.0.0.1', port: secure, secureContext } as const
  await alternate(report, {
    name: 'HTTPS, a run before it is stored, against bare requests',
    own: here(HANDSHAKES, () => wholeRun(`https://127.0.0.1:${secure}/`)),
    peer: here(HANDSHAKES, () => bareRequest('https', options)),
    by: 'rate',
    goal: { atLeast: 0.85 },
    rounds: HANDSHAKE_ROUNDS,
  })
}

function here(count: number, work: () => Promise<unknown>): Side {
  return () =>
    measureHere(async () => {
      await inParallel(count, CONCURRENCY, work)
      return count
    })
}

const IN_FLIGHT = 500

/**
 * The error of the time to first byte, by the target's own clock, while a process has 500 runs in flight. Beside it the
 * error of as many bare requests: what Node, the machine and the target are off by.
 */
async function measurePhases({ plain: port }: Target, report: Report): Promise<void> {
  const errors: { own: number[]; bare: number[]; connect: number[] }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const given = { port, afterMs: 100, inFlight: IN_FLIGHT, seconds: 5 }
    const [own, bare] = [await load(given), await load({ ...given, isBare: true })]
    // The first runs start all at once, and load the code.
    const steady = (values: number[]) => values.slice(IN_FLIGHT)
    errors.push({ own: steady(own.errors), bare: steady(bare.errors), connect: steady(own.connectMs) })
  }
  const middle = (kind: keyof (typeof errors)[number], percent: number) =>
    median(errors.map((round) => percentile(round[kind], percent)))
  const note = '100 ms target, 500 in flight'
  const lower = { unit: 'ms', better: 'lower', note } as const
  report.add({ name: 'time to first byte, median error', value: middle('own', 50), ...lower })
  report.add({ name: 'time to first byte, p99 error', value: middle('own', 99), unit: 'ms', goal: { atMost: 5 }, note })
  report.add({ name: 'time to first byte of bare requests, median error', value: middle('bare', 50), ...lower })
  report.add({ name: 'time to first byte of bare requests, p99 error', value: middle('bare', 99), ...lower })
  // A connection on loopback is open in less than a tenth of a millisecond.
  report.add({ name: 'time to connect on loopback, p99', value: middle('connect', 99), ...lower })
}

/** The largest memory of a process that has 500 runs in flight, against a target that takes a second. */
async function measureMemory({ plain: port }: Target, report: Report): Promise<void> {
  const { peakBytes } = await load({ port, afterMs: 1_000, inFlight: IN_FLIGHT, seconds: 15 })
  const value = peakBytes / 1_048_576
  report.add({ name: 'memory with 500 runs in flight', value, unit: 'MiB', goal: { atMost: 953 }, note: '1 s target' })
}

async function load(given: ProbeLoad): Promise<ProbeLoadResult> {
  const child = startChild('./programs/probe-load.ts', { ...process.env, LOAD: JSON.stringify(given) })
  const exited = once(child, 'exit')
  const [result] = (await Promise.race([once(child, 'message'), exited])) as [ProbeLoadResult | number]
  if (typeof result === 'number') throw new Error('the process of the runs failed')
  await exited
  return result
}

const SERVICES = 10_000
const MINUTES = 3
const HOSTS = 16
const SPREAD_SECONDS = 60

/** One worker process with 10,000 services that run every minute, against 50 ms targets. */
async function measureWorker({ plain }: Target, report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-worker-'))
  try {
    await withDatabase(async (db, url) => {
      await createSchedules(db, plain)
      const worker = startChild('../../worker/main.ts', {
        PATH: process.env.PATH,
        DATABASE_URL: url,
        SECRET_KEYS: `bench:${'0123456789abcdef'.repeat(4)}`,
        DATA_DIR: folder,
        PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
        LOG_LEVEL: 'error',
        NODE_ENV: 'production',
      })
      try {
        await waitForPort(worker)
        // The first minute compiles the code and fills the caches.
        const begin = Math.ceil(Date.now() / 60_000) * 60_000 + 60_000
        await sleep(begin - Date.now())
        const [cpuBefore, storedBefore] = [await cpuSecondsOf(worker.pid as number), await countStored(db)]
        await sleep(begin + MINUTES * 60_000 - Date.now())
        const stored = (await countStored(db)) - storedBefore
        const cpuSeconds = (await cpuSecondsOf(worker.pid as number)) - cpuBefore
        await reportWorker(db, report, { stored, cpuSeconds, begin })
      } finally {
        await stopChild(worker, 'SIGTERM')
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function createSchedules(db: Db, port: number): Promise<void> {
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  const ids = await createServices(db, project, SERVICES, (i) => `http://127.0.0.${1 + (i % HOSTS)}:${port}/after/50`)
  const rows = ids.map((id) => ({
    id,
    organizationId: project.organizationId,
    schedule: '* * * * *',
    isActive: true,
  }))
  for (let i = 0; i < rows.length; i += 1_000) {
    await syncSchedules(db, rows.slice(i, i + 1_000), new Date(), SPREAD_SECONDS)
  }
}

async function countStored(db: Db): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from results where status = 'success'`,
  )
  return row?.count ?? 0
}

async function reportWorker(
  db: Db,
  report: Report,
  { stored, cpuSeconds, begin }: { stored: number; cpuSeconds: number; begin: number },
): Promise<void> {
  const perMinute = stored / MINUTES
  const note = `${SERVICES} services every minute, 50 ms targets`
  report.add({
    name: 'runs a minute of one worker',
    value: perMinute,
    unit: 'runs',
    // A run that ends at the end of the last minute may be stored in the next one.
    goal: { atLeast: SERVICES * 0.98 },
    cpuMicros: { own: (cpuSeconds / stored) * 1e6 },
    note,
  })
  const from = new Date(begin).toISOString()
  const [late] = await db.execute<{ p99: number }>(sql`
    select percentile_cont(0.99) within group (order by extract(epoch from r.started_at - r.slot)::float - d.offset_seconds)
      as p99
    from runs r join schedules d on d.organization_id = r.organization_id and d.service_id = r.service_id
    where r.started_at is not null and r.slot >= ${from}`)
  report.add({ name: 'lateness of one worker, p99', value: late?.p99 ?? 0, unit: 's', better: 'lower', note })
}
