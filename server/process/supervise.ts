import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { armDeadMansSwitch } from '#db/embedded/dead-mans-switch.ts'
import { type ChildMessage, ORPHAN_LIMIT_S, STOP_LIMIT_MS, StartupError } from './lifecycle.ts'
import { log } from './log.ts'

const FIRST_DELAY_MS = 250
/** Including its start, a worker is back within 15 s after an unavailable database returns. */
const LONGEST_DELAY_MS = 10_000
/** A child that ran this long was healthy: the delay starts from the beginning. */
const HEALTHY_MS = 60_000
/** Longer than the limit that a program sets itself. */
const KILL_AFTER_MS = STOP_LIMIT_MS + 5_000

/**
 * Megabytes for each half of V8's space of new objects. By default it keeps 96 MB after a busy start, and an idle process
 * takes twice the memory. The npm scripts and the deployment files of web, worker and agent set it too.
 */
const SMALL_NEW_SPACE = '--max-semi-space-size=4'

export type Supervised = {
  /** Starts the child with this environment. */
  start: (environment: NodeJS.ProcessEnv) => void
  /** Resolves when the child is ready for the first time. @throws StartupError with the child's reason */
  ready: Promise<Extract<ChildMessage, { type: 'ready' }>>
  /** Replaces the child by a new one at once, also a child that is waiting for its next start. */
  restart: () => void
  /** Ends the child; it is not restarted. */
  stop: () => Promise<void>
}

/** Returns a function that maps how long a child ran to the delay before its restart: doubled until it was healthy. */
export function createBackoff(): (ranMs: number) => number {
  let nextMs = FIRST_DELAY_MS
  return (ranMs) => {
    if (ranMs >= HEALTHY_MS) nextMs = FIRST_DELAY_MS
    const delayMs = nextMs
    nextMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)
    return delayMs
  }
}

/**
 * Runs a program of ours as a child process, from `start` on. Restarts it when it ends, with a growing delay while it
 * keeps ending. The child has its own process group, so Ctrl-C in a terminal reaches only this process. It ends by itself
 * when its IPC channel closes.
 */
export function supervise(name: string, file: string, args: string[]): Supervised {
  const ready = Promise.withResolvers<Extract<ChildMessage, { type: 'ready' }>>()
  // A rejection that no caller awaits must not end the process.
  ready.promise.catch(() => {})
  let child: ChildProcess | null = null
  let environment: NodeJS.ProcessEnv | undefined
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let isReplaced = false
  const nextDelay = createBackoff()

  const create = () => {
    let readyAt = Number.POSITIVE_INFINITY
    const created = fork(file, args, {
      execArgv: [...process.execArgv, SMALL_NEW_SPACE],
      env: environment,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = created
    // Kills a child that cannot end by itself because it is suspended or busy.
    const guard = created.pid
      ? armDeadMansSwitch(-created.pid, [
          ['WAIT', ORPHAN_LIMIT_S + 2],
          ['KILL', 0],
        ])
      : null
    let startupReason: string | null = null
    created.on('message', (message: ChildMessage) => {
      if (message.type === 'ready') {
        readyAt = performance.now()
        ready.resolve(message)
      } else startupReason = message.reason
    })
    const restart = (why: object) => {
      if (stopping) return
      if (isReplaced) {
        isReplaced = false
        create()
        return
      }
      const delayMs = nextDelay(performance.now() - readyAt)
      log.warn({ child: name, ...why, delayMs }, `the ${name} process ended`)
      timer = setTimeout(create, delayMs)
    }
    created.once('error', (error) => {
      ready.reject(error)
      // The machine could not create the process, so there will be no exit event.
      if (created.pid === undefined) restart({ err: error })
    })
    created.once('exit', (code, signal) => {
      guard?.kill('SIGKILL')
      if (startupReason) ready.reject(new StartupError(startupReason))
      restart({ code, signal, reason: startupReason ?? undefined })
    })
  }
  // When this process exits at once, so must the child.
  process.once('exit', () => child?.kill('SIGKILL'))

  return {
    start(given) {
      environment = given
      create()
    },
    ready: ready.promise,
    restart() {
      if (stopping || isReplaced || child === null) return
      if (isRunning(child)) {
        isReplaced = true
        end(child)
        return
      }
      clearTimeout(timer)
      create()
    },
    stop: async () => {
      stopping = true
      clearTimeout(timer)
      if (child && isRunning(child)) await end(child)
    },
  }
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}

/** Asks a running child to end, and kills it when it takes too long. */
async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const limit = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  await ended
  clearTimeout(limit)
}
