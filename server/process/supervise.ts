import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { armDeadMansSwitch } from '#db/embedded/dead-mans-switch.ts'
import { type ChildMessage, ORPHAN_LIMIT_S, STOP_LIMIT_MS, StartupError } from './lifecycle.ts'
import { log } from './log.ts'

const FIRST_DELAY_MS = 250
/** With the start itself, a worker is back within 15 s of a database that kept it from starting. */
const LONGEST_DELAY_MS = 10_000
/** A child that worked this long was healthy: the next delay is the first again. */
const HEALTHY_MS = 60_000
/** Above the limit that a program sets itself. */
const KILL_AFTER_MS = STOP_LIMIT_MS + 5_000

export type Supervised = {
  /** Settles when the child says that it is ready for the first time. @throws StartupError with the child's reason */
  ready: Promise<Extract<ChildMessage, { type: 'ready' }>>
  /** Ends the child and lets it be. */
  stop: () => Promise<void>
}

/** How long to wait before a child is started again, given how long it worked: longer each time, until one was healthy. */
export function createBackoff(): (workedMs: number) => number {
  let nextMs = FIRST_DELAY_MS
  return (workedMs) => {
    if (workedMs >= HEALTHY_MS) nextMs = FIRST_DELAY_MS
    const delayMs = nextMs
    nextMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)
    return delayMs
  }
}

/**
 * Keeps a program of ours running as a child process: when it dies it is started again, after a delay that grows while
 * it keeps dying. The child runs in a process group of its own, so that Ctrl-C in a terminal reaches us alone, and it
 * ends by itself when its channel to us closes.
 */
export function supervise(name: string, file: string, args: string[], environment: NodeJS.ProcessEnv): Supervised {
  const ready = Promise.withResolvers<Extract<ChildMessage, { type: 'ready' }>>()
  // A stop before that leaves it unsettled; its failure is told to whoever waits.
  ready.promise.catch(() => {})
  let child: ChildProcess
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  const nextDelay = createBackoff()

  const start = () => {
    let readyAt = Number.POSITIVE_INFINITY
    child = fork(file, args, { env: environment, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    // One that cannot end by itself, stopped or busy as it may be, is ended.
    const guard = child.pid
      ? armDeadMansSwitch(-child.pid, [
          ['WAIT', ORPHAN_LIMIT_S + 2],
          ['KILL', 0],
        ])
      : null
    let told: string | null = null
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'ready') {
        readyAt = performance.now()
        ready.resolve(message)
      } else told = message.reason
    })
    const startAgain = (why: object) => {
      if (stopping) return
      const delayMs = nextDelay(performance.now() - readyAt)
      log.warn({ child: name, ...why, delayMs }, `the ${name} process ended`)
      timer = setTimeout(start, delayMs)
    }
    child.once('error', (error) => {
      ready.reject(error)
      // The machine had no room for a process: one that never was does not exit either.
      if (child.pid === undefined) startAgain({ err: error })
    })
    child.once('exit', (code, signal) => {
      guard?.kill('SIGKILL')
      if (told) ready.reject(new StartupError(told))
      startAgain({ code, signal, reason: told ?? undefined })
    })
  }
  start()
  // Whoever ends us at once means our children too.
  process.once('exit', () => child.kill('SIGKILL'))

  return {
    ready: ready.promise,
    stop: async () => {
      stopping = true
      clearTimeout(timer)
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
      await ended
      clearTimeout(limit)
    },
  }
}
