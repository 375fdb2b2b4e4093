import type { Task, TaskList } from 'graphile-worker'

/** The job or run that was taken last, and when by the process's own clock. */
export type Taken = { task: string; at: number }

export function laterOf(one: Taken | null, other: Taken | null): Taken | null {
  return (one?.at ?? 0) > (other?.at ?? 0) ? one : other
}

export type Hands = {
  /** The tasks for one queue, which keep in `jobs` the ids of what that queue has in hand. */
  guard: (tasks: TaskList, jobs: Set<string>) => TaskList
  lastTaken: () => Taken | null
  /** Whether it has any in hand. */
  isBusy: () => boolean
}

/**
 * Does at most `max` jobs at a time, whatever number of queues hands them over: one that was lost still has its jobs in
 * hand while the next takes more. They end by themselves, and are told to stop by `signal` alone.
 */
export function createHands(max: number, signal: AbortSignal): Hands {
  const waiting: (() => void)[] = []
  let busy = 0
  let taken: Taken | null = null

  const take = async () => {
    if (busy >= max) return new Promise<void>((resolve) => waiting.push(resolve))
    busy++
  }
  const give = () => {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }
  const guarded =
    (name: string, task: Task, jobs: Set<string>): Task =>
    async (payload, helpers) => {
      taken = { task: name, at: performance.now() }
      jobs.add(helpers.job.id)
      await take()
      try {
        await task(payload, { ...helpers, abortSignal: signal })
      } finally {
        give()
        jobs.delete(helpers.job.id)
      }
    }

  return {
    guard: (tasks, jobs) =>
      Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, guarded(name, task as Task, jobs)])),
    lastTaken: () => taken,
    isBusy: () => busy > 0,
  }
}
