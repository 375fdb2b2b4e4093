import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import type { RunStatus } from '#db/schema/results.ts'
import type { RunCause } from '#db/schema/runs.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { timestampOfId } from '../../results/results/ids.ts'
import { retentionStart } from '../../results/results/retention.ts'
import type { ServiceRef } from '../../results/statistics/rollups.ts'
import { openRunValues } from '../../schedule/run-values.ts'
import type { BareRun } from '../../schemas/runs.ts'

// A run is read from its rows while it is open and for an hour after, from its results, and from the row of its request.

/** The parts of a context that reads need. */
export type Reader = Pick<ActorContext, 'vault' | 'now' | 'settings'> & { db: Queryable }

/** What is read of a run before its values are decrypted. */
type RunFacts = Omit<BareRun, 'variables'> & { sealed: Buffer | null }

/** Returns a run of the service, without the addresses of its pages; null when there is none. */
export async function findRun(reader: Reader, service: ServiceRef, runId: string): Promise<BareRun | null> {
  return (await readRuns(reader, service, [runId])).at(0) ?? null
}

/** Returns the runs of the service among these ids, in their order, without the addresses of their pages. */
export async function readRuns(reader: Reader, service: ServiceRef, runIds: string[]): Promise<BareRun[]> {
  const { organizationId } = service
  const found = await readRunFacts(reader, { organizationId, serviceIds: [service.id] }, runIds, SEALED)
  return runIds.flatMap((id) => {
    const run = found.get(id.toLowerCase())
    return run ? toRun(reader, organizationId, run) : []
  })
}

/** Returns a run of the service. @throws ApiError `not_found` on `runId` */
export async function requireRun(reader: Reader, service: ServiceRef, runId: string): Promise<BareRun> {
  const run = await findRun(reader, service, runId)
  if (!run) throw notFound('runId')
  return run
}

function toRun({ vault }: Pick<Reader, 'vault'>, organizationId: string, { sealed, ...facts }: RunFacts): BareRun {
  return { ...facts, variables: sealed && openRunValues(vault, { id: facts.id, organizationId }, sealed) }
}

const SEALED = sql`encode(sealed, 'hex')`

export type RunState = Pick<BareRun, 'state' | 'outcome' | 'summary' | 'startedAt' | 'finishedAt' | 'skippedAgents'>

/** The services of which runs are read. */
export type RunScope = { organizationId: string; serviceIds: string[] }

/**
 * Returns the states of up to 1,000 runs of these services by id, in one statement. A run that is no longer stored is left
 * out.
 */
export async function readRunStates(
  reader: Omit<Reader, 'vault'>,
  scope: RunScope,
  runIds: string[],
): Promise<Map<string, RunState>> {
  return readRunFacts(reader, scope, runIds, sql`null`)
}

/** Whether an agent has started a run, by its rows. A row that is done without an attempt was skipped. */
export const isRunStarted = sql<boolean>`bool_or(state = 'running' or (state = 'done' and attempt > 0))`

/** Results never start before their run was made. Both times are the database's, but a worker's clock may drift. */
const CLOCK_SKEW_MS = 60_000
/** An id can contain a later time, which Postgres does not read. */
const YEAR_10000_MS = 253_402_300_800_000

type Row = {
  id: string
  service_id: string
  is_open: boolean
  is_started: boolean
  started_at: string | null
  cause: RunCause
  recheck_of: string | null
  requested_at: string | null
  cancelled_at: string | null
  finished_at: string | null
  note: string | null
  sealed: string | null
  results: ResultRow[] | null
}

type ResultRow = {
  id: string
  status: RunStatus
  agent_slug: string
  started_at: string
  run_duration_ms: number
  total_response_ms: number
  summary: string | null
  script_version: number | null
  recheck_of: string | null
  rechecked_by: string | null
  during_maintenance: boolean | null
}

/**
 * Reads runs in one statement, so that a run that ends meanwhile has its state and its results of the same moment: 5 ms
 * for one, 50 ms for 1,000. The id of a run is only a claim of its time: with the services, the statement reads no other
 * services' results, and uses the primary key where a partition has no index of runs.
 */
async function readRunFacts(
  reader: Omit<Reader, 'vault'>,
  { organizationId, serviceIds }: RunScope,
  runIds: string[],
  sealed: SQL,
): Promise<Map<string, RunFacts>> {
  const kept = retentionStart(reader.now(), reader.settings.RESULT_RETENTION_DAYS)
  const madeAt = new Map<string, Date>()
  for (const id of runIds) {
    const at = timestampOfId(id)
    if (at && at >= kept && at.getTime() < YEAR_10000_MS) madeAt.set(id.toLowerCase(), at)
  }
  if (madeAt.size === 0) return new Map()
  const first = Math.min(...[...madeAt.values()].map((at) => at.getTime()))
  const from = new Date(Math.max(first - CLOCK_SKEW_MS, kept.getTime())).toISOString()
  const ids = uuids([...madeAt.keys()])
  const inScope = sql`organization_id = ${organizationId} and service_id = any(${uuids(serviceIds)})`
  const rows = await reader.db.execute<Row>(sql`
    with part as (
      select coalesce(run_id, id) as id, service_id, bool_or(state <> 'done') as is_open,
        ${isRunStarted} as is_started, max(cause) as cause, min(started_at) as started_at,
        max(finished_at) as finished_at, (array_agg(recheck_of))[1] as recheck_of
      from runs where ((id = any(${ids}) and run_id is null) or run_id = any(${ids})) and ${inScope} group by 1, 2),
    stored as (
      select run_id as id, service_id, max(cause) as cause, (array_agg(recheck_of))[1] as recheck_of,
        jsonb_agg(jsonb_build_object('id', id, 'status', status, 'agent_slug', agent_slug, 'started_at', started_at,
          'run_duration_ms', run_duration_ms, 'total_response_ms', total_response_ms, 'summary', summary,
          'script_version', script_version, 'recheck_of', recheck_of, 'rechecked_by', rechecked_by,
          'during_maintenance', during_maintenance) order by started_at, id) as results
      from results where run_id is not null and run_id = any(${ids}) and ${inScope}
        and started_at >= ${from}::timestamptz group by 1, 2)
    select id, service_id, coalesce(p.is_open, false) as is_open,
      coalesce(p.is_started, false) as is_started, p.started_at, coalesce(q.cause, p.cause, s.cause) as cause,
      coalesce(p.recheck_of, s.recheck_of) as recheck_of, q.requested_at, q.cancelled_at, p.finished_at, q.note, q.sealed, s.results
    from (select id, service_id, cause, requested_at, cancelled_at, note, ${sealed} as sealed from run_requests
        where id = any(${ids}) and ${inScope}) q
      full join part p using (id, service_id) full join stored s using (id, service_id)`)
  return new Map(rows.map((row) => [row.id, toFacts(row, madeAt.get(row.id) as Date)]))
}

/** Worst first. */
const WORST: RunStatus[] = ['failure', 'timeout', 'success', 'skipped']

function toFacts(row: Row, madeAt: Date): RunFacts {
  const stored = row.results ?? []
  const state = row.is_open ? (row.is_started ? 'running' : 'queued') : 'done'
  const outcome = WORST.find((status) => stored.some((result) => result.status === status)) ?? 'cancelled'
  const starts = stored.map((result) => Date.parse(result.started_at))
  if (state === 'running' && row.started_at) starts.push(Date.parse(row.started_at))
  const ends = stored.map((result) => Date.parse(result.started_at) + result.run_duration_ms)
  const cancelledAt = row.cancelled_at ?? row.finished_at
  return {
    id: row.id,
    serviceId: row.service_id,
    state,
    cause: row.cause,
    recheckOf: row.recheck_of,
    requestedAt: row.requested_at === null ? madeAt.toISOString() : toInstant(row.requested_at),
    startedAt: state !== 'queued' && starts.length > 0 ? toInstant(Math.min(...starts)) : null,
    finishedAt:
      state !== 'done' ? null : ends.length > 0 ? toInstant(Math.max(...ends)) : cancelledAt && toInstant(cancelledAt),
    outcome: state === 'done' ? outcome : null,
    summary: state === 'done' ? (stored.find((result) => result.status === outcome)?.summary ?? null) : null,
    note: row.note,
    sealed: row.sealed === null ? null : Buffer.from(row.sealed, 'hex'),
    scriptVersion:
      state === 'done' ? (stored.find((result) => result.script_version !== null)?.script_version ?? null) : null,
    results: stored.map((result) => ({
      id: result.id,
      status: result.status,
      agentSlug: result.agent_slug,
      startedAt: toInstant(result.started_at),
      runDurationMs: result.run_duration_ms,
      totalResponseMs: result.total_response_ms,
      duringMaintenance: result.during_maintenance ?? false,
      summary: result.summary,
      recheckOf: result.recheck_of,
      recheckedBy: result.rechecked_by,
    })),
    skippedAgents: stored
      .filter((result) => result.status === 'skipped')
      .map((result) => ({ agentSlug: result.agent_slug, reason: result.summary })),
  }
}

function toInstant(at: string | number): string {
  return new Date(at).toISOString()
}
