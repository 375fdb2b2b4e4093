import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CronItem,
  Logger,
  parseCronItems,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { openQueuePool } from '#db/connections/queue-pool.ts'
import { GRACE_MS } from '#server/process/lifecycle.ts'
import { log } from '#server/process/log.ts'
import { inSpan } from '#server/process/tracing.ts'
import { forbidUnfairFlags, type SendLimits } from './fair-jobs.ts'

export type Queue = {
  /** The name under which it locks jobs. */
  poolId: string
  /** Aborts with a text when the queue takes no more jobs, for ever. */
  lost: AbortSignal
  /** Resolves when the jobs in flight have ended; they are aborted after `GRACE_MS`. Does not wait for a lost queue. */
  stop: () => Promise<void>
}

/** Fewer than concurrent jobs, because jobs wait for receivers, not for the database. */
const CONNECTIONS_MAX = 4
const STATEMENT_MS = 10_000
/** How often each of its workers asks for a job that became due. The database announces jobs that are due when added. */
const POLL_MS = 4_000
/** A queue is lost when a question for a job is not answered for so many ticks. A suspended process has none. */
const LOST_TICKS = 4
const TICK_MS = 5_000
/** How long aborted jobs may take to end. */
const ABORT_MS = 20_000

export type QueueOptions = {
  databaseUrl: string
  connections?: number | undefined
  /** Jobs at the same time. */
  concurrency: number
  /** How many jobs that send something may run at the same time, by channel. Without it, no task sends. */
  sendingMax?: SendLimits
  /** The queue takes only jobs of these tasks. */
  tasks: TaskList
  cron?: CronItem[]
  onTaken?: (task: string) => void
}

/** @throws the database's error when the queue cannot be started now */
export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { databaseUrl, connections = CONNECTIONS_MAX, concurrency, sendingMax, tasks, cron = [], onTaken } = options
  const events: WorkerEvents = new EventEmitter()
  const lost = new AbortController()
  let poolId = ''
  let isStopping = false
  let isAsking = false
  let ticks = 0
  const watch = setInterval(() => {
    if (isAsking && ++ticks >= LOST_TICKS) lost.abort('the database did not answer it')
  }, TICK_MS).unref()
  lost.signal.addEventListener('abort', () => clearInterval(watch))
  const answered = () => {
    isAsking = false
    ticks = 0
  }
  events.on('worker:getJob:start', () => {
    isAsking = true
  })
  events.on('worker:getJob:empty', answered)
  events.on('job:start', ({ job }) => {
    answered()
    onTaken?.(job.task_identifier)
  })
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id
  })
  // The library gives up when it cannot record that a job has ended.
  events.on('pool:gracefulShutdown', ({ message }) => {
    if (!isStopping) lost.abort(message)
  })
  const onError = (err: Error) => log.debug({ err }, 'a connection of the job queue broke')
  const max = Math.min(connections, CONNECTIONS_MAX)
  const pgPool = openQueuePool(databaseUrl, { name: 'soundline-queue', max, statementMs: STATEMENT_MS, onError })
  const runner = await run({
    pgPool,
    concurrency,
    pollInterval: POLL_MS,
    taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, traced(name, task as Task)])),
    ...(sendingMax && { forbiddenFlags: forbidUnfairFlags(events, sendingMax) }),
    parsedCronItems: parseCronItems(cron),
    gracefulShutdownAbortTimeout: GRACE_MS,
    // Batched, because the library does not catch the error when a single job's end cannot be recorded.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    noHandleSignals: true,
    events,
    logger,
  })
  runner.promise.catch((error: Error) => lost.abort(error.message))
  const stop = () => {
    clearInterval(watch)
    return runner.stop().then(() => pgPool.end())
  }
  return {
    poolId,
    lost: lost.signal,
    async stop() {
      if (isStopping || lost.signal.aborted) return
      isStopping = true
      await Promise.race([stop(), sleep(GRACE_MS + ABORT_MS, null, { ref: false })])
    },
  }
}

function traced(name: string, task: Task): Task {
  return (payload, helpers) => inSpan(`job ${name}`, { kind: 'consumer' }, async () => task(payload, helpers))
}

// Its warnings and infos are for its developers: one of them is that there are fewer connections than jobs.
const LEVELS = { error: 'error', warning: 'debug', info: 'debug', debug: 'trace' } as const
const logger = new Logger((scope) => (level, message) => log[LEVELS[level]]({ ...scope }, message))
