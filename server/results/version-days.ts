import { and, eq, gte, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { matchesRow } from '#db/row-match.ts'
import { type RunStatus, results, runDays, versionRuns } from '#db/schema/results.ts'
import { ofServiceResults, type ServiceRef } from '../statistics/rollups.ts'
import { type CountFilter, countResultDays, isCounted, type ResultDays } from './pages.ts'

/** A skipped run ran no version. */
const PERFORMED: readonly RunStatus[] = ['success', 'failure', 'timeout']

type Ran = typeof versionRuns.$inferSelect

/**
 * Counts the results of one version of the script, as `countResultDays`. The counts are those of the time in which the
 * version ran, minus the runs of the versions before and after it that overlap with it, by seconds as a rule.
 */
export async function countVersionDays(
  db: Queryable,
  service: ServiceRef,
  from: Date,
  until: Date | null,
  version: number,
  filter: CountFilter,
): Promise<ResultDays> {
  const ofScript = and(
    eq(versionRuns.organizationId, service.organizationId),
    matchesRow(versionRuns.serviceId, service),
  )
  const [own] = await db
    .select()
    .from(versionRuns)
    .where(and(ofScript, eq(versionRuns.version, version)))
  const statuses = filter.statuses?.filter((status) => status !== 'skipped') ?? PERFORMED
  if (!own || statuses.length === 0) return []
  const first = own.firstRunAt > from ? own.firstRunAt : from
  const last = until && until < own.lastRunAt ? until : own.lastRunAt
  if (first > last) return []
  const performed = { ...filter, statuses }
  const [days, others] = await Promise.all([
    countResultDays(db, service, first, last, performed),
    db
      .select()
      .from(versionRuns)
      .where(
        and(
          ofScript,
          ne(versionRuns.version, version),
          lte(versionRuns.firstRunAt, last),
          gte(versionRuns.lastRunAt, first),
        ),
      ),
  ])
  if (others.length === 0) return days
  const ranges = others.map((other) => inBoth(own, other))
  const day = sql<Date>`date_trunc('day', ${results.startedAt}, 'UTC')`.mapWith(runDays.day)
  const foreign = await db
    .select({ day, count: sql<number>`count(*)::float8` })
    .from(results)
    .where(
      and(
        ofServiceResults(service),
        gte(results.startedAt, first),
        lte(results.startedAt, last),
        or(...ranges),
        isCounted(performed),
        sql`${results.scriptVersion} is distinct from ${version}`,
      ),
    )
    .groupBy(day)
  const countOf = new Map(foreign.map((row) => [row.day.getTime(), row.count]))
  return days
    .map((row) => ({ ...row, count: row.count - (countOf.get(row.day.getTime()) ?? 0) }))
    .filter((row) => row.count > 0)
}

/** Selects the time in which both versions ran. */
function inBoth(own: Ran, other: Ran): SQL | undefined {
  return and(
    gte(results.startedAt, own.firstRunAt),
    gte(results.startedAt, other.firstRunAt),
    lte(results.startedAt, own.lastRunAt),
    lte(results.startedAt, other.lastRunAt),
  )
}
