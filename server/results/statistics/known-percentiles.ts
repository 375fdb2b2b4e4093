import type { Queryable } from '#db/client.ts'
import { matchesRows, type RowKey } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { type MetricTotals, readPercentiles } from './metrics.ts'
import type { Percentiles } from './sketch.ts'
import { bucketStart } from './windows.ts'

// The percentiles of a service change only with a run or with the hour. A process keeps those that it computed last, so
// that a list which is read again and again neither reads nor merges the latencies of services that have not run since.

/** A service, and what tells whether it has run since: each stored run adds to the count, a new state has other runs. */
type SeenService = Pick<MetricTotals, 'probesTotal' | 'lastRunAt'> & RowKey<string> & { lastResultId: string | null }

/** About 3 MB. */
const KNOWN_MAX = 10_000
const known = new Map<string, { version: string; percentiles: Percentiles | null }>()

/** Returns the percentiles of services by id. Reads the latencies of those that have run since this process read them. */
export async function readKnownPercentiles(
  db: Queryable,
  seen: readonly SeenService[],
  now: Date,
): Promise<Map<string, Percentiles | null>> {
  const hour = bucketStart(now, 'hour').getTime()
  const versionOf = ({ probesTotal, lastResultId }: SeenService) => `${hour} ${probesTotal} ${lastResultId}`
  const unknown = seen.filter((one) => one.lastRunAt !== null && known.get(one.id)?.version !== versionOf(one))
  // Taken now, because others may push them out of what is kept meanwhile.
  const percentiles = new Map(seen.map(({ id }) => [id, known.get(id)?.percentiles ?? null]))
  if (unknown.length === 0) return percentiles
  const read = await readPercentiles(db, matchesRows(services.id, unknown), now)
  for (const one of unknown) {
    const found = read.get(one.id) ?? null
    percentiles.set(one.id, found)
    known.delete(one.id)
    known.set(one.id, { version: versionOf(one), percentiles: found })
    if (known.size > KNOWN_MAX) known.delete(known.keys().next().value as string)
  }
  return percentiles
}
