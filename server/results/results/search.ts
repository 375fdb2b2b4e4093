import type { Queryable } from '#db/client.ts'
import { and, asc, desc, eq, gte, lt, lte, or, type SQL, sql } from '#db/drizzle.cjs'
import { results } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import { type Page, pageOffset } from '../../paging.ts'
import type { PageQuery } from '../../schemas/conventions.ts'
import type { ResultFilter, ResultSummary, WeekCell } from '../../schemas/results/results.ts'
import { ofServiceResults, type ServiceRef } from '../statistics/rollups.ts'
import { bucketStart } from '../statistics/windows.ts'
import { type CountFilter, countResultDays, isCounted, locatePage, type ResultDays, totalOf } from './pages.ts'
import { clampToRetention, retentionStart } from './retention.ts'
import { countVersionDays } from './version-days.ts'
import { hoursOfCell } from './week-cell.ts'

// Results of a service by period, status, agent and script version. Counts per day come from roll-ups, so a page is read
// from the days that hold it, and the cost does not grow with the number of results.

/** The filters of a list of results. A null `until` is no bound. */
export type Selection = CountFilter & {
  from: Date
  until: Date | null
  version: number | undefined
  /** The only UTC hours to search. */
  hours: Date[] | null
}

type SelectionInput = ResultFilter & {
  since?: string | undefined
  until?: string | undefined
  cell?: WeekCell | undefined
}

/** Reads the filters of a query. Instants are moved into the time of which results are kept. */
export function readSelection(input: SelectionInput, now: Date, retentionDays: number): Selection {
  return {
    from:
      input.since === undefined
        ? retentionStart(now, retentionDays)
        : clampToRetention(startOfSecond(Date.parse(input.since)), now, retentionDays),
    until: input.until === undefined ? null : new Date(Math.min(Date.parse(input.until), now.getTime() + DAY_MS)),
    statuses: input.status === 'failed' ? ['failure', 'timeout'] : input.status && [input.status],
    agentSlug: input.agent,
    version: input.version,
    hours: input.cell ? hoursOfCell(input.cell, now) : null,
  }
}

/** @throws ApiError as `pageOffset` */
export async function readResultPage(
  db: Queryable,
  service: ServiceRef,
  selection: Selection,
  query: PageQuery,
): Promise<Page<ResultSummary>> {
  const offset = pageOffset(query)
  const { from, until, hours } = selection
  const page = { page: query.page, pageSize: query.pageSize }
  if (until && until < from) return { items: [], total: 0, ...page }
  if (hours) {
    const inHours = and(isSelected(service, selection), or(...hours.map(isInHour)))
    if (hours.length === 0) return { items: [], total: 0, ...page }
    const [items, total] = await Promise.all([
      readRows(db, inHours, query.pageSize, offset),
      db.$count(results, inHours),
    ])
    return { items, total, ...page }
  }
  const days = await countDays(db, service, selection, offset)
  const { from: first, before, skip } = locatePage(days, offset, query.pageSize)
  const inBounds = and(
    isSelected(service, selection),
    first && first > from ? gte(results.startedAt, first) : undefined,
    before ? lt(results.startedAt, before) : undefined,
  )
  return { items: await readRows(db, inBounds, query.pageSize, skip), total: totalOf(days), ...page }
}

/** Finds the next newer or older result of a selection. At most one day without a match is read. */
export async function findNeighbour(
  db: Queryable,
  service: ServiceRef,
  selection: Selection,
  of: { startedAt: Date; id: string },
  direction: 'newer' | 'older',
): Promise<string | null> {
  const { from, until, hours } = selection
  if ((until && until < from) || hours?.length === 0) return null
  const isNewer = direction === 'newer'
  const compare = sql.raw(isNewer ? '>' : '<')
  const order = isNewer ? asc : desc
  const beyond = and(
    isSelected(service, selection),
    sql`(${results.startedAt}, ${results.id}) ${compare} (${of.startedAt.toISOString()}::timestamptz, ${of.id}::uuid)`,
  )
  const find = async (range: SQL | undefined) => {
    const [row] = await db
      .select({ id: results.id })
      .from(results)
      .where(and(beyond, range))
      .orderBy(order(results.startedAt), order(results.id))
      .limit(1)
    return row?.id ?? null
  }
  if (hours) return find(or(...hours.map(isInHour)))
  const own = bucketStart(of.startedAt, 'day')
  const counted = (await countDays(db, service, selection)).map(({ day }) => day)
  const days = isNewer ? counted.filter((day) => day >= own).reverse() : counted.filter((day) => day <= own)
  for (const day of days) {
    const found = await find(and(gte(results.startedAt, day), lt(results.startedAt, new Date(day.getTime() + DAY_MS))))
    if (found) return found
  }
  return null
}

function countDays(db: Queryable, service: ServiceRef, selection: Selection, offset = 0): Promise<ResultDays> {
  const { from, until, version } = selection
  return version === undefined
    ? countResultDays(db, service, from, until, selection, offset)
    : countVersionDays(db, service, from, until, version, selection)
}

function isSelected(service: ServiceRef, selection: Selection): SQL | undefined {
  const { from, until, version } = selection
  return and(
    ofServiceResults(service),
    gte(results.startedAt, from),
    until ? lte(results.startedAt, until) : undefined,
    isCounted(selection),
    version === undefined ? undefined : eq(results.scriptVersion, version),
  )
}

function isInHour(hour: Date): SQL | undefined {
  return and(gte(results.startedAt, hour), lt(results.startedAt, new Date(hour.getTime() + HOUR_MS)))
}

/**
 * Reads rows, newest first. Rows are skipped in the index, in the few partitions that hold the page: planning for all
 * partitions and reading the skipped rows took 14 ms instead of 7 ms for page 20.
 */
async function readRows(
  db: Queryable,
  where: SQL | undefined,
  limit: number,
  offset: number,
): Promise<ResultSummary[]> {
  const page = db
    .select({ startedAt: results.startedAt, id: results.id })
    .from(results)
    .where(where)
    .orderBy(desc(results.startedAt), desc(results.id))
    .limit(limit)
    .offset(offset)
    .as('page')
  const rows = await db
    .select({
      id: results.id,
      status: results.status,
      runDurationMs: results.runDurationMs,
      totalResponseMs: results.totalResponseMs,
      startedAt: results.startedAt,
      agentSlug: results.agentSlug,
      summary: results.summary,
      scriptVersion: results.scriptVersion,
      runId: results.runId,
      recheckOf: results.recheckOf,
      recheckedBy: results.recheckedBy,
    })
    .from(page)
    .innerJoin(results, and(where, eq(results.startedAt, page.startedAt), eq(results.id, page.id)))
    .orderBy(desc(results.startedAt), desc(results.id))
  return rows.map((row) => ({ ...row, startedAt: row.startedAt.toISOString() }))
}

function startOfSecond(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000
}
