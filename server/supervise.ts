import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { log } from './log.ts'
import { CannotStart, type ChildMessage, STOP_LIMIT_MS } from './program.ts'

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 30_000
/** A child that lived this long had started well: the next delay is the first again. */
const STEADY_MS = 60_000
/** Above the limit that a program sets itself. */
const KILL_AFTER_MS = STOP_LIMIT_MS + 5_000

export type Supervised = {
  /** Settles when the child says that it is ready for the first time. @throws CannotStart with the child's reason */
  ready: Promise<Extract<ChildMessage, { type: 'ready' }>>
  /** Ends the child and lets it be. */
  stop: () => Promise<void>
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
  let delayMs = FIRST_DELAY_MS

  const start = () => {
    const startedAt = Date.now()
    child = fork(file, args, { env: environment, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    let told: string | null = null
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'ready') ready.resolve(message)
      else told = message.reason
    })
    child.once('error', (error) => ready.reject(error))
    child.once('exit', (code, signal) => {
      if (told) ready.reject(new CannotStart(told))
      if (stopping) return
      if (Date.now() - startedAt > STEADY_MS) delayMs = FIRST_DELAY_MS
      log.warn({ child: name, code, signal, reason: told ?? undefined, delayMs }, `the ${name} process ended`)
      timer = setTimeout(start, delayMs)
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)
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
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
      await ended
      clearTimeout(limit)
    },
  }
}
