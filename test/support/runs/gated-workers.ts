import { afterAll, beforeAll, beforeEach } from 'vitest'
import { testDatabase } from '../database.ts'
import { type Gate, startGate } from '../gate.ts'
import { createProbedService, type ProbedService, requestRunOf } from './probed.ts'
import { until, workerProcesses } from './worker-processes.ts'

/** A database, worker processes on it, and a target that holds responses back. The gate is shut before each test. */
export function gatedWorkers() {
  const database = testDatabase()
  const processes = workerProcesses(database.url)
  let started: Gate
  beforeAll(async () => {
    started = await startGate()
  })
  afterAll(() => started.close())
  beforeEach(() => started.shut())

  const gate = {
    get url() {
      return started.url
    },
    arrived: () => started.arrived(),
    open: () => started.open(),
  }
  return {
    database,
    processes,
    gate,
    newService: (given: Parameters<typeof createProbedService>[2] = {}) =>
      createProbedService(database.db, `get("${gate.url}").expect(status: 200)`, given),
    /** Requests a run of the service and waits until it is held at the gate. */
    async holdRun(service: ProbedService): Promise<void> {
      const before = gate.arrived()
      await requestRunOf(database.db, service)
      await until('a request at the target', async () => gate.arrived() > before)
    },
  }
}
