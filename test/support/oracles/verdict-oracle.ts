import type { ProbeMode } from '#server/schedule/placement.ts'

// An independent model of confirmation and verdict. It keeps nothing between runs: every result is computed from the
// whole history.

export type Outcome = 'success' | 'failure' | 'timeout' | 'skipped'

/** One stored run, with what was true when it was stored. */
export type Observation = {
  agent: string
  outcome: Outcome
  startedAt: Date
  confirmFailures: number
  /** 1 where absent. */
  confirmRecoveries?: number
  living: readonly string[]
}

type History = readonly Observation[]

/** Whether the service is failed after these runs. */
export function isFailedAfter(history: History, mode: ProbeMode): boolean {
  const performed = history.filter(({ outcome }) => outcome !== 'skipped')
  const last = performed.at(-1)
  if (!last) return false
  if (mode !== 'simultaneous') return isConfirmed(performed)
  const living = witnesses(history)
  if (living.length === 0) return isFailedAfter(history.slice(0, history.lastIndexOf(last)), mode)
  const failed = living.filter((agent) => isConfirmed(presentRuns(performed, agent)))
  return failed.length >= living.length - failed.length
}

/** Whether the service's last run counts as failed, however many failures it takes to confirm it. */
export function isFailingAfter(history: History, mode: ProbeMode): boolean {
  const performed = history.filter(({ outcome }) => outcome !== 'skipped')
  const living = witnesses(history)
  if (mode !== 'simultaneous' || living.length === 0) return streakOf(performed).length > 0
  const failing = living.filter((agent) => presentStreak(performed, agent).length > 0)
  return failing.length >= living.length - failing.length
}

/** Since when the service fails without interruption: with several agents at once, since half of them do. */
export function failingSinceAfter(history: History, mode: ProbeMode): Date | null {
  const performed = history.filter(({ outcome }) => outcome !== 'skipped')
  if (mode !== 'simultaneous') return streakOf(performed)[0]?.startedAt ?? null
  const living = witnesses(history)
  const last = performed.at(-1)
  if (living.length === 0 && last) return failingSinceAfter(history.slice(0, history.lastIndexOf(last)), mode)
  const starts = living.map((agent) => presentStreak(performed, agent)[0]?.startedAt ?? null)
  const candidates = performed.map(({ startedAt }) => startedAt).sort((a, b) => a.getTime() - b.getTime())
  const isHalfSince = (at: Date) => starts.filter((start) => start && start <= at).length * 2 >= living.length
  return candidates.find(isHalfSince) ?? null
}

/** The agents alive at the last run that was performed, without those that saw nothing and whose own last part was skipped. */
function witnesses(history: History): readonly string[] {
  const last = history.findLastIndex(({ outcome }) => outcome !== 'skipped')
  const until = history.slice(0, last + 1)
  const performed = until.filter(({ outcome }) => outcome !== 'skipped')
  const isSkipped = (agent: string) => until.findLast((one) => one.agent === agent)?.outcome === 'skipped'
  return until.at(-1)?.living.filter((agent) => !isSkipped(agent) || presentRuns(performed, agent).length > 0) ?? []
}

/** The failures in a row that one agent saw last; none once the others had time for more than two rounds without it. */
function presentStreak(performed: History, agent: string): History {
  return streakOf(presentRuns(performed, agent))
}

/** The runs of an agent since it was away; none once the others had time for more than two rounds without it. */
function presentRuns(performed: History, agent: string): History {
  const last = performed.findLastIndex((one) => one.agent === agent)
  return wasAway(performed, last, performed.length - 1) ? [] : agentRuns(performed, agent, 'simultaneous')
}

/** The failures in a row that one agent saw last. With `simultaneous`, an absence ends them too. */
export function agentStreak(history: History, agent: string, mode: ProbeMode): History {
  return streakOf(agentRuns(history, agent, mode))
}

function agentRuns(history: History, agent: string, mode: ProbeMode): History {
  const performed = history.filter(({ outcome }) => outcome !== 'skipped')
  const own = performed.flatMap((one, at) => (one.agent === agent ? [at] : []))
  const returned =
    mode === 'simultaneous' ? own.findLastIndex((at, i) => wasAway(performed, own[i - 1] ?? at, at, true)) : 0
  return own.slice(Math.max(returned, 0)).map((at) => performed[at] as Observation)
}

/** Whether more than two rounds of all agents lie between two runs. `isOwn`: the later one is the agent's own. */
function wasAway(performed: History, from: number, to: number, isOwn = false): boolean {
  const known = new Set(performed.slice(0, isOwn ? to : to + 1).map(({ agent }) => agent)).size
  return to - from > 2 * Math.max(known, performed[to]?.living.length ?? 0)
}

/** The failures and timeouts after the last success. */
function streakOf(performed: History): History {
  return performed.slice(performed.findLastIndex(({ outcome }) => outcome === 'success') + 1)
}

/**
 * Whether a failure is confirmed: at its run, as many failures in a row were seen as were asked at that time, and at no later
 * run as many passes.
 */
function isConfirmed(performed: History): boolean {
  const inARow = (end: number, isPass: boolean) =>
    end - performed.findLastIndex((one, i) => i <= end && (one.outcome === 'success') !== isPass)
  const confirmed = performed.findLastIndex((one, i) => inARow(i, false) >= one.confirmFailures)
  const recovered = performed.findLastIndex((one, i) => inARow(i, true) >= (one.confirmRecoveries ?? 1))
  return confirmed > recovered
}
