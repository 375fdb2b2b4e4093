import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { ROOT } from '#server/process/program.ts'
import { findChild, freePort } from './child-process.ts'
import { median } from './frame/alternate.ts'
import { cpuSecondsOf } from './frame/cpu-time.ts'
import type { Report } from './frame/report.ts'
import { findUptimeKuma, startUptimeKuma } from './programs/uptime-kuma.ts'

const RESTARTS = 5
const HEALTHY_LIMIT_MS = 60_000
/** After it, what follows a start is done. */
const SETTLE_MS = 20_000
const IDLE_MS = 30_000
/** As in the script `start` of package.json, which `npm start` runs. */
const ARGUMENTS = ['--expose-gc', '--import', './server/commands/preload.mjs', 'server/commands/start.ts']
const PROGRAMS = { web: 'server/commands/web.ts', worker: 'worker/main.ts' }

/**
 * Starts the built product with its own database, in an empty data folder and again with its data, and takes the time
 * until it is healthy. Then leaves it idle, and takes memory and CPU time of web and worker. Only on
 * Linux.
 */
export async function run(_options: unknown, report: Report): Promise<void> {
  await buildDashboard((progress) => console.log(progress), new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-start-'))
  const goal = { atMost: 5 }
  try {
    const first = await start(folder)
    report.add({ name: 'npm start to healthy, without data', value: first.seconds, unit: 's', goal })
    await stop(first.program)
    const times: number[] = []
    let last = first
    for (let round = 0; round < RESTARTS; round++) {
      last = await start(folder)
      times.push(last.seconds)
      if (round < RESTARTS - 1) await stop(last.program)
    }
    report.add({ name: 'npm start to healthy, with data', value: median(times), unit: 's', goal })
    await measureIdle(last.program, report)
    await stop(last.program)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Started = { program: ChildProcess; seconds: number }

async function start(folder: string): Promise<Started> {
  const port = await freePort()
  const startedAt = performance.now()
  const program = spawn(process.execPath, ARGUMENTS, {
    cwd: ROOT,
    env: environmentOf(folder, port),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await isHealthy(port))) {
    const isOver = program.exitCode !== null || performance.now() - startedAt > HEALTHY_LIMIT_MS
    if (isOver) throw new Error('the product did not start')
    await sleep(20)
  }
  return { program, seconds: (performance.now() - startedAt) / 1_000 }
}

function environmentOf(folder: string, port: number): NodeJS.ProcessEnv {
  const { PATH = '' } = process.env
  return { NODE_ENV: 'production', PATH, HOME: folder, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'error' }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/health`)).ok
  } catch {
    return false
  }
}

async function stop(program: ChildProcess): Promise<void> {
  const ended = once(program, 'exit')
  program.kill('SIGTERM')
  await ended
}

/** Reports memory and CPU time of the idle product, and beside them those of Uptime Kuma, measured at the same time. */
async function measureIdle(program: ChildProcess, report: Report): Promise<void> {
  const folder = findUptimeKuma()
  const dataFolder = await mkdtemp(join(tmpdir(), 'soundline-start-kuma-'))
  const kuma = folder === null ? null : await startUptimeKuma(folder, dataFolder)
  try {
    await sleep(SETTLE_MS)
    const own = [await findChild(program.pid!, PROGRAMS.web), await findChild(program.pid!, PROGRAMS.worker)]
    const [idle, peer] = await Promise.all([measureProcesses(own), kuma ? measureProcesses([kuma.pid]) : null])
    report.add({
      name: 'memory of idle web and worker',
      value: sum(idle.memoryMb),
      unit: 'MB',
      goal: { atMost: 250 },
      note: `${describeEach(idle.memoryMb)}; pages that processes share count in part (PSS)`,
    })
    report.add({
      name: 'CPU time of idle web and worker',
      value: sum(idle.cpuPercent),
      unit: '% of a core',
      goal: { atMost: 1 },
      note: describeEach(idle.cpuPercent),
    })
    if (kuma === null || peer === null) return
    addAgainst(report, 'memory', 'MB', sum(idle.memoryMb), sum(peer.memoryMb))
    addAgainst(report, 'CPU time', '% of a core', sum(idle.cpuPercent), sum(peer.cpuPercent))
    console.log(`Uptime Kuma started in ${kuma.seconds.toFixed(1)} s, with a new SQLite database`)
  } finally {
    await kuma?.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

type Idle = { memoryMb: number[]; cpuPercent: number[] }

async function measureProcesses(pids: number[]): Promise<Idle> {
  const before = await Promise.all(pids.map(cpuSecondsOf))
  await sleep(IDLE_MS)
  const after = await Promise.all(pids.map(cpuSecondsOf))
  return {
    memoryMb: await Promise.all(pids.map(memoryMb)),
    cpuPercent: pids.map((_, at) => ((after[at]! - before[at]!) / (IDLE_MS / 1_000)) * 100),
  }
}

function describeEach([web, worker]: number[]): string {
  return `web ${web!.toFixed(1)}, worker ${worker!.toFixed(1)}`
}

/** A peer that uses no measurable CPU time has no ratio. */
function addAgainst(report: Report, what: string, unit: string, own: number, peer: number): void {
  if (peer === 0) return
  report.add({
    name: `${what} of idle web and worker against Uptime Kuma`,
    value: own / peer,
    unit: 'x',
    better: 'lower',
    note: `Uptime Kuma ${peer.toFixed(1)} ${unit}, one process with SQLite and without monitors; without our PostgreSQL`,
  })
}

async function memoryMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return (Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1]) * 1_024) / 1e6
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
