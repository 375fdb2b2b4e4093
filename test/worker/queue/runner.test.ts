import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { enqueueMail } from '#server/schedule/jobs.ts'
import { testDatabase } from '#test/support/database.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type Queue, startQueue } from '#worker/queue/queue.ts'
import { type JobRunner, startRunner } from '#worker/queue/runner.ts'
import { areJobsOverdue, createStallWatch } from '#worker/queue/stall-watch.ts'

const database = testDatabase()
let runner: JobRunner | null = null
afterEach(async () => {
  await runner?.stop()
  runner = null
})

const addMail = (to: string) => enqueueMail(database.db, null, { to, subject: 'Hello', text: 'Hello' })
const jobs = () =>
  database.db.execute<{ to: string; locked_by: string | null }>(
    sql`select payload->>'to' as to, locked_by from graphile_worker._private_jobs order by id`,
  )

/** Mails that "sending" takes as long as the test wants. */
function mailing() {
  const begun: string[] = []
  const held: (() => void)[] = []
  const mail = async (payload: unknown, { abortSignal }: { abortSignal?: AbortSignal }) => {
    const { to } = payload as { to: string }
    begun.push(to)
    if (to.startsWith('slow')) await new Promise<void>((resolve) => held.push(resolve))
    if (abortSignal?.aborted) throw new Error('told to stop')
  }
  const release = () => {
    for (const end of held.splice(0)) end()
  }
  return { begun, release, tasks: { mail } }
}

/** The queues that a runner begins; the first stops taking jobs when it is told to, and says nothing of it. */
function queues() {
  const begun: Queue[] = []
  const start = async (...options: Parameters<typeof startQueue>): Promise<Queue> => {
    const queue = await startQueue(...options)
    begun.push(queue)
    return begun.length === 1 ? { ...queue, lost: new Promise(() => {}) } : queue
  }
  return { begun, start }
}

describe('a queue that takes nothing and does not say so', () => {
  test('is begun anew while jobs wait', async () => {
    const { begun, start } = queues()
    const { begun: mails, tasks } = mailing()
    runner = await startRunner({ databaseUrl: database.url, concurrency: 2, sendingMax: 2, tasks, start })
    await begun[0]?.stop()
    await addMail('one@example.com')
    await database.db.execute(sql`update graphile_worker._private_jobs set run_at = now() - interval '1 minute'`)
    let at = 0
    const watch = createStallWatch({
      ...runner,
      what: 'jobs',
      isOverdue: () => areJobsOverdue(database.db, ['mail']),
      longestMs: 60_000,
      restart: runner.restartQueue,
      now: () => (at += 2_000),
    })
    for (let turn = 0; turn < 5; turn++) await watch()
    await until('the mail', async () => mails.length === 1)
    expect(begun).toHaveLength(2)
    expect(runner.lastTaken()?.task).toBe('mail')
  })

  test('what it has in hand goes on, is taken by no other, and the rest of what it locked is free', async () => {
    const { begun, start } = queues()
    const { begun: mails, release, tasks } = mailing()
    runner = await startRunner({ databaseUrl: database.url, concurrency: 2, sendingMax: 2, tasks, start })
    const [lost] = runner.poolIds()
    await addMail('slow@example.com')
    await until('the first mail', async () => mails.length === 1)
    // Locked by the queue, with an answer that never reached it.
    await database.db.transaction(async (tx) => {
      await enqueueMail(tx, null, { to: 'unheard@example.com', subject: 'Hello', text: 'Hello' })
      await tx.execute(sql`
        update graphile_worker._private_jobs set locked_by = ${lost}, locked_at = now() where payload->>'to' like 'unheard%'`)
    })
    runner.restartQueue()
    await until('the second mail', async () => mails.length === 2)
    expect(runner.poolIds()).toEqual([begun[1]?.poolId, lost])
    expect(await jobs()).toContainEqual({ to: 'slow@example.com', locked_by: lost })
    release()
    await until('the job to be ticked off', async () => (await jobs()).length === 0)
    expect(mails).toEqual(['slow@example.com', 'unheard@example.com'])
    await until('the lost queue to be forgotten', async () => runner?.poolIds().length === 1)
  })
})

test('a lost queue and the next together do no more jobs at a time than one', async () => {
  const { begun: mails, release, tasks } = mailing()
  runner = await startRunner({ databaseUrl: database.url, concurrency: 1, sendingMax: 1, tasks })
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

describe('the watch of the queue', () => {
  function watched() {
    const state = { waits: true, busy: false, takenAt: -1, at: 0, renewals: 0, ended: 0 }
    const watch = createStallWatch({
      what: 'jobs',
      isOverdue: async () => state.waits,
      lastTaken: () => ({ task: 'mail', at: state.takenAt }),
      isBusy: () => state.busy,
      longestMs: 60_000,
      now: () => state.at,
      restart: () => {
        state.renewals++
      },
      exit: () => {
        state.ended++
      },
    })
    /** Looks every second for so many seconds. */
    const look = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        state.at += 1_000
        await watch()
      }
    }
    return { state, look }
  }

  test('lets a queue be that takes jobs, however many wait', async () => {
    const { state, look } = watched()
    for (let i = 0; i < 20; i++) {
      await look(4)
      state.takenAt = state.at
    }
    expect(state).toMatchObject({ renewals: 0, ended: 0 })
  })

  test('lets a worker be that has jobs in hand, until the longest must have ended', async () => {
    const { state, look } = watched()
    state.busy = true
    await look(110)
    expect(state).toMatchObject({ renewals: 0, ended: 0 })
    await look(11)
    expect(state).toMatchObject({ renewals: 0, ended: 1 })
  })

  test('begins anew ever more patiently, then ends the process', async () => {
    const { state, look } = watched()
    await look(8)
    expect(state).toMatchObject({ renewals: 1, ended: 0 })
    await look(10)
    expect(state).toMatchObject({ renewals: 2, ended: 0 })
    await look(20)
    expect(state).toMatchObject({ renewals: 3, ended: 0 })
    await look(38)
    expect(state).toMatchObject({ renewals: 3, ended: 1 })
  })

  test('counts afresh once a job was taken, and after it could not look for a while', async () => {
    const { state, look } = watched()
    await look(8)
    state.takenAt = state.at
    await look(3)
    state.at += 600_000
    await look(4)
    expect(state.renewals).toBe(1)
    await look(8)
    expect(state.renewals).toBe(2)
  })
})
