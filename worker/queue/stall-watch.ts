import { log } from '#server/process/log.ts'
import type { LastTaken } from './in-flight.ts'

/** How long an idle worker may take nothing while work is overdue; doubled after each restart that did not help. */
const QUIET_MS = 5_000
/** How much longer than the longest job or run a busy worker may take nothing. */
const BUSY_MARGIN_MS = 60_000
const RESTARTS_MAX = 3

export type StallWatchOptions = {
  /** The watched work, for the log. */
  what: 'jobs' | 'messages' | 'runs'
  lastTaken: () => LastTaken | null
  /** Whether work is in flight: then fairness and load decide how much more may start. */
  isBusy: () => boolean
  /** The longest time that a job or run may take. */
  longestMs: number
  /** Restarts the queue or the picker. */
  restart: () => void
  /** How many restarts may help a busy worker before the process ends. */
  busyRestartsMax: number
  /** Ends the process when restarts do not help. */
  exit?: () => void
  now?: () => number
}

/** A tick. `overdue` tells whether work waits for too long, as read now. */
export type StallWatch = (overdue: boolean) => void

/**
 * Returns a tick that checks whether this process leaves work waiting that it could take. It then restarts the queue or
 * the picker, whatever their state. When several restarts do not help, it ends the process. The time in which the
 * database is unavailable, without ticks, does not count.
 */
export function createStallWatch(options: StallWatchOptions): StallWatch {
  const { what, lastTaken, isBusy, longestMs, restart, now = () => performance.now() } = options
  const exit = options.exit ?? (() => endProcess(what))
  let lastTickAt = 0
  let quietSince: number | null = null
  let restarts = 0

  return (overdue) => {
    const at = now()
    const missedTicks = at - lastTickAt > QUIET_MS
    lastTickAt = at
    const takenAt = lastTaken()?.at ?? Number.NEGATIVE_INFINITY
    if (!overdue || (quietSince !== null && takenAt >= quietSince)) {
      restarts = 0
      quietSince = null
    }
    if (!overdue) return
    if (quietSince === null || missedTicks) quietSince = at
    // A busy worker waits until all work in flight must have ended. A restart does not end work that hangs.
    const [limitMs, restartsMax] = isBusy()
      ? [longestMs + BUSY_MARGIN_MS, options.busyRestartsMax]
      : [QUIET_MS * 2 ** restarts, RESTARTS_MAX]
    if (at - quietSince < limitMs) return
    if (restarts >= restartsMax) return exit()
    restarts++
    quietSince = at
    log.warn({ restarts }, `${what} are waiting, but the worker takes no more: restarting`)
    restart()
  }
}

/** The supervisor starts another process. */
function endProcess(what: StallWatchOptions['what']): void {
  log.fatal(`${what} are waiting, but the worker takes no more after restarts: the process ends`)
  process.exit(1)
}
