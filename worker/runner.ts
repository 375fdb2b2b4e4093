import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Logger,
  makeWorkerUtils,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import { openQueuePool } from '#db/queue-pool.ts'
import { log } from '#server/log.ts'
import { shareJobs } from './job-lanes.ts'

export type JobRunner = {
  /** The name under which the queue locks the jobs of this process; another one after the queue was lost. */
  poolId: () => string
  /** Takes no more jobs, and resolves when those in hand have ended; they are told to stop after `GRACE_MS`. */
  stop: () => Promise<void>
  /** Frees the jobs that dead processes held. */
  unlock: (poolIds: string[]) => Promise<void>
}

/** How long jobs in hand may go on once the process is to stop. */
export const GRACE_MS = 10_000

/** The queue's own connections, beside the program's. Fewer than jobs at a time: those wait for targets, not for it. */
const CONNECTIONS = 6
const STATEMENT_MS = 10_000
const AGAIN_MS = 1_000

export type RunnerOptions = {
  databaseUrl: string
  /** Of its own, at most. */
  connections?: number | undefined
  concurrency: number
  /** How many of the jobs at a time may be such that send something. */
  sending: number
  tasks: TaskList
}

/**
 * Takes jobs from the queue and hands them to `tasks`, `concurrency` at a time. The library gives its queue up when it
 * cannot tell the database that a job has ended; it is then begun anew, as often as it takes.
 */
export async function startRunner(options: RunnerOptions): Promise<JobRunner> {
  let stopping = false
  let current = await begin(options)

  const unlock = async (poolIds: string[]) => {
    const pool = queuePool(options.databaseUrl, 1)
    try {
      const utils = await makeWorkerUtils({ pgPool: pool, logger })
      await utils.forceUnlockWorkers(poolIds).finally(() => utils.release())
    } finally {
      await pool.end()
    }
  }

  const keepGoing = async () => {
    while (!stopping) {
      await current.runner.promise.catch(() => {})
      if (stopping) return
      log.warn('the job queue was lost, and is begun anew')
      current = await beginAgain(current)
    }
  }

  const beginAgain = async (lost: Begun): Promise<Begun> => {
    for (;;) {
      await sleep(AGAIN_MS)
      if (stopping) return lost
      try {
        await unlock([lost.poolId])
        return await begin(options)
      } catch (error) {
        log.warn({ err: error }, 'the job queue cannot be begun yet')
      }
    }
  }

  void keepGoing()
  return {
    poolId: () => current.poolId,
    unlock,
    async stop() {
      stopping = true
      // It may be gone at the same moment.
      await current.runner.stop().catch(() => {})
      await current.pool.end()
    },
  }
}

type Begun = { runner: Runner; poolId: string; pool: pg.Pool }

async function begin({
  databaseUrl,
  connections = CONNECTIONS,
  concurrency,
  sending,
  tasks,
}: RunnerOptions): Promise<Begun> {
  const events: WorkerEvents = new EventEmitter()
  let poolId = ''
  events.once('pool:create', ({ workerPool }) => {
    poolId = workerPool.id
  })
  const pool = queuePool(databaseUrl, Math.min(connections, CONNECTIONS))
  try {
    const runner = await run({
      pgPool: pool,
      concurrency,
      taskList: tasks,
      forbiddenFlags: shareJobs(events, sending),
      parsedCronItems: parseCronItems([
        // One at a time however many hours were slept through.
        { task: 'upkeep', match: '7 * * * *', options: { jobKey: 'upkeep', maxAttempts: 5 } },
        // As many as a turn takes: over a day, far more than there are.
        { task: 'domains', match: '*/10 * * * *', options: { jobKey: 'domains', maxAttempts: 1 } },
        // What a minute did not reach is left for the next.
        { task: 'recent', match: '* * * * *', options: { jobKey: 'recent', maxAttempts: 1 } },
      ]),
      gracefulShutdownAbortTimeout: GRACE_MS,
      // Singly, a failure to tell that a job has ended would be an error that nobody catches.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      noHandleSignals: true,
      events,
      logger,
    })
    return { runner, poolId, pool }
  } catch (error) {
    await pool.end()
    throw error
  }
}

function queuePool(databaseUrl: string, max: number): pg.Pool {
  return openQueuePool(databaseUrl, {
    name: 'soundline-queue',
    max,
    statementMs: STATEMENT_MS,
    onError: (error) => log.debug({ err: error }, 'a connection of the job queue broke'),
  })
}

// What the queue says of its daily business is of interest to nobody but its developers.
const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

// It warns at every start that there are fewer connections than jobs at a time, which is meant: see `CONNECTIONS`.
const MEANT = /maxPoolSize .* smaller than concurrency/

const logger = new Logger((scope) => (level, message) => {
  log[MEANT.test(message) ? 'debug' : LEVELS[level]]({ ...scope }, message)
})
