import { and, desc, eq, gte, sql } from 'drizzle-orm'
import { matchesRow } from '#db/row-match.ts'
import { results } from '#db/schema/results.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import { type RunCause, runs } from '#db/schema/runs.ts'
import { type Page, pageOffset } from '../paging.ts'
import { retentionStart } from '../results/retention.ts'
import { type BareRun, LISTED_RUNS_MAX, type RunQuery } from '../schemas/runs.ts'
import type { ServiceRef } from '../statistics/rollups.ts'
import { isRunStarted, type Reader, readRuns } from './read-runs.ts'

// A list of runs holds the open ones, and of the others the newest by id, which contains the time at which a run was made.
// It ends after so many results that their runs can be read for each page: the cost does not grow with their number.

/** A run by what filters look at. */
type Listed = { id: string; cause: RunCause | null; state: BareRun['state'] }

/**
 * Reads a page of the service's runs: open ones first, newest first.
 * @throws ApiError as `pageOffset`
 */
export async function listRuns(reader: Reader, service: ServiceRef, query: RunQuery): Promise<Page<BareRun>> {
  const offset = pageOffset(query)
  const open = await readOpen(reader, service)
  const done = query.state === undefined || query.state === 'done' ? await readDone(reader, service, query.cause) : []
  const openIds = new Set(open.map(({ id }) => id))
  const listed = [...open, ...done.filter(({ id }) => !openIds.has(id))].filter(
    ({ state, cause }) =>
      (query.state === undefined || state === query.state) && (query.cause === undefined || cause === query.cause),
  )
  const ids = listed.slice(offset, offset + query.pageSize).map(({ id }) => id)
  const items = await readRuns(reader, service, ids)
  return { items, total: listed.length, page: query.page, pageSize: query.pageSize }
}

async function readOpen({ db }: Reader, service: ServiceRef): Promise<Listed[]> {
  const id = sql<string>`coalesce(${runs.runId}, ${runs.id})`
  const rows = await db
    .select({
      id,
      cause: sql<RunCause>`max(${runs.cause})`,
      isStarted: isRunStarted,
    })
    .from(runs)
    .where(matchesRow(runs.serviceId, service))
    .groupBy(id)
    .having(sql`bool_or(${runs.state} <> 'done')`)
    .orderBy(desc(id))
  return rows.map(({ isStarted, ...row }) => ({ ...row, state: isStarted ? 'running' : 'queued' }))
}

async function readDone(reader: Reader, service: ServiceRef, cause: RunCause | undefined): Promise<Listed[]> {
  const kept = retentionStart(reader.now(), reader.settings.RESULT_RETENTION_DAYS)
  const [stored, requested] = await Promise.all([
    // Those of runs with values too.
    reader.db
      .select({ id: results.runId, cause: results.cause })
      .from(results)
      .where(
        and(
          eq(results.organizationId, service.organizationId),
          matchesRow(results.serviceId, service),
          gte(results.startedAt, kept),
        ),
      )
      .orderBy(desc(results.startedAt), desc(results.id))
      .limit(LISTED_RUNS_MAX),
    reader.db
      .select({ id: runRequests.id, cause: runRequests.cause })
      .from(runRequests)
      .where(and(matchesRow(runRequests.serviceId, service), gte(runRequests.requestedAt, kept)))
      .orderBy(desc(runRequests.id))
      .limit(LISTED_RUNS_MAX),
  ])
  // Results of an older release have no run. They are counted, so that a long history of them is not searched for others.
  const causes = new Map(stored.flatMap((row) => (row.id === null ? [] : [[row.id, row.cause]])))
  const oldest = stored.length < LISTED_RUNS_MAX ? '' : ([...causes.keys()].sort()[0] ?? '')
  for (const row of requested) {
    // Where the results end, the list of all runs ends. Requested runs alone are listed as far as they are known.
    if (row.id >= oldest || cause === 'request') causes.set(row.id, row.cause)
  }
  return [...causes]
    .map(([id, ran]): Listed => ({ id, cause: ran, state: 'done' }))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, LISTED_RUNS_MAX)
}
