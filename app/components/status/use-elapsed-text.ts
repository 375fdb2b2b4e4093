import { durationText } from '#server/schemas/duration-text.ts'
import { useNow } from '../../client/now.tsx'

const MINUTE_MS = 60_000

/** Returns a function that writes the time since an instant, such as `45 s`, `13 min` or `3 h 2 min`. */
export function useElapsedText(): (since: string) => string {
  const now = useNow()
  return (since) => elapsedText(now - Date.parse(since))
}

/** From a minute on, seconds are left out: they say little and change on every tick. */
export function elapsedText(ms: number): string {
  return durationText(ms < MINUTE_MS ? ms : ms - (ms % MINUTE_MS))
}
