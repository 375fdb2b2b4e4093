import type { Queryable } from '#db/client.ts'
import { and, desc, eq, gt, gte, lt } from '#db/drizzle.cjs'
import { results } from '#db/schema/results.ts'
import { DAY_MS } from '../../durations.ts'
import { dayOf, ofServiceResults, type ServiceRef, selectRollups } from '../statistics/rollups.ts'
import { bucketStart } from '../statistics/windows.ts'

type Run = { id: string; startedAt: Date }

/**
 * Returns the last run of the service that passed before `run`, from `from` on; null if there is none. Roll-ups give
 * the day, so at most two days of results are read, however long the service has been failing.
 */
export async function findLastPassing(db: Queryable, service: ServiceRef, run: Run, from: Date): Promise<Run | null> {
  const ownDay = bucketStart(run.startedAt, 'day')
  return (
    (await lastPassingBetween(db, service, ownDay < from ? from : ownDay, run.startedAt)) ??
    (await lastOfEarlierDay(db, service, from, ownDay))
  )
}

async function lastOfEarlierDay(db: Queryable, service: ServiceRef, from: Date, before: Date): Promise<Run | null> {
  const days = selectRollups(db, 'runs', service, { type: 'day', since: from, before }, ({ success }, start) => ({
    day: dayOf(start),
    success,
  })).as('days')
  const [last] = await db
    .select({ day: days.day })
    .from(days)
    .where(gt(days.success, 0))
    .orderBy(desc(days.day))
    .limit(1)
  if (!last) return null
  return lastPassingBetween(db, service, last.day < from ? from : last.day, new Date(last.day.getTime() + DAY_MS))
}

async function lastPassingBetween(db: Queryable, service: ServiceRef, from: Date, before: Date): Promise<Run | null> {
  const [found] = await db
    .select({ id: results.id, startedAt: results.startedAt })
    .from(results)
    .where(
      and(
        ofServiceResults(service),
        gte(results.startedAt, from),
        lt(results.startedAt, before),
        eq(results.status, 'success'),
      ),
    )
    .orderBy(desc(results.startedAt), desc(results.id))
    .limit(1)
  return found ?? null
}
