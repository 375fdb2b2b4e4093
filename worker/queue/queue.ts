import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CronItem,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import { openQueuePool } from '#db/connections/queue-pool.ts'
import { log } from '#server/process/log.ts'
import { forbidUnfairFlags, type SendLimits } from './fair-jobs.ts'
import type { JobIds } from './in-flight.ts'

/** A queue of the library. It counts as lost as soon as the library starts to end it, because that may never finish. */
export type Queue = {
  /** The name under which it locks jobs. */
  poolId: string
  /** Resolves when the library starts to end the queue. A broken queue may never resolve it. */
  lost: Promise<void>
  /** Takes no more jobs. Resolves when its jobs in flight have ended and their outcomes are recorded. */
  stop: () => Promise<void>
  /** Deletes the succeeded jobs that these pools locked, and unlocks the others, except jobs in flight. */
  unlock: (poolIds: string[], ids: JobIds) => Promise<void>
  /** Closes its connections. Waits a moment for running statements. */
  close: () => Promise<void>
}

/** Connections of a queue. Fewer than concurrent jobs, because jobs wait for receivers, not for the database. */
const CONNECTIONS = 4
const STATEMENT_MS = 10_000
const CLOSE_LIMIT_MS = 2_000
/** Each of its workers looks for a job in this interval. Others announce jobs: the database new ones, the worker due ones. */
const POLL_INTERVAL_MS = 60_000

export type QueueOptions = {
  databaseUrl: string
  /** The most connections of the queue. */
  connections?: number | undefined
  /** Jobs at the same time. */
  concurrency: number
  /** How many jobs that send something may run at the same time, by channel. Without it, no task sends. */
  sendingMax?: SendLimits | undefined
  /** The queue takes only jobs of these tasks. */
  tasks: TaskList
  /** The tasks that run periodically. */
  cron?: CronItem[]
}

/** @throws the database's error when the queue cannot be started now */
export async function startQueue({
  databaseUrl,
  connections = CONNECTIONS,
  concurrency,
  sendingMax,
  tasks,
  cron = [],
}: QueueOptions): Promise<Queue> {
  const events: WorkerEvents = new EventEmitter()
  const lost = Promise.withResolvers<void>()
  let poolId = ''
  events.once('pool:create', ({ workerPool }) => {
    poolId = workerPool.id
  })
  events.once('pool:gracefulShutdown', () => lost.resolve())
  const pool = openQueuePool(databaseUrl, {
    name: 'soundline-queue',
    max: Math.min(connections, CONNECTIONS),
    statementMs: STATEMENT_MS,
    onError: (error) => log.debug({ err: error }, 'a connection of the job queue broke'),
  })
  try {
    const runner = await run({
      pgPool: pool,
      concurrency,
      pollInterval: POLL_INTERVAL_MS,
      taskList: tasks,
      ...(sendingMax && { forbiddenFlags: forbidUnfairFlags(events, sendingMax) }),
      parsedCronItems: parseCronItems(cron),
      // Batched, because the library does not catch the error when a single job's end cannot be recorded.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      noHandleSignals: true,
      events,
      logger,
    })
    runner.promise.then(lost.resolve, () => lost.resolve())
    return {
      poolId,
      lost: lost.promise,
      stop: () => stopRunner(runner),
      unlock: (poolIds, ids) => unlock(pool, poolIds, ids),
      close: () => closePool(pool),
    }
  } catch (error) {
    await closePool(pool)
    throw error
  }
}

/** The library throws when the runner has stopped already. */
async function stopRunner(runner: Runner): Promise<void> {
  await runner.stop().catch(() => runner.promise.catch(() => {}))
}

/**
 * The library's own function unlocks all jobs of a pool. Then jobs in flight, and succeeded jobs that the library could
 * not record, would run twice.
 */
async function unlock(pool: pg.Pool, poolIds: string[], { inFlight, succeeded }: JobIds): Promise<void> {
  await pool.query(
    `with done as (
       delete from graphile_worker._private_jobs where locked_by = any($1::text[]) and id = any($3::bigint[]))
     update graphile_worker._private_jobs set locked_at = null, locked_by = null
     where locked_by = any($1::text[]) and id <> all($2::bigint[]) and id <> all($3::bigint[])`,
    [poolIds, [...inFlight], [...succeeded]],
  )
}

async function closePool(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end().catch(() => {}), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })])
}

// The library's info messages are useful to its developers only.
const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

// The library warns at each start that there are fewer connections than concurrent jobs. This is intended: see
// `CONNECTIONS`.
const EXPECTED_WARNING = /maxPoolSize .* smaller than concurrency/

const logger = new Logger((scope) => (level, message) => {
  log[EXPECTED_WARNING.test(message) ? 'debug' : LEVELS[level]]({ ...scope }, message)
})
