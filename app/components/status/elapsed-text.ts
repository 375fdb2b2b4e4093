import { durationText } from '#server/schemas/duration-text.ts'

const MINUTE_MS = 60_000

/** Returns for example `45 s`, `13 min` or `3 h 2 min`. From a minute on, seconds are left out: they say little and change on every tick. */
export function elapsedText(ms: number): string {
  return durationText(ms < MINUTE_MS ? ms : ms - (ms % MINUTE_MS)).replace(/(?<=\d) /g, '\u00a0')
}
