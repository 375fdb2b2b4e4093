import { hostname } from 'node:os'
import type { TaskList } from 'graphile-worker'
import type { Db } from '#db/client.ts'
import { warnOperator } from '#server/system/warnings.ts'
import type { Backlog } from './backlog.ts'
import { CRONTAB } from './crontab.ts'
import type { SendLimits } from './fair-jobs.ts'
import { latest } from './in-flight.ts'
import { type JobRunner, startRunner } from './runner.ts'
import { createStallWatch, type StallWatch, type StallWatchOptions } from './stall-watch.ts'

/** The two queues of a worker: jobs that send something, and all others. None waits for permits of the other. */
export type Queues = Pick<JobRunner, 'lastTaken' | 'poolIds' | 'unlock' | 'stop'> & {
  /** Restarts a queue that takes nothing although its jobs wait; ends the process if that fails. */
  watch: (isOverdue: Backlog['isOverdue']) => void
}

export type QueuesOptions = {
  db: Db
  databaseUrl: string
  /** The most connections of both queues together. */
  connections?: number | undefined
  jobs: { concurrency: number; tasks: TaskList }
  sends: { max: SendLimits; tasks: TaskList }
  /** The longest time that a job may take. */
  longestMs: number
}

export async function startQueues(options: QueuesOptions): Promise<Queues> {
  const { databaseUrl, jobs, sends } = options
  const connections = options.connections && Math.floor(options.connections / 2)
  const runner = await startRunner({ databaseUrl, connections, cron: CRONTAB, ...jobs })
  const sender = await startRunner({
    databaseUrl,
    connections,
    concurrency: sends.max.webhook + sends.max.mail,
    sendingMax: sends.max,
    tasks: sends.tasks,
  }).catch(async (error: unknown) => {
    await runner.stop()
    throw error
  })
  const watchJobs = watch('jobs', runner, options)
  const watchSends = watch('messages', sender, options)
  return {
    poolIds: () => [...runner.poolIds(), ...sender.poolIds()],
    lastTaken: () => latest(runner.lastTaken(), sender.lastTaken()),
    unlock: runner.unlock,
    watch(isOverdue) {
      watchJobs(isOverdue.jobs)
      watchSends(isOverdue.messages)
    },
    async stop() {
      await Promise.all([runner.stop(), sender.stop()])
    },
  }
}

function watch(
  what: StallWatchOptions['what'],
  { lastTaken, isBusy, restartQueue }: JobRunner,
  { db, longestMs }: QueuesOptions,
): StallWatch {
  const restart = () => {
    warnOperator(db, 'queue_stalled', hostname(), `${what} were waiting, and the worker took none`)
    restartQueue()
  }
  return createStallWatch({ what, lastTaken, isBusy, longestMs, restart, busyRestartsMax: 1 })
}
