import { parseArgs } from 'node:util'
import { log } from './log.ts'
import { SettingsError } from './settings.ts'

// How the long-lived programs (start, web, worker) begin and end.

/** The program cannot start, for a reason its operator can mend: one line, without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** What a child tells the program that started it. */
export type ChildMessage = { type: 'ready'; port?: number } | { type: 'cannot-start'; reason: string }

/** Longer than the stop of web or worker has to take; what is left then is cut off. */
export const STOP_LIMIT_MS = 60_000

/** What remains of that when the process that started this one was killed: nothing is left behind for longer. */
export const ORPHAN_LIMIT_S = 5
const LOOK_FOR_PARENT_MS = 500

/** A Ctrl-C comes twice, from the terminal and from npm: a signal so soon after the first is no second one. */
const ECHO_MS = 1_000

/**
 * Runs a program until SIGINT, SIGTERM or the end of the process that started it: the one that holds the other end of
 * its channel, or that the argument `--under PID` names.
 *
 * `start` puts on `stops` how to stop what it starts, as soon as it has started it; the newest is stopped first, and a
 * start that fails or is interrupted half-way stops what it had. Exit code 0 after a clean stop. A second signal exits
 * at once with 1. A wrong setting or `StartupError` is one line on stderr and exit code 1; an error that nobody caught
 * is logged, and exits with 1.
 */
export async function runProgram(
  start: (stops: AsyncDisposableStack) => Promise<void>,
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
    else if (performance.now() - stoppingSince > ECHO_MS) process.exit(1)
  }
  process.on('SIGINT', signalled)
  process.on('SIGTERM', signalled)
  whenOrphaned(() => {
    setTimeout(() => process.exit(1), ORPHAN_LIMIT_S * 1_000).unref()
    if (!stopping) void stop(0)
  })
  const uncaught = (error: unknown) => {
    // What is cut off in the middle of a start fails in its own way, and that tells nobody anything.
    if (stopping && !started) log.debug({ err: error }, 'cut off')
    else crash(error)
  }
  process.on('uncaughtException', uncaught)
  process.on('unhandledRejection', uncaught)

  try {
    await start(stops)
    started = true
  } catch (error) {
    if (stopping) return
    if (error instanceof StartupError || error instanceof SettingsError) await reportReason(error.message)
    else log.fatal({ err: error }, 'ended by an error')
    await stop(1)
  }
}

/** Calls once when the process that started this one has ended. It may have before this one could hear of it. */
function whenOrphaned(leave: () => void): void {
  const { values } = parseArgs({ options: { under: { type: 'string' } }, strict: false })
  const isAlone = () =>
    (process.send !== undefined && !process.connected) ||
    (typeof values.under === 'string' && process.ppid !== Number(values.under))
  const timer = setInterval(look, LOOK_FOR_PARENT_MS)
  timer.unref()
  function look(): void {
    if (!isAlone()) return
    clearInterval(timer)
    leave()
  }
  process.once('disconnect', look)
  look()
}

/** Runs something that ends by itself, with the same manners: a wrong setting or `StartupError` is one line, exit 1. */
export async function runOnce(task: () => Promise<void>): Promise<void> {
  try {
    await task()
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Tells the parent process, where there is one. */
export function sendToParent(message: ChildMessage): void {
  if (process.connected) process.send?.(message)
}

// The parent says it for its children.
function reportReason(reason: string): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) process.stderr.write(`${reason}\n`, () => resolve())
    else process.send?.({ type: 'cannot-start', reason } satisfies ChildMessage, undefined, {}, () => resolve())
  })
}

function crash(error: unknown): void {
  log.fatal({ err: error }, 'ended by an error')
  process.exit(1)
}
