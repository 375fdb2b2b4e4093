import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { openQueuePool } from '#db/connections/queue-pool.ts'
import { log } from '#server/process/log.ts'
import { forbidUnfairFlags } from './fair-jobs.ts'

/** The library's queue, once begun. It is taken for lost at the first sign; its own end may never come. */
export type Queue = {
  /** The name under which it locks jobs. */
  poolId: string
  /** Resolves when the queue gives up, which it may not do by itself. */
  lost: Promise<void>
  /** Takes no more jobs. Resolves when those in hand have ended and are ticked off. */
  stop: () => Promise<void>
  /** Frees jobs: all that these pools locked, but for those that are still in hand. */
  unlock: (poolIds: string[], inHand: string[]) => Promise<void>
  /** Ends its connections; waits a moment for statements that are under way. */
  close: () => Promise<void>
}

/** The queue's own connections, beside the program's. Fewer than jobs at a time: those wait for targets, not for it. */
const CONNECTIONS = 6
const STATEMENT_MS = 10_000
const CLOSE_LIMIT_MS = 2_000

export type QueueOptions = {
  databaseUrl: string
  /** Of its own, at most. */
  connections?: number | undefined
  /** Jobs at a time. */
  concurrency: number
  /** How many of these may be such that send something. */
  sendingMax: number
  tasks: TaskList
}

/** @throws the database's error when it cannot be begun now */
export async function startQueue({
  databaseUrl,
  connections = CONNECTIONS,
  concurrency,
  sendingMax,
  tasks,
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
      taskList: tasks,
      forbiddenFlags: forbidUnfairFlags(events, sendingMax),
      parsedCronItems: parseCronItems([
        // One at a time however many hours were slept through.
        { task: 'upkeep', match: '7 * * * *', options: { jobKey: 'upkeep', maxAttempts: 5 } },
        // As many as a turn takes: over a day, far more than there are.
        { task: 'domains', match: '*/10 * * * *', options: { jobKey: 'domains', maxAttempts: 1 } },
        // What a minute did not reach is left for the next.
        { task: 'recent', match: '* * * * *', options: { jobKey: 'recent', maxAttempts: 1 } },
      ]),
      // Singly, a failure to tell that a job has ended would be an error that nobody catches.
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
      unlock: (poolIds, inHand) => unlock(pool, poolIds, inHand),
      close: () => closePool(pool),
    }
  } catch (error) {
    await closePool(pool)
    throw error
  }
}

/** It may have stopped by itself at the same moment, which it calls an error. */
async function stopRunner(runner: Runner): Promise<void> {
  await runner.stop().catch(() => runner.promise.catch(() => {}))
}

/** The library's own function knows no exceptions: what is in hand would be taken twice. */
async function unlock(pool: pg.Pool, poolIds: string[], inHand: string[]): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = null, locked_by = null
     where locked_by = any($1::text[]) and id <> all($2::bigint[])`,
    [poolIds, inHand],
  )
}

async function closePool(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end().catch(() => {}), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })])
}

// What the queue says of its daily business is of interest to nobody but its developers.
const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

// It warns at every start that there are fewer connections than jobs at a time, which is meant: see `CONNECTIONS`.
const EXPECTED_WARNING = /maxPoolSize .* smaller than concurrency/

const logger = new Logger((scope) => (level, message) => {
  log[EXPECTED_WARNING.test(message) ? 'debug' : LEVELS[level]]({ ...scope }, message)
})
