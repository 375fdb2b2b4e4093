import type { Task, TaskList } from 'graphile-worker'

/** The job or run that was taken last, and when by the process's own clock. */
export type LastTaken = { task: string; at: number }

export function latest(one: LastTaken | null, other: LastTaken | null): LastTaken | null {
  return (one?.at ?? 0) > (other?.at ?? 0) ? one : other
}

/** Succeeded jobs that are remembered per queue: more than a queue can have succeeded and not yet recorded. */
const SUCCEEDED_MAX = 1_000

/** The ids of one queue's jobs: those that run now, and the last ones that succeeded. */
export type JobIds = { inFlight: Set<string>; succeeded: Set<string> }

export type InFlightJobs = {
  /** Returns the tasks for one queue; they keep `ids` up to date. */
  wrap: (tasks: TaskList, ids: JobIds) => TaskList
  lastTaken: () => LastTaken | null
  /** Whether any job is in flight. */
  isBusy: () => boolean
}

/**
 * Limits the jobs that run at the same time to `max`, in all queues together: the jobs of a lost queue still run while
 * the next queue takes more. Only `signal` stops a job early.
 */
export function createInFlightJobs(max: number, signal: AbortSignal): InFlightJobs {
  const waiting: (() => void)[] = []
  let busy = 0
  let lastTaken: LastTaken | null = null

  const acquire = async () => {
    if (busy >= max) return new Promise<void>((resolve) => waiting.push(resolve))
    busy++
  }
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }
  const wrapped =
    (name: string, task: Task, { inFlight, succeeded }: JobIds): Task =>
    async (payload, helpers) => {
      const { id } = helpers.job
      inFlight.add(id)
      await acquire()
      // Not earlier: a job that waits behind jobs that hang is no progress for the stall watch.
      lastTaken = { task: name, at: performance.now() }
      try {
        await task(payload, { ...helpers, abortSignal: signal })
        succeeded.add(id)
        const [oldest] = succeeded
        if (succeeded.size > SUCCEEDED_MAX && oldest) succeeded.delete(oldest)
      } finally {
        release()
        inFlight.delete(id)
      }
    }

  return {
    wrap: (tasks, ids) =>
      Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, wrapped(name, task as Task, ids)])),
    lastTaken: () => lastTaken,
    isBusy: () => busy > 0,
  }
}
