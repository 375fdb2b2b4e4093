/** What long work may take of one turn of the event loop, all of it together, in milliseconds. */
const SLICE_MS = 8

/** When the long work of this turn began. */
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
 * Whether long work has had its share of this turn, and is to await `nextTurn`. The share is that of all work of the
 * process: twenty pieces that begin at once do not add up to one long turn. To be asked every few microseconds, or
 * before each step that may take milliseconds.
 */
export function shouldYield(): boolean {
  if (sliceStartedAt === null) {
    sliceStartedAt = performance.now()
    schedule()
    return false
  }
  return performance.now() - sliceStartedAt >= SLICE_MS
}

/** Lets other work of the process have its turn. Those that wait go on one by one, a turn each, in order. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}
