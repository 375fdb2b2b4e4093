import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Gate, startGate } from '#test/support/gate.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { until, workerProcesses } from '#test/support/runs/worker-processes.ts'

const database = probedDatabase()
const processes = workerProcesses(database.url)
let gate: Gate
let proxy: DatabaseProxy
/** The exit codes of workers. */
const ends: number[] = []

/** As a supervisor does: a worker that loses its job queue ends. */
async function keepRunning(): Promise<void> {
  const { process } = await processes.start({ DATABASE_URL: proxy.url, WORKER_STALE_SECONDS: '3' })
  process.once('exit', (code) => {
    if (code === null) return
    ends.push(code)
    void keepRunning()
  })
}

beforeAll(async () => {
  gate = await startGate()
  proxy = await startProxy(database.url)
  await keepRunning()
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
  // An uncaught error has this code too, so it may end a worker once per outage at most: porsager/postgres#1208.
  expect(ends.splice(0).length).toBeLessThanOrEqual(1)
})
