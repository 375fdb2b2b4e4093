import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Gate, startGate } from '../gate.ts'
import type { createProbedService, ProbedService } from './probed.ts'
import { probedDatabase } from './probed-database.ts'
import { until } from './worker-processes.ts'

/** A database, and services of a target that holds responses back. The gate is shut before each test. */
export function gatedRuns() {
  const database = probedDatabase()
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
    gate,
    newService: (given: Parameters<typeof createProbedService>[2] = {}) =>
      database.createProbedService(`get("${gate.url}").expect(status: 200)`, given),
    /** Requests a run of the service and waits until it is held at the gate. */
    async holdRun(service: ProbedService): Promise<void> {
      const before = gate.arrived()
      await database.requestRunOf(service)
      await until('a request at the target', async () => gate.arrived() > before)
    },
  }
}
