import { setImmediate } from 'node:timers/promises'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesAny } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import type { ActorContext } from '../context.ts'
import { readPercentiles } from '../results/statistics/metrics.ts'
import type { BoardOrder } from '../schemas/status/board-sorts.ts'

/** Services whose latencies are read without a pause: 20 ms of the event loop. */
const AT_ONCE = 250

/**
 * Returns the ids of the services that `from` and `where` select, by their p95 of 24 hours; those without runs come last.
 * Percentiles are merged here and not in the database, so each page of this order reads the latencies of all services.
 */
export async function orderByP95(
  { db, actor, now }: ActorContext,
  from: SQL,
  where: SQL,
  order: BoardOrder,
): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select ${services.id} from ${from} where ${where}
    order by ${services.name}, ${services.id}`)
  const latencies: { id: string; p95Ms: number | null }[] = []
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const ids = rows.slice(at, at + AT_ONCE).map(({ id }) => id)
    const percentiles = await readPercentiles(db, matchesAny(services.id, actor.organizationId, ids), now())
    for (const id of ids) latencies.push({ id, p95Ms: percentiles.get(id)?.p95Ms ?? null })
    await setImmediate()
  }
  const sign = order === 'asc' ? 1 : -1
  return latencies.sort((a, b) => compare(a.p95Ms, b.p95Ms, sign)).map(({ id }) => id)
}

function compare(a: number | null, b: number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return (a - b) * sign
}
