import { log } from '#server/process/log.ts'

export type Loop = {
  /** Starts the next tick now, or right after the current one. */
  trigger: () => void
  /** Starts no more ticks. Resolves when the current one has ended. */
  stop: () => Promise<void>
}

/** A tick takes milliseconds. A tick that takes this long waits for a database that does not respond. */
const TICK_LIMIT_MS = 120_000
/** The pause after a failed tick, doubled with each further one up to the maximum. */
const [RETRY_DELAY_MS, RETRY_DELAY_MAX_MS] = [250, 2_000]
/** A timer may fire this early. */
const EARLY_MS = 2

/**
 * Calls `tick` at each multiple of `intervalMs`, never twice at once: the scheduler's timer. A tick may resolve with a
 * number: a shorter pause in milliseconds, after which the next one has something to do. A failed tick is logged, and the
 * pause grows while ticks fail. A tick that hangs ends the process; the supervisor starts another one.
 */
export function startLoop(name: string, intervalMs: number, tick: () => Promise<unknown>): Loop {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isTriggered = false
  let stopped = false
  /** Null while ticks succeed. */
  let retryMs: number | null = null
  /** Null until the next multiple. */
  let pauseMs: number | null = null

  const run = () => {
    clearTimeout(timer)
    isTriggered = false
    const watchdog = setTimeout(() => {
      log.fatal({ loop: name }, 'a tick hangs')
      process.exit(1)
    }, TICK_LIMIT_MS)
    running = tick()
      .then(
        (nextMs) => {
          retryMs = null
          pauseMs = typeof nextMs === 'number' && nextMs < intervalMs ? nextMs : null
        },
        (error) => {
          log.error({ err: error, loop: name }, 'a tick failed')
          retryMs = retryMs === null ? RETRY_DELAY_MS : Math.min(retryMs * 2, RETRY_DELAY_MAX_MS)
          isTriggered = false
        },
      )
      .then(() => {
        clearTimeout(watchdog)
        running = null
        if (!stopped) timer = setTimeout(run, isTriggered ? 0 : (retryMs ?? pauseMs ?? msUntilTick(intervalMs)))
      })
  }
  run()

  return {
    trigger() {
      if (stopped) return
      if (running) isTriggered = true
      else if (retryMs === null) run()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Returns the milliseconds until the next multiple of an interval since this process began: loops wake up together. */
function msUntilTick(intervalMs: number): number {
  const leftMs = intervalMs - (performance.now() % intervalMs)
  return Math.ceil(leftMs < EARLY_MS ? leftMs + intervalMs : leftMs)
}
