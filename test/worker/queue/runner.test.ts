import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { JobHelpers } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, describe, expect, test } from 'vitest'
import { enqueueMail } from '#server/schedule/jobs.ts'
import { testDatabase } from '#test/support/database.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { findBacklog } from '#worker/queue/backlog.ts'
import { createInFlightJobs, type JobIds } from '#worker/queue/in-flight.ts'
import { type Queue, startQueue } from '#worker/queue/queue.ts'
import { type JobRunner, startRunner } from '#worker/queue/runner.ts'
import { createStallWatch } from '#worker/queue/stall-watch.ts'
import { wakeQueues } from '#worker/queue/wake.ts'

const database = testDatabase()
let runner: JobRunner | null = null
afterEach(async () => {
  await runner?.stop()
  runner = null
})

const addMail = (to: string) => enqueueMail(database.db, null, { to, subject: 'Hello', text: 'Hello' })
const jobs = () =>
  database.db.execute<{ to: string; locked_by: string | null }>(
    // Mails alone: cron adds other jobs at each full minute, and no task here takes them.
    sql`select payload->>'to' as to, locked_by from graphile_worker._private_jobs
      where payload->>'to' is not null order by id`,
  )

const backlog = () => findBacklog(database.db, uuidv7(), { jobs: [], messages: ['mail'] })

/** A mail task that the test can hold up. */
function mailing() {
  const started: string[] = []
  const held: (() => void)[] = []
  const mail = async (payload: unknown, { abortSignal }: { abortSignal?: AbortSignal }) => {
    const { to } = payload as { to: string }
    started.push(to)
    if (to.startsWith('slow')) await new Promise<void>((resolve) => held.push(resolve))
    if (abortSignal?.aborted) throw new Error('aborted')
  }
  const release = () => {
    for (const end of held.splice(0)) end()
  }
  return { started, release, tasks: { mail } }
}

/** Records the queues that a runner starts. The first one does not report that it is lost. */
function queues() {
  const started: Queue[] = []
  const start = async (...options: Parameters<typeof startQueue>): Promise<Queue> => {
    const queue = await startQueue(...options)
    started.push(queue)
    return started.length === 1 ? { ...queue, lost: new Promise(() => {}) } : queue
  }
  return { started, start }
}

describe('a queue that takes no jobs without giving up', () => {
  test('is restarted while jobs wait', async () => {
    const { started, start } = queues()
    const { started: mails, tasks } = mailing()
    runner = await startRunner({
      databaseUrl: database.url,
      concurrency: 2,
      sendingMax: { webhook: 2, mail: 2 },
      tasks,
      start,
    })
    await started[0]?.stop()
    await addMail('one@example.com')
    await database.db.execute(sql`update graphile_worker._private_jobs set run_at = now() - interval '1 minute'`)
    let at = 0
    const watch = createStallWatch({
      ...runner,
      what: 'jobs',
      longestMs: 60_000,
      restart: runner.restartQueue,
      busyRestartsMax: 1,
      now: () => (at += 2_000),
    })
    for (let tick = 0; tick < 5; tick++) watch((await backlog()).isOverdue.messages)
    await until('the mail', async () => mails.length === 1)
    expect(started).toHaveLength(2)
    expect(runner.lastTaken()?.task).toBe('mail')
  })

  test('keeps its jobs in flight, and its other locked jobs are unlocked', async () => {
    const { started, start } = queues()
    const { started: mails, release, tasks } = mailing()
    runner = await startRunner({
      databaseUrl: database.url,
      concurrency: 2,
      sendingMax: { webhook: 2, mail: 2 },
      tasks,
      start,
    })
    const [lost] = runner.poolIds()
    await addMail('slow@example.com')
    await until('the first mail', async () => mails.length === 1)
    // Locked by the queue, although the response never reached it.
    await database.db.transaction(async (tx) => {
      await enqueueMail(tx, null, { to: 'unheard@example.com', subject: 'Hello', text: 'Hello' })
      await tx.execute(sql`
        update graphile_worker._private_jobs set locked_by = ${lost}, locked_at = now() where payload->>'to' like 'unheard%'`)
    })
    runner.restartQueue()
    await until('the second mail', async () => mails.length === 2)
    expect(runner.poolIds()).toEqual([started[1]?.poolId, lost])
    expect(await jobs()).toContainEqual({ to: 'slow@example.com', locked_by: lost })
    release()
    await until('the job to be recorded', async () => (await jobs()).length === 0)
    expect(mails).toEqual(['slow@example.com', 'unheard@example.com'])
    await until('the lost queue to be forgotten', async () => runner?.poolIds().length === 1)
  })
})

test('a job that succeeded runs only once, although its lost queue could not record it', async () => {
  const { started, start } = queues()
  const { started: mails, release, tasks } = mailing()
  runner = await startRunner({
    databaseUrl: database.url,
    concurrency: 2,
    sendingMax: { webhook: 2, mail: 2 },
    tasks,
    start,
  })
  await addMail('slow@example.com')
  await until('the mail', async () => mails.length === 1)
  await started[0]?.close()
  release()
  await until('the job to end', async () => !runner?.isBusy())
  expect(await jobs()).toEqual([{ to: 'slow@example.com', locked_by: started[0]?.poolId }])
  runner.restartQueue()
  await until('the job to be deleted', async () => (await jobs()).length === 0)
  await until('the lost queue to be forgotten', async () => runner?.poolIds().length === 1)
  expect(mails).toEqual(['slow@example.com'])
})

test('a lost queue and the next one together run no more jobs at the same time than one', async () => {
  const { started: mails, release, tasks } = mailing()
  runner = await startRunner({ databaseUrl: database.url, concurrency: 1, sendingMax: { webhook: 1, mail: 1 }, tasks })
  await addMail('slow-1@example.com')
  await until('the first mail', async () => mails.length === 1)
  expect(runner.isBusy()).toBe(true)
  runner.restartQueue()
  await addMail('second@example.com')
  await until('the next queue to take it', async () => (await jobs()).every((job) => job.locked_by !== null))
  await sleep(100)
  expect(mails).toEqual(['slow-1@example.com'])
  release()
  await until('the second mail', async () => mails.length === 2)
})

test('a job that waits behind jobs in flight does not count as taken', async () => {
  const inFlight = createInFlightJobs(1, new AbortController().signal)
  const ids: JobIds = { inFlight: new Set(), succeeded: new Set() }
  const held: (() => void)[] = []
  const { mail } = inFlight.wrap({ mail: () => new Promise<void>((resolve) => held.push(resolve)) }, ids)
  const take = async (id: string) => mail?.({}, { job: { id } } as JobHelpers)
  const first = take('1')
  await until('the first job to start', async () => held.length === 1)
  const taken = inFlight.lastTaken()
  const second = take('2')
  await sleep(5)
  expect(ids.inFlight.size).toBe(2)
  // Otherwise the stall watch would restart the queue of a worker whose jobs hang for ever.
  expect(inFlight.lastTaken()).toBe(taken)
  held[0]?.()
  await until('the second job to start', async () => held.length === 2)
  expect(inFlight.lastTaken()).not.toBe(taken)
  held[1]?.()
  await Promise.all([first, second])
})

test('jobs that are due later than they were added are found at once by a woken queue', async () => {
  const { started: mails, tasks } = mailing()
  runner = await startRunner({ databaseUrl: database.url, concurrency: 2, sendingMax: { webhook: 2, mail: 2 }, tasks })
  await enqueueMail(database.db, null, { to: 'later@example.com', subject: 'Hello', text: 'Hello' })
  await until('the mail', async () => mails.length === 1)
  await until('the job to be deleted', async () => (await jobs()).length === 0)

  // Added as a failed delivery is: for later, so the queue finds nothing when it is told of the job.
  await database.db.execute(sql`
    select graphile_worker.add_job('mail', '{"to": "retried@example.com"}'::json, run_at => now() + interval '1 second')`)
  expect((await backlog()).dueJobs).toBe(0)
  await until('the job to be due', async () => (await backlog()).dueJobs === 1)
  await wakeQueues(database.db, 1)
  await until('the second mail', async () => mails.length === 2)
})

describe('the stall watch', () => {
  function watched() {
    const state = { waits: true, busy: false, takenAt: -1, at: 0, restarts: 0, ended: 0 }
    const watch = createStallWatch({
      what: 'jobs',
      lastTaken: () => ({ task: 'mail', at: state.takenAt }),
      isBusy: () => state.busy,
      longestMs: 60_000,
      busyRestartsMax: 1,
      now: () => state.at,
      restart: () => {
        state.restarts++
      },
      exit: () => {
        state.ended++
      },
    })
    /** Ticks once per second, and returns the restarts and ends so far. */
    const tickFor = (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        state.at += 1_000
        watch(state.waits)
      }
      return { restarts: state.restarts, ended: state.ended }
    }
    return { state, tickFor }
  }

  test('does not restart a queue that takes jobs, even while many wait', () => {
    const { state, tickFor } = watched()
    for (let i = 0; i < 20; i++) {
      tickFor(4)
      state.takenAt = state.at
    }
    expect(state).toMatchObject({ restarts: 0, ended: 0 })
  })

  test('restarts a busy queue once, after its longest job must have ended, then ends the process', () => {
    const { state, tickFor } = watched()
    state.busy = true
    expect(tickFor(110)).toEqual({ restarts: 0, ended: 0 })
    expect(tickFor(11)).toEqual({ restarts: 1, ended: 0 })
    expect(tickFor(110)).toEqual({ restarts: 1, ended: 0 })
    expect(tickFor(10)).toEqual({ restarts: 1, ended: 1 })
  })

  test('restarts an idle queue three times, with growing pauses, then ends the process', () => {
    const { tickFor } = watched()
    expect(tickFor(8)).toEqual({ restarts: 1, ended: 0 })
    expect(tickFor(10)).toEqual({ restarts: 2, ended: 0 })
    expect(tickFor(20)).toEqual({ restarts: 3, ended: 0 })
    expect(tickFor(38)).toEqual({ restarts: 3, ended: 1 })
  })

  test('counts from zero again after a job was taken, and after ticks that failed', () => {
    const { state, tickFor } = watched()
    tickFor(8)
    state.takenAt = state.at
    tickFor(3)
    state.at += 600_000
    tickFor(4)
    expect(state.restarts).toBe(1)
    tickFor(8)
    expect(state.restarts).toBe(2)
  })
})
