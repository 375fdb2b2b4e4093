import { type LatenciesRow, type Percentiles, sumPercentiles } from './metrics.ts'

// The percentiles of a service change only with a run or with the hour. A process keeps those that it computed last, so
// that a list which is read again and again neither reads nor merges the latencies of services that have not run since.

/** What tells whether a service has run since: each stored run adds to the count. A new state begins with other runs. */
export type RunsSeen = { probesTotal: number; lastResultId: string | null }

export type KnownPercentiles = RunsSeen & { hour: string; percentiles: Percentiles | null }

/** About 3 MB. */
const KNOWN_MAX = 10_000
const known = new Map<string, KnownPercentiles>()

/** Returns what the process computed last of a service, null without anything of this hour. */
export function findKnown(serviceId: string, hour: string): KnownPercentiles | null {
  const found = known.get(serviceId)
  return found?.hour === hour ? found : null
}

/** Whether no run was stored since. */
export function isCurrent(
  found: KnownPercentiles | null,
  { probesTotal, lastResultId }: RunsSeen,
): found is KnownPercentiles {
  return found !== null && found.probesTotal === probesTotal && found.lastResultId === lastResultId
}

/** Computes the percentiles of a state from its latencies, and keeps them. */
export function computePercentiles(
  serviceId: string,
  { probesTotal, lastResultId }: RunsSeen,
  hour: string,
  latencies: LatenciesRow,
): Percentiles | null {
  const percentiles = sumPercentiles([latencies])
  known.delete(serviceId)
  known.set(serviceId, { probesTotal, lastResultId, hour, percentiles })
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value as string)
  return percentiles
}
