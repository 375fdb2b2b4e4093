import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Task, TaskOutcome } from '../evaluation/task.ts'

/** The thread was ended: the task took too long, or too much memory. */
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
  /** CPU time of a task, as the machine may be busy. Steps are counted; this is for what they do not see. */
  cpuMs: number
  /** Of a thread's heap. JSON of 10 MiB takes 300 MB at worst. */
  heapMb: number
}

const DEFAULT_LIMITS: ThreadLimits = {
  threads: Math.max(2, Math.min(4, availableParallelism())),
  cpuMs: 6_000,
  heapMb: 512,
}

/** For a task whose thread does not even say what CPU time it took. */
const MAX_TASK_MS = 60_000
const CHECKS_PER_LIMIT = 30
/** An idle thread is kept for so long: to start one takes a tenth of a second. */
const IDLE_MS = 60_000
const LARGE_BODY_BYTES = 4 * 1024 * 1024

type QueuedTask = {
  task: Task
  owner: string
  signal: AbortSignal | null
  resolve: (outcome: TaskOutcome) => void
  reject: (reason: unknown) => void
}

/**
 * Performs tasks in threads of their own. No owner gets the last free thread while it has others, so that nobody waits
 * for somebody else's long tasks; those that wait take turns by what their owners have in use.
 */
export class ThreadPool {
  private readonly limits: ThreadLimits
  private readonly idle: { thread: Worker; timer: NodeJS.Timeout }[] = []
  /** In order of their coming. */
  private queue: QueuedTask[] = []
  /** Threads in use, by owner. */
  private readonly inUse = new Map<string, number>()
  private busy = 0

  constructor(limits: Partial<ThreadLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits }
  }

  /**
   * Rejects with `TaskAborted` when the task takes too long or too much memory: its thread is ended then. Rejects with the
   * signal's reason when that aborts.
   */
  perform(task: Task, owner: string, signal: AbortSignal | null): Promise<TaskOutcome> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const entry: QueuedTask = { task, owner, signal, resolve, reject }
      this.queue.push(entry)
      signal?.addEventListener('abort', () => {
        if (!this.queue.includes(entry)) return
        this.queue = this.queue.filter((one) => one !== entry)
        reject(signal.reason)
      })
      this.startQueued()
    })
  }

  private startQueued(): void {
    while (this.busy < this.limits.threads) {
      const isLastFree = this.busy === this.limits.threads - 1
      const next = this.queue
        .filter(({ owner }) => !isLastFree || !this.inUse.has(owner))
        .reduce<QueuedTask | null>(
          (first, one) => (first && this.usedBy(first) <= this.usedBy(one) ? first : one),
          null,
        )
      if (next === null) return
      this.queue = this.queue.filter((one) => one !== next)
      void this.start(next)
    }
  }

  private usedBy({ owner }: QueuedTask): number {
    return this.inUse.get(owner) ?? 0
  }

  private async start(entry: QueuedTask): Promise<void> {
    this.busy++
    this.inUse.set(entry.owner, this.usedBy(entry) + 1)
    try {
      entry.resolve(await this.run(entry))
    } catch (error) {
      entry.reject(error)
    } finally {
      this.busy--
      const left = this.usedBy(entry) - 1
      if (left > 0) this.inUse.set(entry.owner, left)
      else this.inUse.delete(entry.owner)
      this.startQueued()
    }
  }

  private run({ task, signal }: QueuedTask): Promise<TaskOutcome> {
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
          // The memory that a large one took goes with its thread.
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
    // Unheard, an error would end the process: also of a thread that is idle, or is being ended.
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
    const kept = this.idle.pop()
    if (!kept) return null
    clearTimeout(kept.timer)
    return kept.thread
  }

  private removeIdle(thread: Worker): void {
    const at = this.idle.findIndex((one) => one.thread === thread)
    if (at >= 0) clearTimeout(this.idle.splice(at, 1)[0]!.timer)
  }
}

/** Calls back when the thread has taken more CPU time than it may, counted from now. */
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
  // A thread that has ended tells nothing, and its end is heard of.
  return setInterval(() => void check().catch(() => undefined), cpuMs / CHECKS_PER_LIMIT)
}

function isLarge(task: Task): boolean {
  return task.kind === 'chain' && (task.received.body?.length ?? 0) > LARGE_BODY_BYTES
}

/** Bytes are copied once, and the copy is handed over. */
function messageOf(task: Task): [message: Task, transfer: ArrayBuffer[]] {
  if (task.kind !== 'chain' || task.received.body === null) return [task, []]
  const body = new Uint8Array(task.received.body)
  return [{ ...task, received: { ...task.received, body: body as Buffer } }, [body.buffer]]
}

/** Of the process. */
export const threads = new ThreadPool()
