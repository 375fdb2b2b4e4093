import type { VersionMark } from '#server/schemas/results/series.ts'
import { versionsHref } from '../../../../client/addresses/versions-href.ts'
import type { Mark } from '../../../../components/charts/plot.tsx'
import { positionOf } from '../../../../components/charts/time-labels.ts'

/** Labels that are closer than this share of the width would cover each other. */
const APART = 0.06

type Versions = { at: number; first: number; last: number }

/** Returns the marks of the versions that first ran in the buckets, each with the address of its change. Close ones are one. */
export function versionMarks(
  serviceId: string,
  versions: readonly Pick<VersionMark, 'version' | 'firstRunAt'>[],
  buckets: { start: string; end: string }[],
): Mark[] {
  const groups: Versions[] = []
  for (const { version, firstRunAt } of versions) {
    const at = positionOf(firstRunAt, buckets)
    if (at === null) continue
    const group = groups.at(-1)
    if (group && at - group.at < APART) Object.assign(group, rangeWith(group, version))
    else groups.push({ at, first: version, last: version })
  }
  return groups.map(({ at, first, last }) => {
    const isOne = first === last
    const text = isOne ? `v${first}` : `v${first}–${last}`
    const href = versionsHref(serviceId, isOne || first === 1 ? null : first - 1, last)
    return { at, text, title: `${text}: what ${isOne ? 'it' : 'they'} changed`, href }
  })
}

/** A version can run first after a later one, where an agent was slow to read it. */
function rangeWith({ first, last }: Versions, version: number) {
  return { first: Math.min(first, version), last: Math.max(last, version) }
}
