import { log } from '#server/process/log.ts'

export type Loop = {
  /** Starts the next tick now, or right after the current one. */
  trigger: () => void
  /** Starts no more ticks. Resolves when the current one has ended. */
  stop: () => Promise<void>
}

/** A tick takes milliseconds. A tick that takes this long waits for a database that does not respond. */
const TICK_LIMIT_MS = 120_000
const LONGEST_PAUSE_MS = 2_000

/**
 * Calls `tick` every `intervalMs`, never twice at once: the scheduler's timer. A failed tick is logged, and the pause
 * grows while ticks fail. A tick that hangs ends the process; the supervisor starts another one.
 */
export function startLoop(name: string, intervalMs: number, tick: () => Promise<void>): Loop {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isTriggered = false
  let stopped = false
  let pauseMs = intervalMs

  const run = () => {
    clearTimeout(timer)
    isTriggered = false
    const watchdog = setTimeout(() => {
      log.fatal({ loop: name }, 'a tick hangs')
      process.exit(1)
    }, TICK_LIMIT_MS)
    running = tick()
      .then(
        () => {
          pauseMs = intervalMs
        },
        (error) => {
          log.error({ err: error, loop: name }, 'a tick failed')
          pauseMs = Math.max(intervalMs, Math.min(pauseMs * 2, LONGEST_PAUSE_MS))
          isTriggered = false
        },
      )
      .then(() => {
        clearTimeout(watchdog)
        running = null
        if (!stopped) timer = setTimeout(run, isTriggered ? 0 : pauseMs)
      })
  }
  run()

  return {
    trigger() {
      if (stopped) return
      if (running) isTriggered = true
      else if (pauseMs === intervalMs) run()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
