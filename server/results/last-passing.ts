import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { results, runDays, runHours } from '#db/schema/results.ts'
import { DAY_MS } from '../durations.ts'
import { ofServiceResults, ROLLUPS, type ServiceRef, selectRollups } from '../statistics/rollups.ts'
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
  const span = { type: 'day', since: from, before } as const
  const days = selectRollups(db, ROLLUPS.runs, service, span, {
    hours: {
      day: sql<Date>`date_trunc('day', ${runHours.hour}, 'UTC')`.mapWith(runDays.day).as('day'),
      passed: passed(runHours),
    },
    days: { day: runDays.day, passed: passed(runDays) },
  }).as('days')
  const [last] = await db
    .select({ day: days.day })
    .from(days)
    .where(sql`${days.passed} > 0`)
    .orderBy(desc(days.day))
    .limit(1)
  if (!last) return null
  return lastPassingBetween(db, service, last.day < from ? from : last.day, new Date(last.day.getTime() + DAY_MS))
}

function passed(table: typeof runDays | typeof runHours) {
  return sql<number>`${table.success}`.as('passed')
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
