import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Outcome, Task } from '../executor/evaluation.ts'

/** The thread was ended: the task took too long, or too much memory. */
export class TaskEnded extends Error {
  override readonly name = 'TaskEnded'
  readonly reason: 'time' | 'memory'

  constructor(reason: 'time' | 'memory') {
    super(`the task took too much ${reason}`)
    this.reason = reason
  }
}

const MOST_THREADS = Math.max(2, Math.min(4, availableParallelism()))
/** What a task may take that counts its steps: the rest is what steps do not see. CPU time, as the machine may be busy. */
const LONGEST_CPU_MS = 6_000
const LONGEST_MS = 60_000
const LOOK_EVERY_MS = 200
/** An idle thread is kept for so long: to start one takes a quarter of a second. */
const IDLE_MS = 60_000
const LARGE_BODY = 4 * 1024 * 1024
/** JSON of 10 MiB takes 300 MB at worst. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

type Waiting = {
  task: Task
  owner: string
  signal: AbortSignal | null
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
}

const idle: { thread: Worker; timer: NodeJS.Timeout }[] = []
/** In order of their coming. */
let waiting: Waiting[] = []
/** Threads in use, by owner. */
const inUse = new Map<string, number>()
let busy = 0

/**
 * Performs a task in a thread, which is ended when it takes too long or too much memory: then this rejects with
 * `TaskEnded`. Threads are few. No owner gets the last free one while it has others, so that nobody waits for somebody
 * else's long tasks, and those that wait take turns by what their owners have in use.
 *
 * Rejects with the signal's reason when it aborts.
 */
export function performInThread(task: Task, owner: string, signal: AbortSignal | null): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const entry: Waiting = { task, owner, signal, resolve, reject }
    waiting.push(entry)
    signal?.addEventListener('abort', () => {
      if (!waiting.includes(entry)) return
      waiting = waiting.filter((one) => one !== entry)
      reject(signal.reason)
    })
    startWaiting()
  })
}

function startWaiting(): void {
  while (busy < MOST_THREADS) {
    const next = waiting
      .filter(({ owner }) => !inUse.has(owner) || busy < MOST_THREADS - 1)
      .reduce<Waiting | null>((first, one) => (first && usedBy(first) <= usedBy(one) ? first : one), null)
    if (next === null) return
    waiting = waiting.filter((one) => one !== next)
    void start(next)
  }
}

function usedBy({ owner }: Waiting): number {
  return inUse.get(owner) ?? 0
}

async function start(entry: Waiting): Promise<void> {
  const { owner } = entry
  busy++
  inUse.set(owner, usedBy(entry) + 1)
  try {
    entry.resolve(await run(entry))
  } catch (error) {
    entry.reject(error)
  } finally {
    busy--
    const left = usedBy(entry) - 1
    if (left > 0) inUse.set(owner, left)
    else inUse.delete(owner)
    startWaiting()
  }
}

function run({ task, signal }: Waiting): Promise<Outcome> {
  const thread = takeIdle() ?? startThread()
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
        thread.on('error', () => undefined)
        void thread.terminate()
        reject(reason)
      })
    const onAbort = () => end(signal?.reason)
    const onMessage = (outcome: Outcome) =>
      settle(() => {
        if (isLarge(task)) void thread.terminate()
        else keep(thread)
        resolve(outcome)
      })
    const onError = (error: NodeJS.ErrnoException) =>
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TaskEnded('memory') : error)
    const onExit = () => end(new Error('the thread ended'))
    const watch = watchOver(thread, () => end(new TaskEnded('time')))
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal?.addEventListener('abort', onAbort)
    thread.postMessage(...messageOf(task))
  })
}

/** Whether the thread is not kept after it: the memory that it took goes with it. */
function isLarge(task: Task): boolean {
  return task.kind === 'chain' && (task.received.body?.length ?? 0) > LARGE_BODY
}

/** Bytes are copied once, and the copy is handed over. */
function messageOf(task: Task): [message: Task, transfer: ArrayBuffer[]] {
  if (task.kind !== 'chain' || task.received.body === null) return [task, []]
  const body = new Uint8Array(task.received.body)
  return [{ ...task, received: { ...task.received, body: body as Buffer } }, [body.buffer]]
}

function watchOver(thread: Worker, onTooLong: () => void): NodeJS.Timeout {
  const startedAt = performance.now()
  let before: number | undefined
  const look = async () => {
    if (performance.now() - startedAt > LONGEST_MS) return onTooLong()
    const { user, system } = await thread.cpuUsage()
    const usedMs = (user + system) / 1_000
    before ??= usedMs
    if (usedMs - before > LONGEST_CPU_MS) onTooLong()
  }
  // A thread that has ended tells nothing, and its end is heard of.
  const watch = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS)
  return watch
}

function startThread(): Worker {
  const thread = new Worker(new URL('./entry.ts', import.meta.url), { resourceLimits: MEMORY, env: {} })
  thread.on('exit', () => forget(thread))
  return thread
}

function keep(thread: Worker): void {
  thread.unref()
  const timer = setTimeout(() => {
    forget(thread)
    void thread.terminate()
  }, IDLE_MS)
  idle.push({ thread, timer: timer.unref() })
}

function takeIdle(): Worker | null {
  const kept = idle.pop()
  if (!kept) return null
  clearTimeout(kept.timer)
  return kept.thread
}

function forget(thread: Worker): void {
  const at = idle.findIndex((one) => one.thread === thread)
  if (at >= 0) clearTimeout(idle.splice(at, 1)[0]!.timer)
}
