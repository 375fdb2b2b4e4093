import type { ProbeMode } from '#server/schedule/placement.ts'

// An independent model of confirmation and verdict. It keeps nothing between runs: every question is answered from the
// whole history.

export type Outcome = 'success' | 'failure' | 'timeout' | 'skipped'

/** One stored run, with what was true when it was stored. */
export type Observation = {
  agent: string
  outcome: Outcome
  startedAt: Date
  confirmFailures: number
  living: readonly string[]
}

type History = readonly Observation[]

/** Whether the service is failed after these runs. */
export function isFailedAfter(history: History, mode: ProbeMode): boolean {
  const performed = history.filter(({ outcome }) => outcome !== 'skipped')
  const last = performed.at(-1)
  if (!last) return false
  if (mode !== 'simultaneous') return isConfirmed(streakOf(performed))
  if (last.living.length === 0) return isFailedAfter(performed.slice(0, -1), mode)
  const failed = last.living.filter((agent) => isConfirmed(presentStreak(performed, agent)))
  return failed.length >= last.living.length - failed.length
}

/** Whether the service's last run counts as failed, however many failures it takes to confirm it. */
export function isFailingAfter(history: History, mode: ProbeMode): boolean {
  const performed = history.filter(({ outcome }) => outcome !== 'skipped')
  const living = performed.at(-1)?.living ?? []
  if (mode !== 'simultaneous' || living.length === 0) return streakOf(performed).length > 0
  const failing = living.filter((agent) => presentStreak(performed, agent).length > 0)
  return failing.length >= living.length - failing.length
}

/** Since when the service fails without interruption: with several agents at once, since half of them do. */
export function failingSinceAfter(history: History, mode: ProbeMode): Date | null {
  const performed = history.filter(({ outcome }) => outcome !== 'skipped')
  if (mode !== 'simultaneous') return streakOf(performed)[0]?.startedAt ?? null
  const living = performed.at(-1)?.living ?? []
  if (living.length === 0 && performed.length > 0) return failingSinceAfter(performed.slice(0, -1), mode)
  const starts = living.map((agent) => presentStreak(performed, agent)[0]?.startedAt ?? null)
  const candidates = performed.map(({ startedAt }) => startedAt).sort((a, b) => a.getTime() - b.getTime())
  const isHalfSince = (at: Date) => starts.filter((start) => start && start <= at).length * 2 >= living.length
  return candidates.find(isHalfSince) ?? null
}

/** The failures in a row that one agent saw last; none once the others had time for more than two rounds without it. */
function presentStreak(performed: History, agent: string): History {
  const rounds = 2 * (performed.at(-1)?.living.length ?? 0)
  const since = performed.slice(performed.findLastIndex((one) => one.agent === agent) + 1)
  return since.length > rounds ? [] : agentStreak(performed, agent)
}

/** The failures in a row that one agent saw last. */
export function agentStreak(history: History, agent: string): History {
  return streakOf(history.filter((one) => one.agent === agent && one.outcome !== 'skipped'))
}

/** The failures and timeouts after the last success. */
function streakOf(performed: History): History {
  return performed.slice(performed.findLastIndex(({ outcome }) => outcome === 'success') + 1)
}

/** Whether at any run of the streak it was as long as was asked at that time. */
function isConfirmed(streak: History): boolean {
  return streak.some(({ confirmFailures }, i) => i + 1 >= confirmFailures)
}
