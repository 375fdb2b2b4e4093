import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eq, inArray, ne, sql } from '#db/drizzle.cjs'
import { alertEvents } from '#db/schema/alerts.ts'
import { runs, workers } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { requestRun } from '#server/runs/runs/request-run.ts'
import { createVault } from '#server/vault.ts'
import { startGate } from '#test/support/gate.ts'
import { gatedRuns } from '#test/support/runs/gated-runs.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { checkRollups } from '#test/support/runs/rollup-check.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until, type WorkerProcess, workerProcesses } from '#test/support/runs/worker-processes.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'

const { database, gate, newService, holdRun } = gatedRuns()
const processes = workerProcesses(database.url)
const testing = testWorkers(database.url)

/** Counts others as dead after three seconds. */
const STALE = { WORKER_STALE_SECONDS: '3' }
/** Starts a worker in a process of its own, which can be killed. */
const startMortal = () => processes.start(STALE)
const startWorker = () => testing.start(STALE)

const done = (service: ProbedService) =>
  until('the run to be done', async () => {
    const [run] = await database.runsOf(service)
    return run?.state === 'done' && run
  })

/** Requests a run that has had so many attempts, of which so many died. */
const requestAfter = (service: ProbedService, before: { attempt: number; deaths: number }) =>
  database.db.transaction(async (tx) => {
    const { runId } = await requestRun(tx, service, new Date())
    await tx.update(runs).set(before).where(eq(runs.id, runId))
  })

/** Suspends a worker until another one has executed its run. Returns the service of that run. */
async function suspend({ process }: WorkerProcess): Promise<ProbedService> {
  const service = await newService()
  await holdRun(service)
  process.kill('SIGSTOP')
  const other = await startWorker()
  await until('the run to be taken over', async () => (await database.runsOf(service))[0]?.attempt === 2)
  // The suspended worker's request gets its response during the suspension, so it resumes with a finished run.
  gate.open()
  await done(service)
  process.kill('SIGCONT')
  await other.stop()
  const next = await newService()
  await database.requestRunOf(next)
  await done(next)
  await until('the worker to be back', async () => (await database.db.$count(workers)) === 1)
  return service
}

describe('after a worker was suspended, and two were killed while another one lived', () => {
  const KILLS = 2
  /** Services that become due shortly before each kill. */
  const DUE = 10
  let suspended: ProbedService
  let resumed: ProbedService
  let valued: ProbedService
  let doomed: ProbedService
  let rechecked: ProbedService
  const due: ProbedService[] = []

  beforeAll(async () => {
    const [held, dead, open] = [await startGate(), await startGate(), await startGate()]
    open.open()
    let asked = 0
    // Fails, hangs, and passes.
    const flaky = await startHttpTarget((_, response) => {
      asked++
      if (asked !== 2) response.writeHead(asked === 1 ? 500 : 200).end()
    })
    const serviceOf = (url: string) => database.createProbedService(`get("${url}").expect(status: 200)`)
    resumed = await serviceOf(held.url)
    doomed = await serviceOf(dead.url)
    rechecked = await database.createProbedService(
      `get("http://127.0.0.1:${flaky.port}/").expect(status: 200)`,
      {},
      1,
      300,
    )
    valued = await serviceOf('$s.base')
    const { id: serviceId, organizationId } = valued
    const base = { key: 'base', type: 'metric' as const, value: 'http://127.0.0.1:1/' }
    await database.db.insert(variables).values({ id: uuidv7(), organizationId, serviceId, ...base })
    while (due.length < KILLS * DUE) {
      const expected = due.length % 5 === 0 ? 500 : 200
      const script = `get("${open.url}").expect(status: ${expected}).wait(${(due.length % 4) * 60})`
      due.push(await database.createProbedService(script))
    }

    let worker = await startMortal()
    suspended = await suspend(worker)
    /** Starts another worker, and kills the one before while it executes runs. */
    const replace = async (kill: number) => {
      const next = await (kill < KILLS ? startMortal() : startWorker())
      await database.makeDue(...due.slice((kill - 1) * DUE, kill * DUE))
      await sleep(100 + kill * 74)
      await worker.kill()
      return next as typeof worker
    }
    const attemptOfDoomed = (attempt: number) =>
      until(`attempt ${attempt} of the run that never ends`, async () => dead.arrived() === attempt)

    await database.makeDue(rechecked)
    await until('the recheck to wait', async () => (await database.runsOf(rechecked))[1]?.state === 'waiting_recheck')
    const vault = createVault([{ id: 'test', secret: TEST_SECRET_KEYS.slice('test:'.length) }])
    await database.requestRunOf(valued, { values: { vault, values: { 's.base': held.url } } })
    await database.requestRunOf(resumed)
    await until('two requests that wait', async () => held.arrived() === 2)
    await requestAfter(doomed, { attempt: 1, deaths: 1 })
    await attemptOfDoomed(1)
    worker = await replace(1)

    held.open()
    await done(resumed)
    await done(valued)
    // The dead worker's row is deleted, and its jobs are unlocked.
    await until('the dead worker to go', async () => (await database.db.$count(workers)) === 1)
    await database.db.update(runs).set({ rankAt: sql`now()` }).where(eq(runs.state, 'waiting_recheck'))
    await until('the recheck at the target', async () => asked === 2)
    await attemptOfDoomed(2)
    await replace(2)
    await until('every slot to be dispatched', async () => {
      const scheduled = inArray(
        runs.serviceId,
        due.map(({ id }) => id),
      )
      return (await database.db.$count(runs, scheduled)) === due.length
    })
    await until('every run to be done', async () => (await database.db.$count(runs, ne(runs.state, 'done'))) === 0)
    await testing.stopAll()
    await Promise.all([held, dead, open, flaky].map((target) => target.close()))
  })

  test('the suspended worker has stored no old result', async () => {
    expect(await database.resultsOf(suspended)).toHaveLength(1)
    expect(await database.runsOf(suspended)).toMatchObject([{ attempt: 2, state: 'done' }])
  })

  test('a run ran again, and is stored once', async () => {
    expect(await database.runsOf(resumed)).toMatchObject([{ attempt: 2, deaths: 1 }])
    expect(await database.resultsOf(resumed)).toMatchObject([{ status: 'success' }])
  })

  test('a run with values of its own is the same run, with its values', async () => {
    const [run] = await database.runsOf(valued)
    expect(run).toMatchObject({ attempt: 2 })
    expect(await database.resultsOf(valued)).toMatchObject([{ status: 'success', runId: run?.id, isUncounted: true }])
  })

  test('a run each of whose attempts died is a timeout', async () => {
    expect(await database.resultsOf(doomed)).toMatchObject([
      {
        status: 'timeout',
        scriptVersion: 2,
        steps: [],
        raw: { error: 'the worker died in each of 3 attempts to run the probe' },
      },
    ])
  })

  test('a recheck before which and in which workers died ran once', async () => {
    const [first, recheck, ...more] = await database.resultsOf(rechecked)
    expect(more).toEqual([])
    expect(recheck).toMatchObject({ status: 'success', cause: 'confirmation', recheckOf: first?.id })
    expect(await database.db.$count(alertEvents, eq(alertEvents.serviceId, rechecked.id))).toBe(0)
  })

  test('no scheduled run is lost, and none is counted twice', async () => {
    for (const service of due) {
      const [result, ...more] = await database.resultsOf(service)
      expect(result?.status).toMatch(/^(success|failure|timeout)$/)
      expect(more).toEqual([])
    }
    await checkRollups(database.db)
  })
})

describe('a worker', () => {
  // A failed test leaves workers and runs, which later tests must not meet.
  afterEach(async () => {
    gate.open()
    await testing.stopAll()
    await processes.killAll()
    await database.db.delete(runs)
  })

  test('that stops finishes its runs', async () => {
    const service = await newService()
    const worker = await startWorker()
    await holdRun(service)
    const stopped = worker.stop()
    // The connections of its queue end after it has stopped to pick runs.
    await until('the worker to take no more', async () => {
      const [queue] = await database.db.execute<{ count: number }>(
        sql`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and application_name = 'soundline-queue'`,
      )
      return queue?.count === 0
    })
    const waiting = await newService()
    await database.requestRunOf(waiting)
    gate.open()
    await stopped
    expect(await database.runsOf(service)).toMatchObject([{ state: 'done', attempt: 1 }])
    // It claimed no other run.
    expect(await database.runsOf(waiting)).toMatchObject([{ state: 'queued', attempt: 0 }])
    await startWorker()
    await done(waiting)
  })

  test('that stops queues unfinished runs again, which is no death', async () => {
    const service = await newService()
    const before = gate.arrived()
    const worker = await startWorker()
    await requestAfter(service, { attempt: 3, deaths: 2 })
    await until('a request at the target', async () => gate.arrived() > before)
    await worker.stop()
    expect(await database.runsOf(service)).toMatchObject([{ state: 'queued', attempt: 4, deaths: 2 }])
    await startWorker()
    gate.open()
    // It is not recorded as a timeout for them.
    expect(await done(service)).toMatchObject({ attempt: 5, deaths: 2 })
    expect(await database.resultsOf(service)).toMatchObject([{ status: 'success' }])
  })
})
