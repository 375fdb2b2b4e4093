import type { Db } from '#db/client.ts'
import { runs } from '#db/schema/runs.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { prepareRun } from '#server/runs/record/prepared-run.ts'
import { NO_RECHECKS } from '#server/runs/record/rechecks/rechecks.ts'
import { insertResults } from '#server/runs/record/result-statements.ts'
import { finishAndStoreRuns } from '#server/runs/record/store-runs.ts'
import { createOrganization, createProject, createService, createWorkspace } from '#test/support/factories.ts'
import { withDatabase } from './database.ts'
import { alternate, type Measure } from './frame/alternate.ts'
import { measureWithDatabase } from './frame/database-time.ts'
import type { Report } from './frame/report.ts'
import { finishedRun, type Service } from './results/finished-runs.ts'

const SERVICES = 1_000
/** Two seconds of storing: rounds of half a second scatter by a quarter. */
const RUNS = 8_000
const SINGLES = 400
const BATCH = 100
const WRITERS = 4

/**
 * Measures stored runs per second: finished and stored in batches as the worker does, against a bare insert of the same
 * result rows in batches of the same size, and against one transaction per run. The CPU time is that of this process and
 * of the database's. One run in fifty fails, so in each batch some incidents open and close.
 */
export async function run(report: Report): Promise<void> {
  await withDatabase(async (db) => {
    const services = await createServices(db)
    const batched = async () => {
      const made = await insertRunning(db, await createFinishedRuns(services, RUNS))
      return measureWriters(db, made, (part) => record(db, part, BATCH))
    }
    await alternate(report, {
      name: 'runs stored in batches against bare multi-row inserts',
      own: batched,
      peer: async () => measureWriters(db, await createFinishedRuns(services, RUNS), (part) => insertBare(db, part)),
      by: 'rate',
      bound: { atLeast: 0.35 },
    })
    await alternate(report, {
      name: 'runs stored in batches against one transaction each',
      own: batched,
      peer: async () => {
        const made = await insertRunning(db, await createFinishedRuns(services, SINGLES))
        return measureWriters(db, made, (part) => record(db, part, 1))
      },
      by: 'rate',
      bound: { atLeast: 4 },
    })
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
    await insertResults(db, part.slice(i, i + BATCH).map(prepareRun), NO_RECHECKS)
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
