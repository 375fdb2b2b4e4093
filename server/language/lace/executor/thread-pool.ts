import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { FairQueue } from '../../../fairness/fair-queue.ts'
import type { Task, TaskOutcome } from '../evaluation/task.ts'

/** The task took too long or too much memory, and its thread was terminated. */
export class TaskAborted extends Error {
  override readonly name = 'TaskAborted'
  readonly reason: 'time' | 'memory'

  constructor(reason: 'time' | 'memory') {
    super(`the task took too much ${reason}`)
    this.reason = reason
  }
}

export type ThreadLimits = {
  threads: number
  /** CPU time per task, which does not depend on the load of the machine. A safety net for costs that steps miss. */
  cpuMs: number
  /** Heap size per thread. JSON of 10 MiB takes 300 MB at worst. */
  heapMb: number
}

const DEFAULT_LIMITS: ThreadLimits = {
  threads: Math.max(2, Math.min(4, availableParallelism())),
  cpuMs: 6_000,
  heapMb: 512,
}

/** Wall-clock limit, for a thread that does not even report its CPU time. */
const MAX_TASK_MS = 60_000
const CHECKS_PER_LIMIT = 30
/** Idle threads are kept this long: starting one takes a tenth of a second. */
const IDLE_MS = 60_000
const LARGE_BODY_BYTES = 4 * 1024 * 1024

/** Performs tasks in threads, which owners share: an owner that uses a thread does not get the last free one. */
export class ThreadPool {
  private readonly limits: ThreadLimits
  private readonly idle: { thread: Worker; timer: NodeJS.Timeout }[] = []
  private readonly places: FairQueue

  constructor(limits: Partial<ThreadLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits }
    this.places = new FairQueue(this.limits.threads)
  }

  /**
   * Performs a task. Rejects with the signal's reason when it aborts.
   *
   * @throws TaskAborted when the task takes too long or too much memory
   */
  async perform(task: Task, owner: string, signal: AbortSignal | null): Promise<TaskOutcome> {
    const release = await this.places.acquire({ organizationId: owner }, { signal })
    try {
      signal?.throwIfAborted()
      return await this.run(task, signal)
    } finally {
      release()
    }
  }

  private run(task: Task, signal: AbortSignal | null): Promise<TaskOutcome> {
    const thread = this.takeIdle() ?? this.startThread()
    thread.ref()
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearInterval(watch)
        signal?.removeEventListener('abort', onAbort)
        thread.off('message', onMessage).off('error', onError).off('exit', onExit)
        outcome()
      }
      const end = (reason: unknown) =>
        settle(() => {
          void thread.terminate()
          reject(reason)
        })
      const onAbort = () => end(signal?.reason)
      const onMessage = (outcome: TaskOutcome) =>
        settle(() => {
          // Terminating the thread frees the memory of a large task.
          if (isLarge(task)) void thread.terminate()
          else this.keepIdle(thread)
          resolve(outcome)
        })
      const onError = (error: NodeJS.ErrnoException) =>
        end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TaskAborted('memory') : error)
      const onExit = () => end(new Error('the thread ended'))
      const watch = watchCpuTime(thread, this.limits.cpuMs, () => end(new TaskAborted('time')))
      thread.on('message', onMessage).on('error', onError).on('exit', onExit)
      signal?.addEventListener('abort', onAbort)
      thread.postMessage(...messageOf(task))
    })
  }

  private startThread(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: this.limits.heapMb, maxYoungGenerationSizeMb: 32 }
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits, env: {} })
    // An unhandled error would end the process, also of a thread that is idle or terminating.
    thread.on('error', () => this.removeIdle(thread)).on('exit', () => this.removeIdle(thread))
    return thread
  }

  private keepIdle(thread: Worker): void {
    thread.unref()
    const timer = setTimeout(() => {
      this.removeIdle(thread)
      void thread.terminate()
    }, IDLE_MS)
    this.idle.push({ thread, timer: timer.unref() })
  }

  private takeIdle(): Worker | null {
    const idle = this.idle.pop()
    if (!idle) return null
    clearTimeout(idle.timer)
    return idle.thread
  }

  private removeIdle(thread: Worker): void {
    const at = this.idle.findIndex((one) => one.thread === thread)
    if (at >= 0) clearTimeout(this.idle.splice(at, 1)[0]!.timer)
  }
}

/** Calls `onTooLong` when the thread has used more than `cpuMs` of CPU time from now on. */
function watchCpuTime(thread: Worker, cpuMs: number, onTooLong: () => void): NodeJS.Timeout {
  const startedAt = performance.now()
  let startCpuMs: number | undefined
  const check = async () => {
    if (performance.now() - startedAt > MAX_TASK_MS) return onTooLong()
    const { user, system } = await thread.cpuUsage()
    const usedMs = (user + system) / 1_000
    startCpuMs ??= usedMs
    if (usedMs - startCpuMs > cpuMs) onTooLong()
  }
  // A thread that has ended rejects the query; its `exit` event is handled elsewhere.
  return setInterval(() => void check().catch(() => undefined), cpuMs / CHECKS_PER_LIMIT)
}

function isLarge(task: Task): boolean {
  return task.kind === 'chain' && (task.received.body?.length ?? 0) > LARGE_BODY_BYTES
}

/** Copies the body once and transfers the copy to the thread. */
function messageOf(task: Task): [message: Task, transfer: ArrayBuffer[]] {
  if (task.kind !== 'chain' || task.received.body === null) return [task, []]
  const body = new Uint8Array(task.received.body)
  return [{ ...task, received: { ...task.received, body: body as Buffer } }, [body.buffer]]
}

/** The thread pool of the process. */
export const threads = new ThreadPool()
