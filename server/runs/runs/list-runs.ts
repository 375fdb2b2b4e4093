import { type SQL, sql } from '#db/drizzle.cjs'
import type { RunCause } from '#db/schema/runs.ts'
import type { ActorContext } from '../../context.ts'
import { type Page, pageOffset } from '../../paging.ts'
import { retentionStart } from '../../results/results/retention.ts'
import type { ServiceRef } from '../../results/statistics/rollups.ts'
import { type BareRun, LISTED_RUNS_MAX, type RunQuery } from '../../schemas/runs.ts'
import { isRunStarted, readRuns } from './read-runs.ts'

// A list of runs holds the open ones, and of the others the newest by id, which contains the time at which a run was made.
// It ends after so many results that their runs can be read for each page: the cost does not grow with their number.

/** A run by what filters look at. */
type Listed = { id: string; cause: RunCause | null; state: BareRun['state'] }

/** What is stored of the service's runs, each newest first. `stored` and `requested` are null where none is asked for. */
type Found = {
  open: { id: string; cause: RunCause; isStarted: boolean }[]
  stored: { id: string | null; cause: RunCause | null }[] | null
  requested: { id: string; cause: RunCause | null }[] | null
}

/**
 * Reads a page of the service's runs: open ones first, newest first.
 * @throws ApiError as `pageOffset`
 */
export async function listRuns(ctx: ActorContext, service: ServiceRef, query: RunQuery): Promise<Page<BareRun>> {
  const offset = pageOffset(query)
  const isDoneAsked = query.state === undefined || query.state === 'done'
  const found = await findRuns(ctx, service, isDoneAsked)
  const open = found.open.map(({ isStarted, ...row }): Listed => ({ ...row, state: isStarted ? 'running' : 'queued' }))
  const openIds = new Set(open.map(({ id }) => id))
  const listed = [...open, ...doneRuns(found, query.cause).filter(({ id }) => !openIds.has(id))].filter(
    ({ state, cause }) =>
      (query.state === undefined || state === query.state) && (query.cause === undefined || cause === query.cause),
  )
  const ids = listed.slice(offset, offset + query.pageSize).map(({ id }) => id)
  const items = await readRuns(ctx, service, ids)
  return { items, total: listed.length, page: query.page, pageSize: query.pageSize }
}

/** One statement, so that a run that ends meanwhile is either open or done. */
async function findRuns(ctx: ActorContext, { organizationId, id }: ServiceRef, isDoneAsked: boolean): Promise<Found> {
  const ofService = sql`organization_id = ${organizationId} and service_id = ${id}`
  const kept = sql`${retentionStart(ctx.now(), ctx.settings.RESULT_RETENTION_DAYS).toISOString()}::timestamptz`
  const open = sql`
    select coalesce(run_id, id) as id, max(cause) as cause, ${isRunStarted} as "isStarted" from runs
    where ${ofService} group by 1 having bool_or(state <> 'done') order by 1 desc`
  // Those of runs with values too.
  const stored = sql`
    select run_id as id, cause from results where ${ofService} and started_at >= ${kept}
    order by started_at desc, id desc limit ${LISTED_RUNS_MAX}`
  const requested = sql`
    select id, cause from run_requests where ${ofService} and requested_at >= ${kept}
    order by id desc limit ${LISTED_RUNS_MAX}`
  const [found] = await ctx.db.execute<Found>(sql`
    select ${listOf(open)} as open, ${isDoneAsked ? listOf(stored) : sql`null`} as stored,
      ${isDoneAsked ? listOf(requested) : sql`null`} as requested`)
  return found as Found
}

function listOf(rows: SQL): SQL {
  return sql`(select coalesce(json_agg(each), '[]') from (${rows}) each)`
}

function doneRuns({ stored, requested }: Found, cause: RunCause | undefined): Listed[] {
  if (stored === null || requested === null) return []
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
