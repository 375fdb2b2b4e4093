import { parseSummary } from '../results/results/failure-summary.ts'
import type { FailureGroup } from '../schemas/status/board.ts'

// Failures of one cause: services that fail with the same reason at the same host, since the same five minutes.

const SAME_TIME_MS = 5 * 60_000

export type FailingService = { id: string; cause: string | null; since: string | null }

/** Returns the groups by the ids of their services. A service that fails alone has none. */
export function groupFailures(failing: readonly FailingService[]): Map<string, FailureGroup> {
  const known = failing.flatMap(({ id, cause, since }) => {
    const parts = cause === null || since === null ? null : parseSummary(cause)
    return parts === null ? [] : [{ id, ...parts, since: new Date(since as string) }]
  })
  const groups = new Map<string, FailureGroup>()
  for (const [cause, own] of Map.groupBy(known, ({ host, reason }) => `${host} ${reason}`)) {
    for (const together of splitByTime(own)) {
      const [first] = together
      if (!first || together.length < 2) continue
      const since = first.since.toISOString()
      const { host, reason } = first
      const group = { key: `${cause} ${since}`, host, reason, since, count: together.length }
      for (const { id } of together) groups.set(id, group)
    }
  }
  return groups
}

/** A part begins with its oldest failure, and has those of the five minutes after it. */
function splitByTime<T extends { since: Date }>(failing: readonly T[]): T[][] {
  const parts: T[][] = []
  for (const one of failing.toSorted((a, b) => a.since.getTime() - b.since.getTime())) {
    const part = parts.at(-1)
    const start = part?.[0]?.since
    if (part && start && one.since.getTime() - start.getTime() <= SAME_TIME_MS) part.push(one)
    else parts.push([one])
  }
  return parts
}
