import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { ensurePartitions } from '#db/partitions.ts'
import { runs } from '#db/schema/runs.ts'
import { HOUR_MS } from '#server/durations.ts'
import type { FinishedRun } from '#server/record/finished-run.ts'
import { insertResults } from '#server/record/result-statements.ts'
import { finishAndStoreRuns, storeRuns } from '#server/record/store-runs.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { withDatabase } from './database.ts'
import { finishedRun, type Service } from './finished-runs.ts'
import { median } from './frame/alternate.ts'

const SERVICES = 1_000
const RUNS = 2_000
const SINGLES = 400
const BATCH = 100
const WRITERS = 4
const ROUNDS = 5
/** Services and hours for the measurement of the write-ahead log. */
const WATCHED = 300
const HOURS = 2

/**
 * Measures runs stored per second, roll-ups included: in batches as the worker does, in one transaction per run, and
 * compared with a bare insert of the result rows. Measured in turn; the ratios count.
 */
export async function run(): Promise<void> {
  await withDatabase(async (db) => {
    const services = await createServices(db)
    const ratios = { single: [] as number[], bare: [] as number[] }
    for (let round = 0; round <= ROUNDS; round++) {
      const batched = await perSecond(RUNS, await insertRunningRuns(db, services, RUNS), (part) =>
        record(db, part, BATCH),
      )
      const single = await perSecond(SINGLES, await insertRunningRuns(db, services, SINGLES), (part) =>
        record(db, part, 1),
      )
      const bare = await perSecond(RUNS, await createFinishedRuns(services, RUNS), (part) => insertBare(db, part))
      // The first round warms up.
      if (round === 0) continue
      ratios.single.push(batched / single)
      ratios.bare.push(batched / bare)
      const rates = [batched, single, bare].map((rate) => `${rate.toFixed(0).padStart(6)}/s`)
      console.log(`batched ${rates[0]}   single ${rates[1]}   bare insert ${rates[2]}`)
    }
    console.log(
      `median: ${median(ratios.single).toFixed(1)} x one transaction per run, ${median(ratios.bare).toFixed(2)} x a bare insert`,
    )
    await printWalVolume(db, services)
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
    await db.execute(insertResults(part.slice(i, i + BATCH)))
  }
}

async function perSecond(
  count: number,
  made: FinishedRun[],
  store: (part: FinishedRun[]) => Promise<void>,
): Promise<number> {
  const size = Math.ceil(made.length / WRITERS)
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: WRITERS }, (_, i) => store(made.slice(i * size, (i + 1) * size))))
  return (count / (performance.now() - startedAt)) * 1_000
}

/** Inserts runs in the state `running`. */
async function insertRunningRuns(db: Db, services: Service[], count: number): Promise<FinishedRun[]> {
  const made = await createFinishedRuns(services, count)
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

/** Prints the size of the write-ahead log for one run per minute, compared with a bare insert of the rows. */
async function printWalVolume(db: Db, services: Service[]): Promise<void> {
  const watched = services.slice(0, WATCHED)
  const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOURS * HOUR_MS
  const minutes = await Promise.all(
    Array.from({ length: HOURS * 60 }, (_, minute) =>
      Promise.all(watched.map((service) => finishedRun(service, new Date(from + minute * 60_000)))),
    ),
  )
  const count = minutes.length * WATCHED
  await ensurePartitions(db, new Date(from), 1)
  const bare = await measureWal(db, async () => {
    for (const runs of minutes) await insertBare(db, runs)
  })
  await db.execute(sql`truncate results`)
  const stored = await measureWal(db, async () => {
    for (const runs of minutes) {
      for (let i = 0; i < runs.length; i += BATCH) {
        await db.transaction((tx) => storeRuns(tx, runs.slice(i, i + BATCH), { variablesMax: 100 }))
      }
    }
  })
  const overhead = (stored.bytes - bare.bytes) / count
  console.log(
    `write-ahead log at a run a minute: ${(stored.bytes / count).toFixed(0)} bytes a run, ${overhead.toFixed(0)} more than a bare row (goal 3000); at most ${((stored.images * 8_192) / count).toFixed(0)} are page images`,
  )
  const tables = await db.execute<{ name: string; updated: number; hot: number }>(sql`
    select relname as name, n_tup_upd::float8 as updated, n_tup_hot_upd::float8 as hot from pg_stat_user_tables
    where relname ~ '_(hours|states)$' order by 1`)
  for (const { name, updated, hot } of tables) {
    console.log(`${name.padEnd(16)} ${((hot / updated) * 100).toFixed(1)} % of updates write no index entry`)
  }
}

async function measureWal(db: Db, work: () => Promise<void>): Promise<{ bytes: number; images: number }> {
  await db.execute(sql`checkpoint`)
  await db.execute(sql`select pg_stat_reset_shared('wal')`)
  await work()
  // The view shows counts of idle sessions only.
  await sleep(1_500)
  const [row] = await db.execute<{ bytes: number; images: number }>(
    sql`select wal_bytes::float8 as bytes, wal_fpi::float8 as images from pg_stat_wal`,
  )
  return row as { bytes: number; images: number }
}

if (import.meta.main) await run()
