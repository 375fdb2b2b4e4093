import type { Queryable } from '#db/client.ts'
import { alias, and, eq, getTableColumns, gte, lte, or, type SQL, sql } from '#db/drizzle.cjs'
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
  const ran = await findRan(db, service, version)
  const own = ran.find((one) => one.version === version)
  const statuses = filter.statuses?.filter((status) => status !== 'skipped') ?? PERFORMED
  if (!own || statuses.length === 0) return []
  const first = own.firstRunAt > from ? own.firstRunAt : from
  const last = until && until < own.lastRunAt ? until : own.lastRunAt
  if (first > last) return []
  const performed = { ...filter, statuses }
  const others = ran.filter((one) => one !== own && one.firstRunAt <= last && one.lastRunAt >= first)
  const ofOthers = and(
    gte(results.startedAt, first),
    lte(results.startedAt, last),
    or(...others.map((other) => inBoth(own, other))),
    isCounted(performed),
    sql`${results.scriptVersion} is distinct from ${version}`,
  )
  const [days, foreign] = await Promise.all([
    countResultDays(db, service, first, last, performed),
    others.length === 0 ? [] : countDaysOf(db, service, ofOthers),
  ])
  const countOf = new Map(foreign.map((row) => [row.day.getTime(), row.count]))
  return days
    .map((row) => ({ ...row, count: row.count - (countOf.get(row.day.getTime()) ?? 0) }))
    .filter((row) => row.count > 0)
}

/** Finds when a version ran, and the versions that ran at the same time. */
function findRan(db: Queryable, service: ServiceRef, version: number): Promise<Ran[]> {
  const other = alias(versionRuns, 'other')
  const atSameTime = and(
    eq(other.organizationId, versionRuns.organizationId),
    eq(other.serviceId, versionRuns.serviceId),
    lte(other.firstRunAt, versionRuns.lastRunAt),
    gte(other.lastRunAt, versionRuns.firstRunAt),
  )
  return db
    .select(getTableColumns(other))
    .from(versionRuns)
    .innerJoin(other, atSameTime)
    .where(and(matchesRow(versionRuns.serviceId, service), eq(versionRuns.version, version)))
}

function countDaysOf(db: Queryable, service: ServiceRef, condition: SQL | undefined): Promise<ResultDays> {
  const day = sql<Date>`date_trunc('day', ${results.startedAt}, 'UTC')`.mapWith(runDays.day)
  return db
    .select({ day, count: sql<number>`count(*)::float8` })
    .from(results)
    .where(and(ofServiceResults(service), condition))
    .groupBy(day)
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
