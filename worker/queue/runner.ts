import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '#server/process/log.ts'
import { createHands, type Hands } from './in-flight.ts'
import { beginQueue, type Queue, type QueueOptions } from './queue.ts'

export type JobRunner = Pick<Hands, 'lastTaken' | 'isBusy'> & {
  /** The names under which the jobs of this process are locked: that of its queue first, then those of lost ones. */
  poolIds: () => string[]
  /** Leaves the queue behind and begins another. */
  renew: () => void
  /** Takes no more jobs, and resolves when those in hand have ended; they are told to stop after `GRACE_MS`. */
  stop: () => Promise<void>
  /** Frees the jobs that dead processes held. */
  unlock: (poolIds: string[]) => Promise<void>
}

/** How long jobs in hand may go on once the process is to stop, and then to put down what they have. */
export const GRACE_MS = 10_000
const PUT_DOWN_MS = 20_000
/** How long the library may take to tick off jobs that have ended. */
const TICK_OFF_MS = 3_000
const AGAIN_MS = 1_000

export type RunnerOptions = QueueOptions & {
  /** Begins one queue of the library. */
  begin?: typeof beginQueue
}

/** A queue, and the ids of the jobs it has in hand. */
type Begun = Queue & { jobs: Set<string> }

/**
 * Takes jobs from the queue and hands them to `tasks`, `concurrency` at a time. The library gives its queue up when it
 * cannot tell the database that a job has ended; then it waits for its jobs in hand, for its clock, whose pause grows to
 * a minute, and for a count of batches that may never come out. So a lost queue is left behind at once with what it has
 * in hand, and another is begun, as often as it takes.
 */
export async function startRunner(options: RunnerOptions): Promise<JobRunner> {
  const { concurrency, tasks, begin = beginQueue } = options
  const grace = new AbortController()
  const hands = createHands(concurrency, grace.signal)
  const left = new Set<Begun>()
  let stopping = false
  let renewal = Promise.withResolvers<void>()

  const beginOne = async (): Promise<Begun> => {
    const jobs = new Set<string>()
    return { ...(await begin({ ...options, tasks: hands.guard(tasks, jobs) })), jobs }
  }
  let current = await beginOne()

  const keepGoing = async () => {
    while (!stopping) {
      await Promise.race([current.lost, renewal.promise])
      if (stopping) return
      log.warn('the job queue was lost, and is begun anew')
      const lost = current
      left.add(lost)
      void lost.stop()
      current = (await beginAgain()) ?? lost
      renewal = Promise.withResolvers()
      if (current !== lost) void putAway(lost)
    }
  }

  /** Null when the process is to stop. */
  const beginAgain = async (): Promise<Begun | null> => {
    for (; !stopping; await sleep(AGAIN_MS)) {
      try {
        const next = await beginOne()
        if (stopping) void next.stop()
        return next
      } catch (error) {
        log.warn({ err: error }, 'the job queue cannot be begun yet')
      }
    }
    return null
  }

  /** Frees what the lost queue locked and does not have in hand, and in the end what it locked meanwhile. */
  const putAway = async (lost: Begun) => {
    const free = () => tried(current.unlock([lost.poolId], [...lost.jobs]))
    for (let isFree = false; !stopping && (!isFree || lost.jobs.size > 0); await sleep(AGAIN_MS))
      isFree ||= await free()
    if (stopping) return
    await lost.close()
    while (!stopping && !(await free())) await sleep(AGAIN_MS)
    left.delete(lost)
  }

  const all = () => [current, ...left]
  void keepGoing()
  return {
    lastTaken: hands.lastTaken,
    isBusy: hands.isBusy,
    poolIds: () => all().map((queue) => queue.poolId),
    renew: () => renewal.resolve(),
    unlock: (poolIds) => current.unlock(poolIds, []),
    async stop() {
      stopping = true
      const timer = setTimeout(() => grace.abort(), GRACE_MS)
      const ended = current.stop()
      for (const until = performance.now() + GRACE_MS + PUT_DOWN_MS; performance.now() < until; await sleep(50)) {
        if (all().every((queue) => queue.jobs.size === 0)) break
      }
      clearTimeout(timer)
      await Promise.race([ended, sleep(TICK_OFF_MS, undefined, { ref: false })])
      const inHand = all().flatMap((queue) => [...queue.jobs])
      await tried(
        current.unlock(
          all().map((queue) => queue.poolId),
          inHand,
        ),
      )
      await Promise.all(all().map((queue) => queue.close()))
    },
  }
}

async function tried(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      log.debug({ err: error }, 'jobs could not be freed')
      return false
    },
  )
}
