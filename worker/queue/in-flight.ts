import type { Task, TaskList } from 'graphile-worker'

/** The job or run that was taken last, and when by the process's own clock. */
export type LastTaken = { task: string; at: number }

export function latest(one: LastTaken | null, other: LastTaken | null): LastTaken | null {
  return (one?.at ?? 0) > (other?.at ?? 0) ? one : other
}

export type InFlightJobs = {
  /** The tasks for one queue, which keep in `jobs` the ids of what that queue has in hand. */
  wrap: (tasks: TaskList, jobs: Set<string>) => TaskList
  lastTaken: () => LastTaken | null
  /** Whether it has any in hand. */
  isBusy: () => boolean
}

/**
 * Does at most `max` jobs at a time, whatever number of queues hands them over: one that was lost still has its jobs in
 * hand while the next takes more. They end by themselves, and are told to stop by `signal` alone.
 */
export function createInFlightJobs(max: number, signal: AbortSignal): InFlightJobs {
  const waitingForPermit: (() => void)[] = []
  let busy = 0
  let lastTaken: LastTaken | null = null

  const acquire = async () => {
    if (busy >= max) return new Promise<void>((resolve) => waitingForPermit.push(resolve))
    busy++
  }
  const release = () => {
    const next = waitingForPermit.shift()
    if (next) next()
    else busy--
  }
  const wrapped =
    (name: string, task: Task, jobs: Set<string>): Task =>
    async (payload, helpers) => {
      lastTaken = { task: name, at: performance.now() }
      jobs.add(helpers.job.id)
      await acquire()
      try {
        await task(payload, { ...helpers, abortSignal: signal })
      } finally {
        release()
        jobs.delete(helpers.job.id)
      }
    }

  return {
    wrap: (tasks, jobs) =>
      Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, wrapped(name, task as Task, jobs)])),
    lastTaken: () => lastTaken,
    isBusy: () => busy > 0,
  }
}
