import { setTimeout as sleep } from 'node:timers/promises'
import { GRACE_MS } from '#server/process/lifecycle.ts'
import { log } from '#server/process/log.ts'
import { createInFlightJobs, type InFlightJobs, type JobIds } from './in-flight.ts'
import { type Queue, type QueueOptions, startQueue } from './queue.ts'

export type JobRunner = Pick<InFlightJobs, 'lastTaken' | 'isBusy'> & {
  /**
   * The names under which the jobs of this process are locked: that of the current queue first, then of lost queues.
   */
  poolIds: () => string[]
  /** Replaces the queue with a new one. */
  restartQueue: () => void
  /** Takes no more jobs. Resolves when the jobs in flight have ended; after `GRACE_MS` they are aborted. */
  stop: () => Promise<void>
  /** Unlocks the jobs of dead processes. */
  unlock: (poolIds: string[]) => Promise<void>
}

/** How long aborted jobs may take to end. */
const ABORT_MS = 20_000
/** How long the library may take to record that jobs have ended. */
const COMPLETE_MS = 3_000
const RETRY_DELAY_MS = 1_000

export type RunnerOptions = QueueOptions & {
  /** Starts one queue of the library. */
  start?: typeof startQueue
}

type StartedQueue = Queue & { ids: JobIds }

/**
 * Takes jobs from the queue and runs their tasks, `concurrency` at a time. When the library cannot record that a job
 * has ended, it ends its queue. For that it waits for the jobs, for a timer whose pause grows to a minute, and for a
 * number of batches that it may never reach. So a lost queue is replaced at once, and its jobs in flight continue.
 */
export async function startRunner(options: RunnerOptions): Promise<JobRunner> {
  const { concurrency, tasks, start = startQueue } = options
  const grace = new AbortController()
  const inFlight = createInFlightJobs(concurrency, grace.signal)
  const lostQueues = new Set<StartedQueue>()
  let stopping = false
  let restart = Promise.withResolvers<void>()

  const startOne = async (): Promise<StartedQueue> => {
    const ids: JobIds = { inFlight: new Set(), succeeded: new Set() }
    return { ...(await start({ ...options, tasks: inFlight.wrap(tasks, ids) })), ids }
  }
  let current = await startOne()

  const replaceLostQueues = async () => {
    while (!stopping) {
      await Promise.race([current.lost, restart.promise])
      if (stopping) return
      log.warn('the job queue is lost: starting another')
      const lost = current
      lostQueues.add(lost)
      void lost.stop()
      current = (await startReplacement()) ?? lost
      restart = Promise.withResolvers()
      if (current !== lost) void retire(lost)
    }
  }

  /** Returns null when the process stops. */
  const startReplacement = async (): Promise<StartedQueue | null> => {
    for (; !stopping; await sleep(RETRY_DELAY_MS)) {
      try {
        const next = await startOne()
        if (stopping) void next.stop()
        return next
      } catch (error) {
        log.warn({ err: error }, 'the job queue cannot be started yet')
      }
    }
    return null
  }

  /** Unlocks the jobs of a lost queue that are not in flight. Repeats it at the end, for jobs that it locked later. */
  const retire = async (lost: StartedQueue) => {
    const unlock = () => succeeds(current.unlock([lost.poolId], lost.ids))
    for (let isDone = false; !stopping && (!isDone || lost.ids.inFlight.size > 0); await sleep(RETRY_DELAY_MS))
      isDone ||= await unlock()
    if (stopping) return
    await lost.close()
    while (!stopping && !(await unlock())) await sleep(RETRY_DELAY_MS)
    lostQueues.delete(lost)
  }

  const all = () => [current, ...lostQueues]
  const poolIds = () => all().map((queue) => queue.poolId)
  void replaceLostQueues()
  return {
    lastTaken: inFlight.lastTaken,
    isBusy: inFlight.isBusy,
    poolIds,
    restartQueue: () => restart.resolve(),
    unlock: (pools) => current.unlock(pools, { inFlight: new Set(), succeeded: new Set() }),
    async stop() {
      stopping = true
      const timer = setTimeout(() => grace.abort(), GRACE_MS)
      const ended = current.stop()
      for (const until = performance.now() + GRACE_MS + ABORT_MS; performance.now() < until; await sleep(50)) {
        if (all().every((queue) => queue.ids.inFlight.size === 0)) break
      }
      clearTimeout(timer)
      await Promise.race([ended, sleep(COMPLETE_MS, undefined, { ref: false })])
      const ids = all().map((queue) => queue.ids)
      await succeeds(
        current.unlock(poolIds(), {
          inFlight: new Set(ids.flatMap((own) => [...own.inFlight])),
          succeeded: new Set(ids.flatMap((own) => [...own.succeeded])),
        }),
      )
      await Promise.all(all().map((queue) => queue.close()))
    },
  }
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      log.debug({ err: error }, 'jobs could not be unlocked')
      return false
    },
  )
}
