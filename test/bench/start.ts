import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedDatabase } from '#db/embedded/embedded.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { findChild } from './child-process.ts'
import { median } from './frame/alternate.ts'
import { cpuSecondsOf } from './frame/cpu-time.ts'
import type { Report } from './frame/report.ts'
import { type Product, startProduct } from './product.ts'

const RESTARTS = 5
/** After it, what follows a start is done. */
const SETTLE_MS = 20_000
const IDLE_MS = 30_000
const PROGRAMS = ['server/commands/web.ts', 'worker/main.ts']
const BARE_SERVER = "require('node:http').createServer().listen(0, '127.0.0.1', () => console.log('ready'))"

/**
 * Starts the built product with its own database, in an empty data folder and again with its data, and takes the time
 * until it is healthy. Then leaves it idle, and takes memory and CPU time of web and worker. The floors are the database
 * alone, and two servers of Node that do nothing. Only on Linux.
 */
export async function run(report: Report): Promise<void> {
  await buildDashboard((progress) => console.log(progress), new AbortController().signal)
  const folder = await mkdtemp(join(tmpdir(), 'soundline-start-'))
  const bound = { atMost: 8 }
  try {
    let product = await startProduct(folder)
    report.add({ name: 'npm start to healthy, without data', value: product.seconds, unit: 's', bound })
    const times: number[] = []
    for (let round = 0; round < RESTARTS; round++) {
      await product.stop()
      product = await startProduct(folder)
      times.push(product.seconds)
    }
    report.add({ name: 'npm start to healthy, with data', value: median(times), unit: 's', bound })
    await measureIdle(report, product).finally(product.stop)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const seconds = await measureDatabase()
  report.add({ name: 'start of an empty PostgreSQL alone', value: seconds, unit: 's', note: 'the floor' })
}

async function measureIdle(report: Report, { program }: Product): Promise<void> {
  await sleep(SETTLE_MS)
  const own = await Promise.all(PROGRAMS.map((file) => findChild(program.pid as number, file)))
  const bare = PROGRAMS.map(() =>
    spawn(process.execPath, ['-e', BARE_SERVER], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  await Promise.all(bare.map((child) => once(child.stdout, 'data')))
  const pids = bare.map((child) => child.pid as number)
  const before = await Promise.all(own.map(cpuSecondsOf))
  await sleep(IDLE_MS)
  const after = await Promise.all(own.map(cpuSecondsOf))
  const [ownMb, bareMb] = [await Promise.all(own.map(memoryMb)), await Promise.all(pids.map(memoryMb))]
  for (const child of bare) child.kill()
  const percent = own.map((_, i) => (((after[i] as number) - (before[i] as number)) / (IDLE_MS / 1_000)) * 100)
  report.add({
    name: 'memory of idle web and worker',
    value: sum(ownMb),
    unit: 'MB',
    bound: { atMost: 350 },
    note: `${describeEach(ownMb)}; pages that processes share count in part (PSS)`,
  })
  report.add({ name: 'memory of two bare servers of Node', value: sum(bareMb), unit: 'MB', note: 'the floor' })
  report.add({
    name: 'CPU time of idle web and worker',
    value: sum(percent),
    unit: '% of a core',
    bound: { atMost: 2 },
    note: describeEach(percent),
  })
}

/** Returns the seconds that a new PostgreSQL takes until it accepts connections. */
async function measureDatabase(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'soundline-start-floor-'))
  await chmod(folder, 0o755)
  const startedAt = performance.now()
  const options = { directory: join(folder, 'postgres'), port: await freePort(), password: 'floor' }
  const database = await startEmbeddedDatabase(options)
  const seconds = (performance.now() - startedAt) / 1_000
  await database.stop()
  await rm(folder, { recursive: true, force: true })
  return seconds
}

function describeEach([web, worker]: number[]): string {
  return `web ${web?.toFixed(1)}, worker ${worker?.toFixed(1)}`
}

async function memoryMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return (Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1]) * 1_024) / 1e6
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
