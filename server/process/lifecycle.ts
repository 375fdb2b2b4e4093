import { parseArgs } from 'node:util'
import { SettingsError } from './environment.ts'
import { log } from './log.ts'

// How the long-running programs (start, web, worker) start and stop.

/** The program cannot start, for a reason that its operator can fix: printed as one line, without a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError'
  readonly exitCode: number
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** A message from a child process to its parent. */
export type ChildMessage = { type: 'ready'; port?: number } | { type: 'cannot-start'; reason: string }

/** How long runs and jobs in flight may continue once the process stops. They are aborted then. */
export const GRACE_MS = 10_000

/** The longest time that web or worker may take to stop; what still runs then is cut off. */
export const STOP_LIMIT_MS = 60_000

/** The same when the parent process was killed. */
export const ORPHAN_LIMIT_S = 5
const PARENT_CHECK_MS = 500

/** A Ctrl-C arrives twice, from the terminal and from npm: a signal this soon after the first counts as the same. */
const REPEATED_SIGNAL_MS = 1_000

/**
 * Runs a program until SIGINT, SIGTERM or the end of its parent process: the other end of its IPC channel, or the process
 * of the argument `--under PID`.
 *
 * `start` pushes a stop function to `stops` as soon as it has started something. The newest is stopped first, also when
 * `start` fails or is interrupted. The exit code is 0 after a clean stop. A second signal exits at once with 1. A wrong
 * setting or `StartupError` prints one line to stderr and exits with 1 or the error's code; an uncaught error is logged and
 * exits with 1. So does a program that calls `fail` because it cannot go on, once it has stopped.
 */
export async function runProgram(
  start: (stops: AsyncDisposableStack, fail: (reason: string) => void) => Promise<void>,
  stopLimitMs = STOP_LIMIT_MS,
): Promise<void> {
  const stops = new AsyncDisposableStack()
  let stopping = false
  let stoppingSince = 0
  let started = false
  const stop = (code: number) => {
    stopping = true
    stoppingSince = performance.now()
    setTimeout(() => process.exit(code || 1), stopLimitMs).unref()
    return stops.disposeAsync().then(() => process.exit(code), crash)
  }
  const signalled = () => {
    if (!stopping) void stop(0)
    else if (performance.now() - stoppingSince > REPEATED_SIGNAL_MS) process.exit(1)
  }
  process.on('SIGINT', signalled)
  process.on('SIGTERM', signalled)
  whenOrphaned(() => {
    setTimeout(() => process.exit(1), ORPHAN_LIMIT_S * 1_000).unref()
    if (!stopping) void stop(0)
  })
  const fail = (reason: string) => {
    if (stopping) return
    log.fatal(reason)
    void stop(1)
  }
  const uncaught = (error: unknown) => {
    // Errors of an interrupted start are meaningless.
    if (stopping && !started) log.debug({ err: error }, 'the start was interrupted')
    else crash(error)
  }
  process.on('uncaughtException', uncaught)
  process.on('unhandledRejection', uncaught)

  try {
    await start(stops, fail)
    started = true
  } catch (error) {
    if (stopping) return
    if (error instanceof StartupError || error instanceof SettingsError) await reportReason(error.message)
    else log.fatal({ err: error }, 'an error ended the program')
    await stop(error instanceof StartupError ? error.exitCode : 1)
  }
}

/** Calls `leave` once when the parent process has ended, which can happen before this process listens for it. */
function whenOrphaned(leave: () => void): void {
  const { values } = parseArgs({ options: { under: { type: 'string' } }, strict: false })
  const isOrphan = () =>
    (process.send !== undefined && !process.connected) ||
    (typeof values.under === 'string' && process.ppid !== Number(values.under))
  // An IPC channel reports its end itself.
  const timer = process.send === undefined ? setInterval(check, PARENT_CHECK_MS).unref() : undefined
  function check(): void {
    if (!isOrphan()) return
    clearInterval(timer)
    leave()
  }
  process.once('disconnect', check)
  check()
}

/** Runs a command to its end. As above, a wrong setting or `StartupError` prints one line and exits with 1. */
export async function runOnce(task: () => Promise<void>): Promise<void> {
  try {
    await task()
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Sends a message to the parent process, if there is one. */
export function sendToParent(message: ChildMessage): void {
  if (process.connected) process.send?.(message)
}

// A parent prints the reason for its children.
function reportReason(reason: string): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) process.stderr.write(`${reason}\n`, () => resolve())
    else process.send?.({ type: 'cannot-start', reason } satisfies ChildMessage, undefined, {}, () => resolve())
  })
}

function crash(error: unknown): void {
  log.fatal({ err: error }, 'an error ended the program')
  process.exit(1)
}
