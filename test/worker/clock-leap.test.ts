import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { runs } from '#db/schema/runs.ts'
import { parseSettings } from '#server/process/settings.ts'
import { controlledClock } from '#test/support/clock.ts'
import { type Gate, startGate } from '#test/support/gate.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import type { WorkerSettings } from '#worker/queues.ts'
import { startWorker, type Worker } from '#worker/worker.ts'

// While a machine is suspended, the database's clock continues and the processes do not. When they resume, all leases have
// expired by the database's clock, although by its own clock each process sent a heartbeat a moment ago.

const START = new Date('2027-01-01T00:00:00Z')
const HELD = 7

const database = probedDatabase()
const clock = controlledClock(database, START)
const workers: Worker[] = []
let gate: Gate

beforeAll(async () => {
  gate = await startGate()
  const given = parseSettings({
    DATABASE_URL: database.url,
    SECRET_KEYS: TEST_SECRET_KEYS,
    DATA_DIR: tmpdir(),
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    NODE_ENV: 'test',
  })
  const connections = { db: database.db, heartbeat: database.db }
  const triggers = { look: () => {}, dispatch: () => {}, pick: () => {}, pickDrafts: () => {} }
  for (let i = 0; i < 2; i++) workers.push(await startWorker(connections, given as WorkerSettings, triggers))
})
afterAll(async () => {
  gate.open()
  await Promise.all(workers.map((worker) => worker.drain()))
  await gate.close()
})

test('a leap of the database clock costs no live worker its runs', async () => {
  const services = await Promise.all(
    Array.from({ length: HELD }, () => database.createProbedService(`get("${gate.url}").expect(status: 200)`)),
  )
  for (const service of services) await database.requestRunOf(service)
  const [holder, other] = workers as [Worker, Worker]
  await until('all requests at the target', async () => {
    // A tick starts fewer runs while the event loop is busy.
    await holder.pick()
    return gate.holding() === HELD
  })

  for (let leap = 1; leap <= 3; leap++) {
    await clock.set(new Date(START.getTime() + leap * 60_000))
    // In any order of reaping and heartbeats.
    await Promise.all([holder.reap(), other.reap()])
    await other.sendHeartbeat()
    await other.reap()
    await holder.sendHeartbeat()
    await other.sendHeartbeat()
    await Promise.all([holder.reap(), other.reap()])
  }
  expect(await database.db.$count(runs, sql`${runs.state} = 'running'`)).toBe(HELD)

  gate.open()
  for (const service of services) {
    const [run] = await until('the run to be done', async () => {
      const rows = await database.runsOf(service)
      return rows[0]?.state === 'done' && rows
    })
    expect(run?.attempt).toBe(1)
    expect(await database.resultsOf(service)).toHaveLength(1)
  }
})
