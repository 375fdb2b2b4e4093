import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '#server/process/log.ts'
import { createInFlightJobs, type InFlightJobs } from './in-flight.ts'
import { type Queue, type QueueOptions, startQueue } from './queue.ts'

export type JobRunner = Pick<InFlightJobs, 'lastTaken' | 'isBusy'> & {
  /** The names under which the jobs of this process are locked: that of its queue first, then those of lost ones. */
  poolIds: () => string[]
  /** Leaves the queue behind and begins another. */
  restartQueue: () => void
  /** Takes no more jobs, and resolves when those in hand have ended; they are told to stop after `GRACE_MS`. */
  stop: () => Promise<void>
  /** Frees the jobs that dead processes held. */
  unlock: (poolIds: string[]) => Promise<void>
}

/** How long jobs in hand may go on once the process is to stop, and then to put down what they have. */
export const GRACE_MS = 10_000
const ABORT_MS = 20_000
/** How long the library may take to tick off jobs that have ended. */
const COMPLETE_MS = 3_000
const RETRY_DELAY_MS = 1_000

export type RunnerOptions = QueueOptions & {
  /** Begins one queue of the library. */
  start?: typeof startQueue
}

/** A queue, and the ids of the jobs it has in hand. */
type StartedQueue = Queue & { jobs: Set<string> }

/**
 * Takes jobs from the queue and hands them to `tasks`, `concurrency` at a time. The library gives its queue up when it
 * cannot tell the database that a job has ended; then it waits for its jobs in hand, for its clock, whose pause grows to
 * a minute, and for a count of batches that may never come out. So a lost queue is left behind at once with what it has
 * in hand, and another is begun, as often as it takes.
 */
export async function startRunner(options: RunnerOptions): Promise<JobRunner> {
  const { concurrency, tasks, start = startQueue } = options
  const grace = new AbortController()
  const inFlight = createInFlightJobs(concurrency, grace.signal)
  const lostQueues = new Set<StartedQueue>()
  let stopping = false
  let restart = Promise.withResolvers<void>()

  const startOne = async (): Promise<StartedQueue> => {
    const jobs = new Set<string>()
    return { ...(await start({ ...options, tasks: inFlight.wrap(tasks, jobs) })), jobs }
  }
  let current = await startOne()

  const replaceLostQueues = async () => {
    while (!stopping) {
      await Promise.race([current.lost, restart.promise])
      if (stopping) return
      log.warn('the job queue was lost, and is begun anew')
      const lost = current
      lostQueues.add(lost)
      void lost.stop()
      current = (await startReplacement()) ?? lost
      restart = Promise.withResolvers()
      if (current !== lost) void retire(lost)
    }
  }

  /** Null when the process is to stop. */
  const startReplacement = async (): Promise<StartedQueue | null> => {
    for (; !stopping; await sleep(RETRY_DELAY_MS)) {
      try {
        const next = await startOne()
        if (stopping) void next.stop()
        return next
      } catch (error) {
        log.warn({ err: error }, 'the job queue cannot be begun yet')
      }
    }
    return null
  }

  /** Frees what the lost queue locked and does not have in hand, and in the end what it locked meanwhile. */
  const retire = async (lost: StartedQueue) => {
    const free = () => succeeds(current.unlock([lost.poolId], [...lost.jobs]))
    for (let isFree = false; !stopping && (!isFree || lost.jobs.size > 0); await sleep(RETRY_DELAY_MS))
      isFree ||= await free()
    if (stopping) return
    await lost.close()
    while (!stopping && !(await free())) await sleep(RETRY_DELAY_MS)
    lostQueues.delete(lost)
  }

  const all = () => [current, ...lostQueues]
  void replaceLostQueues()
  return {
    lastTaken: inFlight.lastTaken,
    isBusy: inFlight.isBusy,
    poolIds: () => all().map((queue) => queue.poolId),
    restartQueue: () => restart.resolve(),
    unlock: (poolIds) => current.unlock(poolIds, []),
    async stop() {
      stopping = true
      const timer = setTimeout(() => grace.abort(), GRACE_MS)
      const ended = current.stop()
      for (const until = performance.now() + GRACE_MS + ABORT_MS; performance.now() < until; await sleep(50)) {
        if (all().every((queue) => queue.jobs.size === 0)) break
      }
      clearTimeout(timer)
      await Promise.race([ended, sleep(COMPLETE_MS, undefined, { ref: false })])
      const inHand = all().flatMap((queue) => [...queue.jobs])
      await succeeds(
        current.unlock(
          all().map((queue) => queue.poolId),
          inHand,
        ),
      )
      await Promise.all(all().map((queue) => queue.close()))
    },
  }
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      log.debug({ err: error }, 'jobs could not be freed')
      return false
    },
  )
}
