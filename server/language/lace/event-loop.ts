// Long synchronous work, in web processes and in workers, yields here so that it does not block the event loop. This
// file is in `lace` because the language imports no other folder, and the whole process must share one time slice.

/**
 * The milliseconds that all such work together may use in one turn of the event loop. No turn may take 25 ms. Probes need
 * shorter ones: a turn is how late the first byte of a response can be noticed.
 */
const SLICE_MS = 1

/** When work began in this turn. */
let sliceStartedAt: number | null = null
const waiting: (() => void)[] = []
const waitingToStart: (() => void)[] = []
let isScheduled = false
/** How many waited when this turn began and are not resumed yet. Those that wait again are left for another turn. */
let resumable = 0
/** Whether work that waited to start was resumed in this turn. */
let hasStarted = false

/** Resumes what waits, until the slice is used up: begun work first, because it holds memory, but one start at least. */
function resumeNext(): void {
  const isOver = isSliceUsed()
  const resume = (isOver ? undefined : takeBegun()) ?? (isOver && hasStarted ? undefined : takeStart())
  if (!resume) return
  resume()
  // A tick that a microtask adds runs after all microtasks, and so after all that was resumed does before it waits again.
  queueMicrotask(() => process.nextTick(resumeNext))
}

function takeBegun(): (() => void) | undefined {
  if (resumable === 0) return undefined
  resumable--
  return waiting.shift()
}

function takeStart(): (() => void) | undefined {
  hasStarted = true
  return waitingToStart.shift()
}

function isSliceUsed(): boolean {
  return sliceStartedAt !== null && performance.now() - sliceStartedAt >= SLICE_MS
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    sliceStartedAt = null
    if (waiting.length + waitingToStart.length === 0) return
    beginSlice()
    resumable = waiting.length
    hasStarted = false
    resumeNext()
  })
}

function beginSlice(): void {
  sliceStartedAt = performance.now()
  schedule()
}

/**
 * Returns whether work has used up its slice of this turn and must await `yieldToEventLoop`. The whole process shares the
 * slice, so twenty pieces of work that start together do not add up to one long turn. Call it every few microseconds, or
 * before each step that may take milliseconds.
 */
export function shouldYield(): boolean {
  if (sliceStartedAt === null) beginSlice()
  return isSliceUsed()
}

/** Resolves in a later turn of the event loop. Callers that wait resume in order. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}

/** Resolves when new work may start: at once while the slice lasts, and otherwise when begun work leaves time for it. */
export async function waitToStart(): Promise<void> {
  if (waitingToStart.length === 0 && !shouldYield()) return
  await new Promise<void>((resolve) => {
    waitingToStart.push(resolve)
    schedule()
  })
}
