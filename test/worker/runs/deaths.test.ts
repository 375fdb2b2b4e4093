import { eq, ne, sql } from 'drizzle-orm'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { runs, workers } from '#db/schema/runs.ts'
import { startGate } from '#test/support/gate.ts'
import { gatedWorkers } from '#test/support/runs/gated-workers.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { checkRollups } from '#test/support/runs/rollup-check.ts'
import { until, type WorkerProcess } from '#test/support/runs/worker-processes.ts'

const { database, processes, gate, newService, holdRun } = gatedWorkers()

/** Starts a worker that counts others as dead after three seconds. */
const startWorker = () => processes.start({ WORKER_STALE_SECONDS: '3' })

/** The worker that a test leaves running for the next one, because a start costs more than most tests. */
let left: WorkerProcess | null = null
/** Returns the only worker. */
async function onlyWorker(): Promise<WorkerProcess> {
  const worker = left ?? (await startWorker())
  left = null
  return worker
}

/** Starts a worker and waits until it has begun an attempt of the run. */
async function startAttempt(): Promise<WorkerProcess> {
  const before = gate.arrived()
  const worker = await startWorker()
  await until('a request at the target', async () => gate.arrived() > before)
  return worker
}

// A failed test leaves workers and runs, which later tests must not meet.
afterEach(async () => {
  if (!left) await processes.killAll()
  await database.db.delete(runs)
})

const done = (service: ProbedService) =>
  until('the run to be done', async () => {
    const [run] = await database.runsOf(service)
    return run?.state === 'done' && run
  })

test('a run whose worker is killed runs again and is stored once, or as a timeout if each attempt dies', async () => {
  const dead = await startGate()
  onTestFinished(dead.close)
  const service = await newService()
  const doomed = await database.createProbedService(`get("${dead.url}").expect(status: 200)`)
  const attemptOfDoomed = (attempt: number) =>
    until(`attempt ${attempt} of the run that never ends`, async () => dead.arrived() >= attempt)

  const first = await onlyWorker()
  await database.requestRunOf(doomed)
  await holdRun(service)
  await attemptOfDoomed(1)
  await first.kill()
  const second = await startWorker()
  gate.open()
  expect(await done(service)).toMatchObject({ attempt: 2 })
  expect(await database.resultsOf(service)).toMatchObject([{ status: 'success' }])
  // The dead worker's row is deleted, and its jobs are unlocked.
  await until('the dead worker to go', async () => (await database.db.$count(workers)) === 1)

  await attemptOfDoomed(2)
  await second.kill()
  const third = await startWorker()
  await attemptOfDoomed(3)
  await third.kill()
  const last = await startWorker()
  await done(doomed)
  expect(await database.resultsOf(doomed)).toMatchObject([
    {
      status: 'timeout',
      scriptVersion: 2,
      steps: [],
      raw: { error: 'the worker died in each of 3 attempts to run the probe' },
    },
  ])
  left = last
})

test('a suspended worker that resumes stores no old result, and continues', async () => {
  const service = await newService()
  const zombie = await onlyWorker()
  await holdRun(service)
  zombie.process.kill('SIGSTOP')
  const other = await startWorker()
  await until('the run to be taken over', async () => (await database.runsOf(service))[0]?.attempt === 2)
  // The suspended worker's request gets its response during the suspension, so it resumes with a finished run.
  gate.open()
  await done(service)
  zombie.process.kill('SIGCONT')
  await other.stop()
  const next = await newService()
  await database.requestRunOf(next)
  await done(next)
  expect(await database.resultsOf(service)).toHaveLength(1)
  expect(await database.runsOf(service)).toMatchObject([{ attempt: 2, state: 'done' }])
  await until('the worker to be back', async () => (await database.db.$count(workers)) === 1)
  // The next test expects that it stops as any other.
  left = zombie
})

test('a worker that stops finishes its runs', async () => {
  const service = await newService()
  const worker = await onlyWorker()
  await holdRun(service)
  const stopped = worker.stop()
  // The signal may take long to arrive. The connections of its queue end after it has stopped to pick runs.
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
  expect(await stopped).toBe(0)
  expect(await database.runsOf(service)).toMatchObject([{ state: 'done', attempt: 1 }])
  // It claimed no other run.
  expect(await database.runsOf(waiting)).toMatchObject([{ state: 'queued', attempt: 0 }])
  const next = await startWorker()
  await done(waiting)
  left = next
})

test('a worker that stops queues unfinished runs again; attempts that workers give back are no deaths', async () => {
  const service = await newService()
  let worker = await onlyWorker()
  await holdRun(service)
  for (let attempt = 1; attempt <= 3; attempt++) {
    expect(await worker.stop()).toBe(0)
    expect(await database.runsOf(service)).toMatchObject([{ state: 'queued', attempt }])
    worker = await startAttempt()
  }
  await worker.kill()
  const last = await startWorker()
  gate.open()
  // It is not recorded as a timeout for them.
  expect(await done(service)).toMatchObject({ attempt: 5, deaths: 1 })
  expect(await database.resultsOf(service)).toMatchObject([{ status: 'success' }])
  left = last
})

test('when two workers are killed many times, no run is lost and no run is counted twice', async () => {
  const services = await Promise.all(
    Array.from({ length: 30 }, (_, i) => {
      const script = `get("${gate.url}").expect(status: ${i % 5 === 0 ? 500 : 200}).wait(${(i % 4) * 60})`
      return database.createProbedService(script)
    }),
  )
  gate.open()
  const living = await Promise.all([onlyWorker(), startWorker()])
  for (let kill = 0; kill < 5; kill++) {
    await database.makeDue(...services.slice(kill * 6, kill * 6 + 6))
    await new Promise((resolve) => setTimeout(resolve, 100 + kill * 74))
    await living.shift()?.kill()
    // The last one is not replaced.
    if (kill < 4) living.push(await startWorker())
  }
  const dispatched = eq(runs.cause, 'schedule')
  await until('every run to be dispatched', async () => (await database.db.$count(runs, dispatched)) === 30)
  await until('every run to be done', async () => (await database.db.$count(runs, ne(runs.state, 'done'))) === 0)

  for (const service of services) {
    const [result, ...more] = await database.resultsOf(service)
    expect(result?.status).toMatch(/^(success|failure|timeout)$/)
    expect(more).toEqual([])
  }
  await checkRollups(database.db)
  expect(await Promise.all(living.map((worker) => worker.stop()))).toEqual([0])
})
