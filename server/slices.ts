import { setImmediate } from 'node:timers/promises'

/** Shorter than the 25 ms that nothing may hold an event loop for, with room for the piece that comes before the look. */
const SLICE_MS = 8

/**
 * For work on many things, one after another: to be awaited between them. It lets others have their turn once this has
 * worked for eight milliseconds.
 */
export function createSlices(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await setImmediate()
    since = performance.now()
  }
}
