import { measureUnitCosts, type UnitCosts } from './costs/unit-costs.ts'
import { withDatabase } from './database.ts'
import type { Report } from './frame/report.ts'

// What an installation needs at each size, from the costs of one run on this machine. Dispatch, reads and bodies are left
// out. A run has three HTTPS calls, a result is kept for 90 days, and hours and days of roll-ups as upkeep keeps them.

/** What is at hand before an operator adds something: one database server, and workers with four cores each. */
const DATABASE = { cores: 16, connections: 500, diskBytes: 4e12, walBytesPerSecond: 200e6, vacuums: 3 }
const WORKER = { cores: 4, permits: 1_000, connections: 19 }
/** A resource counts as used up at this share, so that peaks and failures fit in. */
const FULL = 0.7

const CALLS = 3
const RUN_SECONDS = 1.5
const RESULT_DAYS = 90
const HOUR_DAYS = 91
const DAY_DAYS = 400
const DAY_SECONDS = 86_400
const WEBS = 4
const WEB_CONNECTIONS = 11

const SIZES = [100, 1_000, 10_000, 100_000, 300_000, 1_000_000]
const INTERVALS_MINUTES = [15, 5, 1]

/** What an operator adds when a resource ends. */
const REMEDIES = {
  connections: 'add a pooler (DATABASE_URL, DATABASE_SESSION_URL)',
  disk: 'add a larger disk, or keep results for fewer days (RESULT_RETENTION_DAYS)',
  'database CPU': 'add cores, and a replica for reads (DATABASE_READ_URL)',
  'write-ahead log': 'add a faster disk for pg_wal',
  vacuum: 'add autovacuum workers without a cost limit',
} as const

type Resource = keyof typeof REMEDIES
const RESOURCES = Object.keys(REMEDIES) as Resource[]
type Load = { runsPerSecond: number; workers: number; shares: Record<Resource, number>; diskBytes: number }

/** Measures the costs of a run, and prints for each size how full one database server is, and what ends. */
export async function run(_options: unknown, report: Report): Promise<void> {
  await withDatabase(async (db) => {
    const costs = await measureUnitCosts(db)
    addCosts(report, costs)
    const { cores, connections, diskBytes, walBytesPerSecond, vacuums } = DATABASE
    console.log(
      `one database server: ${cores} cores like this one, ${connections} connections, ${diskBytes / 1e12} TB, ${walBytesPerSecond / 1e6} MB/s of write-ahead log, ${vacuums} autovacuum workers; workers of ${WORKER.cores} cores`,
    )
    const head = [' services', ' every', ' runs/s', 'workers', '    bytes', ...RESOURCES]
    console.log(head.join('  '))
    for (const minutes of INTERVALS_MINUTES) {
      for (const services of SIZES) print(services, minutes, loadOf(costs, services, minutes))
    }
  })
}

function loadOf(costs: UnitCosts, services: number, minutes: number): Load {
  const runsPerSecond = services / (minutes * 60)
  const workerCores = (runsPerSecond * (CALLS * costs.callMicros + costs.recordMicros)) / 1e6
  const byCpu = workerCores / (WORKER.cores * FULL)
  const byPermits = (runsPerSecond * RUN_SECONDS) / (WORKER.permits * FULL)
  const workers = Math.max(1, Math.ceil(Math.max(byCpu, byPermits)))
  const rollupBytes = services * (HOUR_DAYS * 24 * costs.hourBytes + DAY_DAYS * costs.dayBytes)
  const diskBytes = runsPerSecond * RESULT_DAYS * DAY_SECONDS * costs.resultBytes + rollupBytes
  return {
    runsPerSecond,
    workers,
    diskBytes,
    shares: {
      connections: (workers * WORKER.connections + WEBS * WEB_CONNECTIONS) / DATABASE.connections,
      disk: diskBytes / DATABASE.diskBytes,
      'database CPU': (runsPerSecond * costs.databaseMicros) / 1e6 / DATABASE.cores,
      'write-ahead log': (runsPerSecond * costs.walBytes) / DATABASE.walBytesPerSecond,
      vacuum: (runsPerSecond * costs.vacuumMicros) / 1e6 / DATABASE.vacuums,
    },
  }
}

function print(services: number, minutes: number, { runsPerSecond, workers, shares, diskBytes }: Load): void {
  const columns = [
    services.toLocaleString('en').padStart(9),
    `${minutes} min`.padStart(6),
    runsPerSecond.toFixed(runsPerSecond < 10 ? 1 : 0).padStart(7),
    String(workers).padStart(7),
    `${(diskBytes / 1e9).toFixed(diskBytes < 1e10 ? 1 : 0)} GB`.padStart(9),
    ...RESOURCES.map((name) => `${(shares[name] * 100).toFixed(shares[name] < 0.1 ? 1 : 0)} %`.padStart(name.length)),
  ]
  console.log(columns.join('  '))
  for (const name of RESOURCES.filter((resource) => shares[resource] > FULL)) {
    console.log(`${''.padStart(11)}${name} ends: ${REMEDIES[name]}`)
  }
  const databases = Math.ceil(
    Math.max(...RESOURCES.filter((name) => name !== 'connections').map((name) => shares[name])) / FULL,
  )
  if (databases > 1)
    console.log(`${''.padStart(11)}or ${databases} such databases, each with the organizations of its own`)
}

function addCosts(report: Report, costs: UnitCosts): void {
  const add = (name: string, value: number, unit: string) => report.add({ name, value, unit, better: 'lower' })
  add('CPU time of the worker for a call', costs.callMicros, 'µs')
  add('CPU time of the worker to record a run', costs.recordMicros, 'µs')
  add('CPU time of the database for a run', costs.databaseMicros, 'µs')
  add('vacuum for a run', costs.vacuumMicros, 'µs')
  add('disk for a run', costs.resultBytes, 'bytes')
  add('write-ahead log for a run', costs.walBytes, 'bytes')
  add('roll-ups of a service and hour', costs.hourBytes, 'bytes')
}
