import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { ensurePartitions } from '#db/partitions.ts'
import { runs } from '#db/schema/runs.ts'
import { HOUR_MS } from '#server/durations.ts'
import type { FinishedRun } from '#server/record/finished-run.ts'
import { prepareRun } from '#server/record/prepared-run.ts'
import { insertResults } from '#server/record/result-statements.ts'
import { finishAndStoreRuns } from '#server/record/store-runs.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { withDatabase } from './database.ts'
import { alternate, type Measure } from './frame/alternate.ts'
import { measureWithDatabase } from './frame/database-time.ts'
import type { Report } from './frame/report.ts'
import type { BenchOptions } from './main.ts'
import { finishedRun, type Service } from './results/finished-runs.ts'

const SERVICES = 1_000
/** Two seconds of storing: rounds of half a second scatter by a quarter. */
const RUNS = 8_000
const SINGLES = 400
const BATCH = 100
const WRITERS = 4
/** Services and hours for the measurement of the write-ahead log. */
const WATCHED = 100
const HOURS = 2

/**
 * Measures stored runs per second: finished and stored in batches as the worker does, against a bare insert of the same
 * result rows in batches of the same size, and against one transaction per run. The CPU time is that of this process and
 * of the database's. One run in fifty fails, so in each batch some incidents open and close.
 */
export async function run(_options: BenchOptions, report: Report): Promise<void> {
  await withDatabase(async (db) => {
    const services = await createServices(db)
    const batched = async () => {
      const made = await insertRunningRuns(db, services, RUNS)
      return measureWriters(db, made, (part) => record(db, part, BATCH))
    }
    await alternate(report, {
      name: 'runs stored in batches against bare inserts of their rows',
      own: batched,
      peer: async () => measureWriters(db, await createFinishedRuns(services, RUNS), (part) => insertBare(db, part)),
      by: 'rate',
      goal: { atLeast: 0.5 },
    })
    await alternate(report, {
      name: 'runs stored in batches against one transaction each',
      own: batched,
      peer: async () =>
        measureWriters(db, await insertRunningRuns(db, services, SINGLES), (part) => record(db, part, 1)),
      by: 'rate',
      goal: { atLeast: 5 },
    })
    await reportWalVolume(db, services, report)
  })
}

async function record(db: Db, part: FinishedRun[], batch: number): Promise<void> {
  for (let i = 0; i < part.length; i += batch) {
    const stored = await finishAndStoreRuns(db, part.slice(i, i + batch), { variablesMax: 100 })
    if (stored.size !== Math.min(batch, part.length - i)) throw new Error('a run was not stored')
  }
}

async function insertBare(db: Db, part: FinishedRun[]): Promise<void> {
  for (let i = 0; i < part.length; i += BATCH) {
    await db.execute(insertResults(part.slice(i, i + BATCH).map(prepareRun)))
  }
}

/** Measures several writers at once, with the CPU time of the connections that they use. */
async function measureWriters(
  db: Db,
  made: FinishedRun[],
  store: (part: FinishedRun[]) => Promise<void>,
): Promise<Measure> {
  const size = Math.ceil(made.length / WRITERS)
  return measureWithDatabase(db, async () => {
    await Promise.all(Array.from({ length: WRITERS }, (_, i) => store(made.slice(i * size, (i + 1) * size))))
    return made.length
  })
}

async function insertRunningRuns(db: Db, services: Service[], count: number): Promise<FinishedRun[]> {
  return insertRunning(db, await createFinishedRuns(services, count))
}

/** Inserts the rows of the runs in the state `running`. */
async function insertRunning(db: Db, made: FinishedRun[]): Promise<FinishedRun[]> {
  const rows = made.map((run, i) => ({
    id: run.id,
    organizationId: run.organizationId,
    serviceId: run.serviceId,
    agentId: run.agentId,
    slot: new Date(Date.now() + i),
    cause: 'schedule' as const,
    state: 'running' as const,
    attempt: 1,
  }))
  for (let i = 0; i < rows.length; i += 1_000) await db.insert(runs).values(rows.slice(i, i + 1_000))
  return made
}

function createFinishedRuns(services: Service[], count: number): Promise<FinishedRun[]> {
  return Promise.all(
    Array.from({ length: count }, (_, i) => finishedRun(services[i % services.length] as Service, new Date())),
  )
}

async function createServices(db: Db): Promise<Service[]> {
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  const made: Service[] = []
  for (let i = 0; i < SERVICES; i++) made.push(await createService(db, project))
  return made
}

/**
 * Reports the write-ahead log of a run, with a run a minute of each service: all that finishing and storing writes, less the
 * row of the result itself. Page images are left out: they depend on how many runs fall between two checkpoints. What they
 * add after a checkpoint is a figure of its own.
 */
async function reportWalVolume(db: Db, services: Service[], report: Report): Promise<void> {
  const watched = services.slice(0, WATCHED)
  const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOURS * HOUR_MS
  await ensurePartitions(db, new Date(from), 1)
  const starts = Array.from({ length: HOURS * 60 }, (_, minute) => new Date(from + minute * 60_000))
  const bytesPerRun = async (
    make: (at: Date) => Promise<FinishedRun[]>,
    store: (part: FinishedRun[]) => Promise<void>,
  ): Promise<number> => {
    let bytes = 0
    for (const at of starts) {
      const made = await make(at)
      bytes += await measureWal(db, () => store(made))
    }
    return bytes / (starts.length * WATCHED)
  }
  const finished = (at: Date) => Promise.all(watched.map((service) => finishedRun(service, at)))
  const running = async (at: Date) => await insertRunning(db, await finished(at))
  await setPageImages(db, false)
  const bare = await bytesPerRun(finished, (part) => insertBare(db, part))
  const stored = await bytesPerRun(running, (part) => record(db, part, BATCH))
  report.add({
    name: 'write-ahead log of a run without its row',
    value: stored - bare,
    unit: 'bytes',
    goal: { atMost: 2_000 },
    note: `with a run a minute; the row takes ${bare.toFixed(0)} bytes`,
  })
  await setPageImages(db, true)
  await db.execute(sql`checkpoint`)
  const withImages = await bytesPerRun(running, (part) => record(db, part, BATCH))
  report.add({
    name: 'page images of a run after a checkpoint',
    value: withImages - stored,
    unit: 'bytes',
    better: 'lower',
    note: `mean of the first ${starts.length * WATCHED} runs`,
  })
  const tables = await db.execute<{ name: string; updated: number; hot: number }>(sql`
    select relname as name, n_tup_upd::float8 as updated, n_tup_hot_upd::float8 as hot from pg_stat_user_tables
    where relname ~ '_(hours|states)$' order by 1`)
  for (const { name, updated, hot } of tables) {
    console.log(`${name.padEnd(16)} ${((hot / updated) * 100).toFixed(1)} % of updates write no index entry`)
  }
}

async function setPageImages(db: Db, isOn: boolean): Promise<void> {
  await db.execute(sql.raw(`alter system set full_page_writes = ${isOn ? 'on' : 'off'}`))
  await db.execute(sql`select pg_reload_conf()`)
  // The checkpointer applies the setting.
  await db.execute(sql`checkpoint`)
}

async function measureWal(db: Db, work: () => Promise<void>): Promise<number> {
  const position = async () => {
    const [row] = await db.execute<{ bytes: number }>(
      sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`,
    )
    return row?.bytes ?? 0
  }
  const before = await position()
  await work()
  return (await position()) - before
}
