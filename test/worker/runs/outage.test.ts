import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Gate, startGate } from '#test/support/gate.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { until, type WorkerProcess, workerProcesses } from '#test/support/runs/worker-processes.ts'

const database = probedDatabase()
const processes = workerProcesses(database.url)
let gate: Gate
let proxy: DatabaseProxy
let worker: WorkerProcess

beforeAll(async () => {
  gate = await startGate()
  proxy = await startProxy(database.url)
  worker = await processes.start({ DATABASE_URL: proxy.url, WORKER_STALE_SECONDS: '3' })
})
afterAll(() => {
  proxy.close()
  return gate.close()
})
beforeEach(() => gate.shut())

test.each([
  ['breaks', 'refuse'],
  ['goes silent', 'blackHole'],
  ['stalls', 'stall'],
] as const)('a database that %s for a while costs no run', async (_, outage) => {
  const script = `get("${gate.url}").expect(status: 200)`
  const [flying, due] = [await database.createProbedService(script), await database.createProbedService(script)]
  const before = gate.arrived()
  await database.requestRunOf(flying)
  await until('a request at the target', async () => gate.arrived() > before)
  proxy[outage]()
  gate.open()
  await database.makeDue(due)
  await sleep(4_000)
  proxy.restore()
  for (const service of [flying, due]) {
    await until('the run to be done', async () => {
      const rows = await database.runsOf(service)
      return rows.length > 0 && rows.every((row) => row.state === 'done')
    })
    expect(await database.resultsOf(service)).toMatchObject([{ status: 'success' }])
  }
  // porsager/postgres#1208 would have ended the process.
  expect(worker.process.exitCode).toBeNull()
})
