import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import type { RunCause } from '#db/schema/runs.ts'
import { SLOW } from '../../fairness/fair-queue.ts'
import { observeQueueWaits } from '../../observe/metrics/runs.ts'
import { isExcluded, isNamedBy } from '../../schedule/usable-agents.ts'
import { type Attempt, fromCurrentAttempts } from '../record/current-attempts.ts'
import type { RunRef } from '../record/finished-run.ts'

// Claims and leases of runs. The worker that holds a run's lease executes it. Each claim raises the attempt, and only
// the current attempt may store a result. All times are the database's. Durations are medians on two shared cores.

/** After this many attempts whose worker died, a run is recorded as a timeout. Attempts that were given back do not count. */
export const DEATHS_MAX = 3

/** A worker process as the rows of runs name it. */
export type WorkerIdentity = {
  id: string
  agentId: string
  agentSlug: string
  leaseSeconds: number
  /** The agent belongs to an organization. */
  isOwnAgent?: boolean
  /** The key of a remote agent: it claims nothing once the key is revoked or the agent is switched off. */
  keyId?: string
}

/** `key` is `SLOW` for a run that usually takes long. */
export type QueuedRun = RowKey<string> & { key: string | null }

export type ClaimedRun = QueuedRun & {
  attempt: number
  serviceId: string
  run: RunRef
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  clockAheadMs: number
}

/** Before the id of every organization: where `findQueuedRuns` begins. */
export const FIRST_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/** Organizations read by one query; the next query continues after the last of them. */
const ORGANIZATIONS_MAX = 64
/** Runs read per organization and kind, slow or not: with many organizations, and with one. */
const [RUNS_MIN, RUNS_MAX] = [32, 256]

/** Returns how many runs to read per organization and kind for this number of organizations with queued runs. */
export function runsPerOrganization(organizations: number): number {
  return Math.max(RUNS_MIN, Math.floor(RUNS_MAX / Math.max(organizations, 1)))
}

/**
 * Returns the first queued runs of the agent: those of up to 64 organizations whose ids follow `after`, up to `runsMax`
 * of each kind per organization, in the order of their rank. `last` is the last organization's id, null when no
 * organization follows. An organization that switched the agent off for itself is left out: its runs are moved.
 */
export async function findQueuedRuns(
  db: Queryable,
  agentId: string,
  after: string,
  runsMax = RUNS_MIN,
): Promise<{ runs: QueuedRun[]; last: string | null; organizations: number }> {
  const rows = await db.execute<{ id: string; organization_id: string; is_slow: boolean }>(
    queuedRunsStatement(agentId, after, runsMax),
  )
  const runs = rows.map(({ id, organization_id: organizationId, is_slow: isSlow }) => ({
    id,
    organizationId,
    key: isSlow ? SLOW : null,
  }))
  const organizations = new Set(runs.map((run) => run.organizationId)).size
  return {
    runs,
    last: organizations === ORGANIZATIONS_MAX ? (runs.at(-1)?.organizationId ?? null) : null,
    organizations,
  }
}

/**
 * Skips from one organization to the next along `runs_queue_idx` (a loose index scan), so the cost does not grow with
 * the queue: 1 ms with 20,000 queued runs of one organization, 5 ms with as many of 100.
 */
function queuedRunsStatement(agentId: string, after: string, runsMax = RUNS_MIN): SQL {
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
    from (select id from next where id is not null and not ${isExcluded(sql`${agentId}::uuid`, sql`next.id`)}
        limit ${ORGANIZATIONS_MAX}::int) o
      cross join (values (false), (true)) kind(is_slow)
      cross join lateral (
        select r.id, r.is_slow, r.rank_at from runs r
        where ${queued} and r.organization_id = o.id and r.is_slow = kind.is_slow
        order by r.rank_at limit ${runsMax}::int) q
    order by o.id, q.rank_at`
}

/**
 * Claims queued runs and returns those that this worker now holds. Runs that another worker claims are skipped, and so
 * are scheduled runs of services that were switched off. Takes 2 ms for 32 runs, 22 ms for 250.
 */
export async function claimRuns(
  db: Queryable,
  queued: readonly RowKey<string>[],
  worker: WorkerIdentity,
): Promise<ClaimedRun[]> {
  const rows = await db.execute<{
    id: string
    attempt: number
    organization_id: string
    service_id: string
    is_slow: boolean
    run_id: string
    cause: RunCause
    has_values: boolean
    now_ms: number
    waited_ms: number
  }>(sql`
    with free as (
      select r.organization_id, r.id
      from ${rowKeys(queued)} k (organization_id, id)
        join runs r on (r.organization_id, r.id) = (k.organization_id, k.id)
        join services v on (v.organization_id, v.id) = (r.organization_id, r.service_id)
      where r.agent_id = ${worker.agentId} and r.state = 'queued'
        and (v.is_active or r.cause = 'request') and ${mayClaim(worker)}
      order by r.id for update of r skip locked)
    update runs r set state = 'running', attempt = r.attempt + 1, worker_id = ${worker.id},
      lease_until = ${leaseEnd(worker)}, started_at = now()
    from free where (r.organization_id, r.id) = (free.organization_id, free.id)
    returning r.id, r.attempt, r.organization_id, r.service_id, r.is_slow, coalesce(r.run_id, r.id) as run_id, r.cause,
      r.values_digest is not null as has_values,
      (extract(epoch from now()) * 1000)::float8 as now_ms,
      (extract(epoch from now() - r.created_at) * 1000)::float8 as waited_ms`)
  const localMs = Date.now()
  const { agentSlug, isOwnAgent = false } = worker
  observeQueueWaits(
    rows.map((row) => ({ agentSlug, isOwnAgent, organizationId: row.organization_id, waitedMs: row.waited_ms })),
  )
  return rows.map((row) => ({
    id: row.id,
    attempt: row.attempt,
    organizationId: row.organization_id,
    serviceId: row.service_id,
    key: row.is_slow ? SLOW : null,
    run: { id: row.run_id, cause: row.cause, hasValues: row.has_values },
    clockAheadMs: row.now_ms - localMs,
  }))
}

/** Deletes queued runs of services that were switched off, except requested runs. Returns how many: 0.4 ms for 32. */
export async function dropInactiveRuns(db: Queryable, queued: readonly RowKey<string>[]): Promise<number> {
  const dropped = await db.execute(sql`
    with free as (
      select r.organization_id, r.id
      from ${rowKeys(queued)} k (organization_id, id)
        join runs r on (r.organization_id, r.id) = (k.organization_id, k.id)
        join services v on (v.organization_id, v.id) = (r.organization_id, r.service_id)
      where not v.is_active and r.cause <> 'request' and r.state = 'queued'
      order by r.id for update of r skip locked)
    delete from runs r using free where (r.organization_id, r.id) = (free.organization_id, free.id) returning r.id`)
  return dropped.length
}

/**
 * Extends the leases of the worker's runs and returns the ids of the runs that it still holds. Skips locked rows: a run
 * whose result is being stored needs no longer lease, and to wait for it would let the other leases expire. Takes 8 ms
 * for 250 runs.
 */
export async function renewLeases(db: Queryable, worker: WorkerIdentity, attempts: Attempt[]): Promise<Set<string>> {
  if (attempts.length === 0) return new Set()
  const rows = await db.execute<{ id: string }>(sql`
    with mine as (select r.organization_id, r.id ${fromCurrentAttempts(attempts)} and r.worker_id = ${worker.id}),
    free as (
      select r.organization_id, r.id from runs r where (r.organization_id, r.id) in (select organization_id, id from mine)
      order by r.id for update skip locked),
    renewed as (update runs r set lease_until = ${leaseEnd(worker)} from free
      where (r.organization_id, r.id) = (free.organization_id, free.id))
    select id from mine`)
  return new Set(rows.map((row) => row.id))
}

/** Queues runs again, except attempts that lost their lease: 2 ms for 32. */
export async function requeueAttempts(db: Queryable, attempts: Attempt[]): Promise<void> {
  if (attempts.length === 0) return
  await db.execute(sql`
    with mine as (
      select r.organization_id, r.id ${fromCurrentAttempts(attempts)} order by r.id for update of r skip locked)
    update runs r set state = 'queued', worker_id = null, lease_until = null from mine
    where (r.organization_id, r.id) = (mine.organization_id, mine.id)`)
}

/** Queues a run again, unless this attempt has lost its lease: 0.1 ms. */
export async function requeueRun(db: Queryable, run: Attempt): Promise<void> {
  await db.execute(sql`
    update runs set state = 'queued', worker_id = null, lease_until = null
    where organization_id = ${run.organizationId} and id = ${run.id} and attempt = ${run.attempt} and state = 'running'`)
}

/**
 * Queues the runs again that the database assigns to the worker although it does not execute them. Returns how many:
 * 0.2 ms for 32.
 */
export async function requeueLostClaims(
  db: Queryable,
  worker: WorkerIdentity,
  claimed: readonly RowKey<string>[],
  isInFlight: (id: string) => boolean,
): Promise<number> {
  const requeued = await db.execute(sql`
    with lost as (
      select r.organization_id, r.id from runs r
      where (r.organization_id, r.id) in (select * from ${rowKeys(claimed.filter(({ id }) => !isInFlight(id)))})
        and r.worker_id = ${worker.id} and state = 'running'
      order by r.id for update skip locked)
    update runs r set state = 'queued', worker_id = null, lease_until = null
    from lost where (r.organization_id, r.id) = (lost.organization_id, lost.id) returning r.id`)
  return requeued.length
}

/**
 * Checked by the claim itself: what ends the key queues its runs again in the same transaction. An organization's own agent
 * gets only runs of services that still name it: the reaper moves the others.
 */
function mayClaim({ keyId }: WorkerIdentity): SQL {
  if (keyId === undefined) return sql`true`
  const service = { organizationId: sql`r.organization_id`, id: sql`r.service_id` }
  return sql`exists (
    select from agent_keys k join agents a on a.id = k.agent_id
    where k.id = ${keyId} and k.revoked_at is null and a.is_active
      and (a.organization_id is null or ${isNamedBy(sql`a.id`, service)}))`
}

/** When a lease ends that the worker takes or renews now. */
export function leaseEnd(worker: WorkerIdentity): SQL {
  return sql`now() + make_interval(secs => ${worker.leaseSeconds})`
}
