import type { Flapping } from '#db/schema/results.ts'
import { durationText } from '../../schemas/duration-text.ts'

// A service that changes again and again has one open incident and one message. The task `end-flapping` ends it.

/** What is announced of a service. */
export type StateChange = 'service.failed' | 'service.recovered' | 'service.flapping'

/** More changes than this within half an hour are flapping. */
const CHANGES_MAX = 4
const WINDOW_MS = 30 * 60_000

export type ChangeHistory = { changedAt: Date[]; flapping: Flapping | null }

/**
 * Adds a change of the verdict to the history of a service. Returns what is announced: the change itself, the beginning of
 * the flapping, or null while it lasts.
 */
export function addStateChange(
  { changedAt, flapping }: ChangeHistory,
  change: 'service.failed' | 'service.recovered',
  { id: resultId, startedAt }: { id: string; startedAt: Date },
): ChangeHistory & { announced: StateChange | null } {
  const isFailure = change === 'service.failed'
  if (flapping) {
    const failures = flapping.failures + (isFailure ? 1 : 0)
    return { changedAt: [startedAt], flapping: { ...flapping, failures, resultId }, announced: null }
  }
  const recent = [...changedAt.filter((at) => startedAt.getTime() - at.getTime() <= WINDOW_MS), startedAt]
  const [first = startedAt] = recent
  if (recent.length <= CHANGES_MAX) return { changedAt: recent, flapping: null, announced: change }
  // Failures and recoveries alternate.
  const failures = isFailure ? Math.ceil(recent.length / 2) : Math.floor(recent.length / 2)
  return {
    changedAt: [startedAt],
    flapping: { since: startedAt.toISOString(), from: first.toISOString(), failures, resultId },
    announced: 'service.flapping',
  }
}

/** Returns for example `failed 6 times in 41 min`. */
export function flappingText({ failures, from }: Pick<Flapping, 'failures' | 'from'>, until: Date): string {
  return `failed ${failures} times in ${durationText(until.getTime() - Date.parse(from))}`
}
