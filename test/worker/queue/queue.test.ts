import type { Task } from 'graphile-worker'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { enqueueMail } from '#server/schedule/jobs.ts'
import { testDatabase } from '#test/support/database.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { until, workerProcesses } from '#test/support/runs/worker-processes.ts'
import { unlockJobs } from '#worker/heartbeat.ts'
import { type Queue, startQueue } from '#worker/queue/queue.ts'

vi.setConfig({ testTimeout: 120_000 })

const database = testDatabase()
const processes = workerProcesses(database.url)
const { start: startWorker } = testWorkers(database.url)
let proxy: DatabaseProxy
const queues: Queue[] = []

beforeEach(async () => {
  proxy = await startProxy(database.url)
})
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()))
  proxy.close()
  await database.db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`)
})

const addMail = (to: string, runAt?: Date) =>
  enqueueMail(database.db, null, { to, subject: 'Hello', text: 'Hello' }, runAt ? { runAt } : {})
const jobs = () => database.db.execute(sql`select attempts, locked_by from graphile_worker.jobs order by id`)

/** A queue whose mails wait until the test releases them. */
async function startHeld(url = database.url) {
  const held = new Map<string, () => void>()
  const state = { started: [] as string[], aborted: [] as string[] }
  const mail: Task = (payload, { abortSignal }) =>
    new Promise<void>((resolve, reject) => {
      const { to } = payload as { to: string }
      state.started.push(to)
      held.set(to, resolve)
      abortSignal.addEventListener('abort', () => {
        if (held.has(to)) state.aborted.push(to)
        reject(new Error('aborted'))
      })
    })
  const queue = await startQueue({ databaseUrl: url, concurrency: 2, tasks: { mail } })
  queues.push(queue)
  const release = (to: string) => {
    held.get(to)?.()
    held.delete(to)
  }
  return { ...queue, state, release }
}

test('takes jobs that are due later than they were added, at the same time', async () => {
  const { state, release } = await startHeld()
  const names = ['one@example.com', 'another@example.com']
  for (const name of names) await addMail(name, new Date(Date.now() + 1_500))
  await until('both jobs to be taken', async () => state.started.length === 2)
  names.forEach(release)
  await until('both jobs to end', async () => (await jobs()).length === 0)
}, 30_000)

test('a stopped queue ends its jobs, and returns those that take too long', async () => {
  const { state, release, stop } = await startHeld()
  await addMail('soon@example.com')
  await addMail('never@example.com')
  await until('both jobs', async () => state.started.length === 2)
  const stopped = stop()
  release('soon@example.com')
  await until('the job to end', async () => (await jobs()).length === 1)
  expect(state.aborted).toEqual([])
  await stopped
  expect(state.aborted).toEqual(['never@example.com'])
  expect(await jobs()).toEqual([{ attempts: 1, locked_by: null }])
})

test('a queue that cannot record the end of a job is lost, and another one does the job again', async () => {
  const { state, release, lost, poolId } = await startHeld(proxy.url)
  await addMail('one@example.com')
  await until('the job', async () => state.started.length === 1)
  expect(lost.aborted).toBe(false)
  proxy.refuse()
  release('one@example.com')
  await until('the queue to be lost', async () => lost.aborted)
  expect(lost.reason).toMatch(/Could not completeJobs/)
  expect(await jobs()).toEqual([{ attempts: 1, locked_by: poolId }])
  await unlockJobs(database.db, [poolId])
  const next = await startHeld()
  await until('the job', async () => next.state.started.length === 1)
  next.release('one@example.com')
  await until('the job to end', async () => (await jobs()).length === 0)
})

test('a queue without answers for 20 s ends its process, once the database is back, and the next one works', async () => {
  let output = ''
  const worker = await processes.start({ DATABASE_URL: proxy.url }, (text) => {
    output += text
  })
  proxy.blackHole()
  await until('the process to be silent', async () => {
    const [row] = await database.db.execute<{ age: number }>(
      sql`select extract(epoch from now() - max(heartbeat_at))::float8 as age from workers`,
    )
    return (row as { age: number }).age > 25
  })
  expect(worker.process.exitCode).toBeNull()
  proxy.restore()
  await until('the process to end', async () => worker.process.exitCode !== null)
  expect(worker.process.exitCode).toBe(1)
  expect(output).toMatch(/the job queue is lost, so the process ends: the database did not answer it/)
  const next = await startWorker()
  expect(await database.db.execute(sql`select id from workers`)).toHaveLength(1)
  await next.stop()
  expect(await database.db.execute(sql`select code from system_warnings`)).toContainEqual({ code: 'queue_stalled' })
})
