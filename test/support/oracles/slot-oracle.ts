import { isFailedAfter, type Observation } from './verdict-oracle.ts'

// An independent model of rechecks, of agents that fail alone and of flapping. It keeps nothing between slots: everything is
// computed from the whole history. For the modes in which one agent runs a slot.

/** A slot: its scheduled run, and the recheck of it if there was one. */
export type SlotHistory = { first: Observation; recheck: Observation | null }[]

const MINUTE_MS = 60_000

/** The runs that count: of a rechecked slot only the recheck, unless it never ran. */
export function countedRuns(slots: SlotHistory): Observation[] {
  return slots.map(({ first, recheck }) => (recheck && recheck.outcome !== 'skipped' ? recheck : first))
}

/** When the verdict changed, and whether it changed to failed. */
function changesOf(counted: readonly Observation[]): { at: number; isFailure: boolean; index: number }[] {
  const verdicts = counted.map((_, i) => isFailedAfter(counted.slice(0, i + 1), 'consecutive'))
  return counted.flatMap(({ startedAt }, index) => {
    const isFailure = verdicts[index] as boolean
    return isFailure === (verdicts[index - 1] ?? false) ? [] : [{ at: startedAt.getTime(), isFailure, index }]
  })
}

/** What is announced with each counted run, and whether the service flaps after it. */
export function announcements(slots: SlotHistory): { announced: string | null; isFlapping: boolean }[] {
  const counted = countedRuns(slots)
  const changes = changesOf(counted)
  /** Episodes of flapping, by the indexes of their first announced and their last change. */
  const episodes: { from: number; to: number }[] = []
  for (let i = 0, begin = 0; i < changes.length; i++) {
    const fifth = i - 4
    if (fifth < begin || at(changes, i) - at(changes, fifth) > 30 * MINUTE_MS) continue
    const quiet = changes.findIndex((_, j) => j >= i && at(changes, j + 1) - at(changes, j) >= 15 * MINUTE_MS)
    const to = quiet < 0 ? changes.length - 1 : quiet
    episodes.push({ from: i, to })
    begin = to
    i = to
  }
  return counted.map(({ startedAt }, index) => {
    const own = changes.findIndex((change) => change.index === index)
    const last = changes.findLastIndex((change) => change.index <= index)
    const episode = episodes.find(({ from, to }) => from <= last && last <= to)
    const isQuiet = episode && startedAt.getTime() - at(changes, last) >= 15 * MINUTE_MS
    const isFlapping = episode !== undefined && !isQuiet
    if (own < 0) return { announced: null, isFlapping }
    if (episode && own > episode.from) return { announced: null, isFlapping }
    if (episode) return { announced: 'service.flapping', isFlapping }
    return { announced: changes[own]?.isFailure ? 'service.failed' : 'service.recovered', isFlapping }
  })
}

function at(changes: { at: number }[], index: number): number {
  return changes[index]?.at ?? Number.POSITIVE_INFINITY
}

/** The living agents whose last run failed, since the service last recovered: they fail alone while it passes. */
export function failingAlone(slots: SlotHistory): string[] {
  const all = slots.flatMap(({ first, recheck }) => (recheck ? [first, recheck] : [first]))
  const performed = all.filter(({ outcome }) => outcome !== 'skipped')
  const living = countedRuns(slots).findLast(({ outcome }) => outcome !== 'skipped')?.living ?? []
  const recoveredAt = changesOf(countedRuns(slots)).at(-1)?.at ?? 0
  return living.filter((agent) => {
    const last = performed.findLast((one) => one.agent === agent)
    return last && last.outcome !== 'success' && last.startedAt.getTime() >= recoveredAt
  })
}
