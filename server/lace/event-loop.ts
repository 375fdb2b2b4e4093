// Long synchronous work, in web processes and in workers, yields here so that it does not block the event loop. This
// file is in `lace` because the language imports no other folder, and the whole process must share one time slice.

/**
 * The milliseconds that all long work together may use in one turn of the event loop. No turn may take 25 ms.
 */
const SLICE_MS = 8

/** When long computation began in this turn. */
let sliceStartedAt: number | null = null
const waiting: (() => void)[] = []
let isScheduled = false

function resumeNext(): void {
  sliceStartedAt = performance.now()
  waiting.shift()?.()
  schedule()
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    if (waiting.length > 0) resumeNext()
    else sliceStartedAt = null
  })
}

/**
 * Returns whether long work has used up its slice of this turn and must await `yieldToEventLoop`. The whole process
 * shares the slice, so twenty pieces of work that start together do not add up to one long turn. Call it every few
 * microseconds, or before each step that may take milliseconds.
 */
export function shouldYield(): boolean {
  if (sliceStartedAt === null) {
    sliceStartedAt = performance.now()
    schedule()
    return false
  }
  return performance.now() - sliceStartedAt >= SLICE_MS
}

/** Resolves in a later turn of the event loop. Callers that wait resume in order, one per turn. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}
