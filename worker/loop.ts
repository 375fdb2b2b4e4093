import { log } from '#server/process/log.ts'

export type Loop = {
  /** Has the next turn now, or right after the one that is going on. */
  poke: () => void
  /** Has no more turns; resolves when the one that is going on has ended. */
  stop: () => Promise<void>
}

/** A turn takes moments. One that takes this long waits for a database that will not answer any more. */
const HUNG_MS = 120_000
const LONGEST_PAUSE_MS = 2_000

/**
 * Calls `turn` every `intervalMs`, never twice at once. A turn that fails is logged, and the next comes after a pause
 * that grows while they fail. One that hangs ends the process: whoever started it starts it again.
 */
export function startLoop(name: string, intervalMs: number, turn: () => Promise<void>): Loop {
  let timer: NodeJS.Timeout | undefined
  let going: Promise<void> | null = null
  let again = false
  let stopped = false
  let pauseMs = intervalMs

  const go = () => {
    clearTimeout(timer)
    again = false
    const watch = setTimeout(() => {
      log.fatal({ loop: name }, 'a turn hangs')
      process.exit(1)
    }, HUNG_MS)
    going = turn()
      .then(
        () => {
          pauseMs = intervalMs
        },
        (error) => {
          log.error({ err: error, loop: name }, 'a turn failed')
          pauseMs = Math.max(intervalMs, Math.min(pauseMs * 2, LONGEST_PAUSE_MS))
          again = false
        },
      )
      .then(() => {
        clearTimeout(watch)
        going = null
        if (!stopped) timer = setTimeout(go, again ? 0 : pauseMs)
      })
  }
  go()

  return {
    poke() {
      if (stopped) return
      if (going) again = true
      else if (pauseMs === intervalMs) go()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await going
    },
  }
}
