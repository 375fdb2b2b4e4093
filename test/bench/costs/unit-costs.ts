import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { runs } from '#db/schema/runs.ts'
import type { FinishedRun } from '#server/record/finished-run.ts'
import { finishAndStoreRuns } from '#server/record/store-runs.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { makeCertificate } from '#test/support/certificates.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { get } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'
import { startProbeTarget } from '../probes/probe-target.ts'
import { finishedRun, type Service } from '../results/finished-runs.ts'

/** What one run costs, measured on this machine. Times are of one core. */
export type UnitCosts = {
  /** The worker's CPU for one HTTPS call with a new connection, and for recording a run. */
  callMicros: number
  recordMicros: number
  /** The database's CPU for a run: its row in `runs`, its result and its roll-ups. */
  databaseMicros: number
  /** Bytes of the result with its index, and of the write-ahead log. */
  resultBytes: number
  walBytes: number
  /** The time of one vacuum process per run, over all tables that runs write. */
  vacuumMicros: number
  /** The bytes of roll-ups of one service and hour, and of one service and day. */
  hourBytes: number
  dayBytes: number
}

const SERVICES = 300
const ROUNDS = 40
const BATCH = 100
const CALLS = 600
const CALLS_AT_ONCE = 16
/** Tables whose rows are written with each run, and those with a row per hour or day. */
const PER_HOUR = ['run_hours', 'endpoint_hours', 'assertion_hours']
const PER_RUN = ['runs', 'results', 'service_states', 'service_agent_states', ...PER_HOUR]
/** A day's row is as large as an hour's, or smaller: its latencies are packed. */
const DAY_SHARE = 1

export async function measureUnitCosts(db: Db): Promise<UnitCosts> {
  const callMicros = await measureCalls()
  const services = await createServices(db)
  // One run per service first: pages, caches and statements are then as they stay.
  await record(db, await insertRunning(db, services, new Date()))
  await db.execute(sql`vacuum analyze`)
  const before = await readUsage(db)
  let own = 0
  let postgres = 0
  for (let round = 0; round < ROUNDS; round++) {
    const made = await Promise.all(services.map((service) => finishedRun(service, new Date())))
    const started = { own: process.cpuUsage(), postgres: databaseCpuMicros(before.postmaster) }
    await insertRows(db, made)
    await record(db, made)
    const { user, system } = process.cpuUsage(started.own)
    own += user + system
    postgres += databaseCpuMicros(before.postmaster) - started.postgres
  }
  const after = await readUsage(db)
  const count = ROUNDS * SERVICES
  const vacuumStart = performance.now()
  for (const table of PER_RUN) await db.execute(sql.raw(`vacuum ${table}`))
  const vacuumMicros = ((performance.now() - vacuumStart) * 1_000) / count
  // The space of the updates is used again by later rows.
  for (const table of PER_HOUR) await db.execute(sql.raw(`vacuum full ${table}`))
  const { sizes } = await readUsage(db)
  const hourBytes = PER_HOUR.reduce((sum, table) => sum + (sizes.get(table) ?? 0), 0) / SERVICES
  return {
    callMicros,
    recordMicros: own / count,
    databaseMicros: postgres / count,
    resultBytes: ((after.sizes.get('results') ?? 0) - (before.sizes.get('results') ?? 0)) / count,
    walBytes: (after.wal - before.wal) / count,
    vacuumMicros,
    hourBytes,
    dayBytes: hourBytes * DAY_SHARE,
  }
}

/** Returns the CPU of a call of the guarded client, with a new TLS connection each. */
async function measureCalls(): Promise<number> {
  const certificate = await makeCertificate('valid')
  const target = await startProbeTarget(certificate)
  const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.1']), ca: [certificate.ca] })
  const call = () => transport(get(`https://127.0.0.1:${target.secure}/`))
  for (let n = 0; n < CALLS_AT_ONCE; n++) await call()
  const before = process.threadCpuUsage()
  let left = CALLS
  await Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, async () => {
      while (left-- > 0) await call()
    }),
  )
  const { user, system } = process.threadCpuUsage(before)
  await target.stop()
  return (user + system) / CALLS
}

async function createServices(db: Db): Promise<Service[]> {
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  const made: Service[] = []
  for (let i = 0; i < SERVICES; i++) made.push(await createService(db, project))
  return made
}

async function insertRunning(db: Db, services: Service[], at: Date): Promise<FinishedRun[]> {
  const made = await Promise.all(services.map((service) => finishedRun(service, at)))
  await insertRows(db, made)
  return made
}

async function insertRows(db: Db, made: FinishedRun[]): Promise<void> {
  const rows = made.map((run, index) => ({
    id: run.id,
    organizationId: run.organizationId,
    serviceId: run.serviceId,
    agentId: run.agentId,
    slot: new Date(Date.now() + index),
    cause: 'schedule' as const,
    state: 'running' as const,
    attempt: 1,
  }))
  await db.insert(runs).values(rows)
}

async function record(db: Db, made: FinishedRun[]): Promise<void> {
  for (let i = 0; i < made.length; i += BATCH) {
    await finishAndStoreRuns(db, made.slice(i, i + BATCH), { variablesMax: 100 })
  }
}

type Usage = { wal: number; sizes: Map<string, number>; postmaster: number }

async function readUsage(db: Db): Promise<Usage> {
  const [row] = await db.execute<{ wal: number; postmaster: string }>(sql`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
      split_part(pg_read_file('postmaster.pid'), E'\n', 1) as postmaster`)
  const tables = await db.execute<{ name: string; bytes: number }>(sql`
    select coalesce(p.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`)
  return {
    wal: row?.wal ?? 0,
    postmaster: Number(row?.postmaster),
    sizes: new Map(tables.map(({ name, bytes }) => [name, bytes])),
  }
}

/** The kernel counts CPU time in ticks of 10 ms. */
const TICK_MICROS = 10_000

/** Returns the CPU time of the server's processes that live now. Connections stay open during the measurement. */
function databaseCpuMicros(postmaster: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      if (Number(fields[1]) === postmaster) ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // The process has just ended.
    }
  }
  return ticks * TICK_MICROS
}
