import { log } from '#server/process/log.ts'

export type Loop = {
  /** Has the next turn now, or right after the one that is going on. */
  trigger: () => void
  /** Has no more turns; resolves when the one that is going on has ended. */
  stop: () => Promise<void>
}

/** A turn takes moments. One that takes this long waits for a database that will not answer any more. */
const TICK_LIMIT_MS = 120_000
const LONGEST_PAUSE_MS = 2_000

/**
 * Calls `turn` every `intervalMs`, never twice at once. A turn that fails is logged, and the next comes after a pause
 * that grows while they fail. One that hangs ends the process: whoever started it starts it again.
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
      log.fatal({ loop: name }, 'a turn hangs')
      process.exit(1)
    }, TICK_LIMIT_MS)
    running = tick()
      .then(
        () => {
          pauseMs = intervalMs
        },
        (error) => {
          log.error({ err: error, loop: name }, 'a turn failed')
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
