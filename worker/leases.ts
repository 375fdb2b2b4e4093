import { type SQL, sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'

// The ledger of runs. Whoever holds a run's lease executes it; each taking raises the attempt, and only the attempt that
// still stands in the ledger may store a result. All times are the database's.

/** A worker process as the ledger knows it. */
export type WorkerIdentity = { id: string; agentId: string; agentSlug: string; leaseSeconds: number }

export type QueuedRun = { id: string; organizationId: string; isSlow: boolean }

export type ClaimedRun = QueuedRun & {
  attempt: number
  serviceId: string
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  clockAheadMs: number
}

/** Organizations looked at in one go; the next go begins behind them. */
const ORGANIZATIONS_MAX = 64
/** Runs of one organization and kind, slow or not, looked at in one go. */
const RUNS_MAX = 32

/**
 * The first queued runs of the agent by organization, in their order there: at most 64 organizations behind `after`, and
 * 32 runs of each kind of one. `last` is the organization to go on behind, null at the end.
 */
export async function findQueuedRuns(
  db: Queryable,
  agentId: string,
  after: string,
): Promise<{ runs: QueuedRun[]; last: string | null }> {
  const rows = await db.execute<{ id: string; organization_id: string; is_slow: boolean }>(
    queuedRunsStatement(agentId, after),
  )
  const runs = rows.map(({ id, organization_id: organizationId, is_slow: isSlow }) => ({ id, organizationId, isSlow }))
  const isFull = new Set(runs.map((run) => run.organizationId)).size === ORGANIZATIONS_MAX
  return { runs, last: isFull ? (runs.at(-1)?.organizationId ?? null) : null }
}

/** From one organization to the next by `runs_queue_idx`: what is read does not grow with the queue. */
export function queuedRunsStatement(agentId: string, after: string): SQL {
  const queued = sql`r.state = 'queued' and r.agent_id = ${agentId}`
  return sql`
    with recursive next(id) as (
      (select r.organization_id from runs r where ${queued} and r.organization_id > ${after}
        order by r.organization_id limit 1)
      union all
      select (select r.organization_id from runs r where ${queued} and r.organization_id > next.id
        order by r.organization_id limit 1)
      from next where next.id is not null)
    select q.id, o.id as organization_id, q.is_slow
    from (select id from next where id is not null limit ${ORGANIZATIONS_MAX}::int) o
      cross join (values (false), (true)) kind(is_slow)
      cross join lateral (
        select r.id, r.is_slow, r.rank_at from runs r
        where ${queued} and r.organization_id = o.id and r.is_slow = kind.is_slow
        order by r.rank_at limit ${RUNS_MAX}::int) q
    order by o.id, q.rank_at`
}

/**
 * Takes those of the queued runs that nobody else takes, is about to take or has taken; not those that came by schedule
 * and whose service has been switched off since.
 */
export async function claimRuns(db: Queryable, ids: string[], worker: WorkerIdentity): Promise<ClaimedRun[]> {
  const rows = await db.execute<{
    id: string
    attempt: number
    organization_id: string
    service_id: string
    is_slow: boolean
    now_ms: number
  }>(sql`
    with free as (
      select r.id from runs r join services v on v.id = r.service_id
      where r.id = any(${uuids(ids)}) and r.agent_id = ${worker.agentId} and r.state = 'queued'
        and (v.is_active or r.cause = 'request')
      order by r.id for update of r skip locked)
    update runs r set state = 'running', attempt = r.attempt + 1, worker_id = ${worker.id},
      lease_until = ${leaseEnd(worker)}, started_at = now()
    from free where r.id = free.id
    returning r.id, r.attempt, r.organization_id, r.service_id, r.is_slow,
      (extract(epoch from now()) * 1000)::float8 as now_ms`)
  const here = Date.now()
  return rows.map((row) => ({
    id: row.id,
    attempt: row.attempt,
    organizationId: row.organization_id,
    serviceId: row.service_id,
    isSlow: row.is_slow,
    clockAheadMs: row.now_ms - here,
  }))
}

/** Gives up the queued runs that came by schedule and whose service is off by now; answers how many those were. */
export async function dropInactiveRuns(db: Queryable, ids: string[]): Promise<number> {
  const given = await db.execute(sql`
    delete from runs r using services v
    where r.id = any(${uuids(ids)}) and v.id = r.service_id and not v.is_active and r.cause <> 'request'
      and r.state = 'queued'
    returning r.id`)
  return given.length
}

/**
 * Extends the leases of what the worker runs; answers the runs it still holds. It waits for nobody: what is being stored
 * at the moment needs no longer lease, and must not keep the others from theirs.
 */
export async function renewLeases(
  db: Queryable,
  worker: WorkerIdentity,
  held: { id: string; attempt: number }[],
): Promise<Set<string>> {
  if (held.length === 0) return new Set()
  const rows = await db.execute<{ id: string }>(sql`
    with mine as (select r.id ${currentAttempts(held)} and r.worker_id = ${worker.id}),
    free as (select r.id from runs r where r.id in (select id from mine) order by r.id for update skip locked),
    renewed as (update runs r set lease_until = ${leaseEnd(worker)} from free where r.id = free.id)
    select id from mine`)
  return new Set(rows.map((row) => row.id))
}

/** Puts a run back, for whoever comes next. A run that is another's by now is left alone. */
export async function requeueRun(db: Queryable, run: { id: string; attempt: number }): Promise<void> {
  await db.execute(sql`
    update runs set state = 'queued', worker_id = null, lease_until = null
    where id = ${run.id} and attempt = ${run.attempt} and state = 'running'`)
}

/** Puts back those of the runs that the worker is said to run, but for what it holds; answers how many those were. */
export async function requeueLostClaims(
  db: Queryable,
  worker: WorkerIdentity,
  ids: string[],
  isHeld: (id: string) => boolean,
): Promise<number> {
  const released = await db.execute(sql`
    update runs set state = 'queued', worker_id = null, lease_until = null
    where id = any(${uuids(ids.filter((id) => !isHeld(id)))}) and worker_id = ${worker.id} and state = 'running'
    returning id`)
  return released.length
}

/**
 * Locks those of the runs whose attempt still stands, in the order of their ids: whoever takes several at once takes
 * them so, and none waits for another in a circle.
 */
export function lockCurrentAttempts(held: { id: string; attempt: number }[]): SQL {
  return sql`select r.id ${currentAttempts(held)} order by r.id for update of r`
}

/** The runs whose attempt still stands. */
function currentAttempts(held: { id: string; attempt: number }[]): SQL {
  return sql`
    from runs r
    join jsonb_to_recordset(${JSON.stringify(held.map(({ id, attempt }) => ({ id, attempt })))}::jsonb)
      as i(id uuid, attempt int) on i.id = r.id and i.attempt = r.attempt
    where r.state = 'running'`
}

function leaseEnd(worker: WorkerIdentity): SQL {
  return sql`now() + make_interval(secs => ${worker.leaseSeconds})`
}
