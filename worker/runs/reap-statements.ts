import type { Db, Tx } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { rowKeys } from '#db/row-match.ts'
import { type RunCause, workers } from '#db/schema/runs.ts'
import { DEATHS_MAX } from '#server/runs/probes/leases.ts'
import { isAgentAlive, isWorkerAlive } from '#server/schedule/agent-liveness.ts'
import type { ProbeMode } from '#server/schedule/placement.ts'
import { isExcluded, isNamedBy } from '#server/schedule/usable-agents.ts'

// The statements of reaping. Times are medians on two shared cores, among 20,000 queued runs.

export type DeadWorker = { id: string; poolId: string; formerPoolIds: string[]; now: string }

/** Returns the workers whose last heartbeat is too old. The table has one row per process: 0.6 ms. */
export function findDeadWorkers(db: Db, staleSeconds: number): Promise<DeadWorker[]> {
  return db
    .select({ id: workers.id, poolId: workers.poolId, formerPoolIds: workers.formerPoolIds, now: sql<string>`now()` })
    .from(workers)
    .where(sql`not ${isWorkerAlive(sql`workers`, staleSeconds)}`)
}

/** The agent of a run that was queued later may still be starting. */
const STUCK_AFTER = sql`interval '5 seconds'`

export type LockedRun = {
  id: string
  attempt: number
  deaths: number
  organization_id: string
  service_id: string
  agent_id: string
  agent_slug: string | null
  is_own_agent: boolean
  run_id: string
  cause: RunCause
  has_values: boolean
  /** The version of the service's script. */
  version: number
  started_at: string
  now: string
}

type Reapable = { hasDead: boolean; hasExpired: boolean; hasQueued: boolean }

/**
 * Returns whether a worker is dead, a lease has expired, or a run has been queued for some time: without these, an idle
 * worker would send three statements for nothing. 0.1 ms.
 */
export async function findReapable(db: Db, staleSeconds: number): Promise<Reapable> {
  const [row] = await db.execute<Reapable>(sql`
    select exists (select from workers w where not ${isWorkerAlive(sql`w`, staleSeconds)}) as "hasDead",
      exists (select from runs r where r.state = 'running' and r.lease_until < now()) as "hasExpired",
      exists (select from runs q where q.state = 'queued' and q.created_at < now() - ${STUCK_AFTER}) as "hasQueued"`)
  return row as Reapable
}

const LOCKED_COLUMNS = sql`r.id, coalesce(r.run_id, r.id) as run_id, r.attempt, r.deaths, r.organization_id, r.service_id,
  r.agent_id, a.slug as agent_slug, a.organization_id is not null as is_own_agent, r.cause,
  r.values_digest is not null as has_values, r.started_at, v.version`

/** Locks running runs whose lease has expired, with their services. Reads along `runs_lease_idx`: 2 ms for 200. */
export function lockExpiredRuns(tx: Tx, limit: number): Promise<LockedRun[]> {
  return tx.execute<LockedRun>(sql`
    select ${LOCKED_COLUMNS}, now() as now
    from runs r left join agents a on a.id = r.agent_id
      join services v on (v.organization_id, v.id) = (r.organization_id, r.service_id)
    where r.state = 'running' and r.lease_until < now() limit ${limit}
    for update of r skip locked for key share of v skip locked`)
}

/** Returns the scripts of scheduled runs that end with this death of their worker: a failure may be looked at again. */
export function readExpiredScripts(
  db: Db,
  limit: number,
): Promise<{ service_id: string; version: number; script: string }[]> {
  return db.execute<{ service_id: string; version: number; script: string }>(sql`
    select r.service_id, v.version, v.script
    from runs r join services v on (v.organization_id, v.id) = (r.organization_id, r.service_id)
    where r.state = 'running' and r.lease_until < now() and r.deaths + 1 >= ${DEATHS_MAX} and r.cause = 'schedule'
      and v.script is not null
    limit ${limit}`)
}

export type StuckRun = LockedRun & {
  is_late: boolean
  /** How long it has been queued while its agent sent no heartbeat. */
  absent_seconds: number
  is_active: boolean
  probe_mode: ProbeMode
  /** Its agent exists, and is switched off for all or for the organization. */
  is_switched_off: boolean
}

/**
 * Locks queued runs whose agent is dead, was switched off, or is an organization's own that their service no longer names,
 * and scheduled ones that were queued `lateSeconds` ago, oldest first. Runs of the last five seconds are left out: their
 * agent may still be starting. Reads all queued runs, because few are stuck and an index would slow every dispatch: 20 ms
 * when no run is stuck, 160 ms for 200 of a dead agent.
 */
export function lockStuckRuns(tx: Tx, lateSeconds: number, limit: number): Promise<StuckRun[]> {
  const service = { organizationId: sql`r.organization_id`, id: sql`r.service_id` }
  const isLate = sql`r.created_at < now() - make_interval(secs => ${lateSeconds})`
  const isSwitchedOff = sql`(not a.is_active or ${isExcluded(sql`r.agent_id`, sql`r.organization_id`)})`
  return tx.execute<StuckRun>(sql`
    select ${LOCKED_COLUMNS}, v.probe_mode, v.is_active, ${isLate} as is_late, now() as now,
      extract(epoch from now() - greatest(r.created_at, a.last_seen_at,
        (select max(w.heartbeat_at) from workers w where w.agent_id = r.agent_id)))::float8 as absent_seconds,
      coalesce(${isSwitchedOff}, false) as is_switched_off
    from runs r left join agents a on a.id = r.agent_id
      join services v on (v.organization_id, v.id) = (r.organization_id, r.service_id)
    where r.state = 'queued' and r.created_at < now() - ${STUCK_AFTER}
      and (not ${isAgentAlive(sql`r.agent_id`)}
        or ${isSwitchedOff}
        or (a.organization_id is not null and not ${isNamedBy(sql`a.id`, service)})
        or (r.cause <> 'request' and ${isLate}))
    order by r.created_at limit ${limit}
    for update of r skip locked for key share of v skip locked`)
}

/** Puts running runs whose worker died back into the queue, for another attempt: 6 ms for 200. */
export async function requeueRuns(tx: Tx, runs: LockedRun[]): Promise<void> {
  if (runs.length === 0) return
  await tx.execute(sql`
    update runs set state = 'queued', worker_id = null, lease_until = null, deaths = deaths + 1
    where ${isOneOf(runs)}`)
}

/**
 * Moves a queued run to another agent: 0.3 ms. Does nothing if that agent has a run of the same slot already, which
 * happens after a change of the probe mode.
 */
export async function reassignRun(tx: Tx, run: LockedRun, agent: { id: string }): Promise<void> {
  await tx.execute(sql`
    update runs r set agent_id = ${agent.id}
    where r.organization_id = ${run.organization_id} and r.id = ${run.id} and not exists (
      select 1 from runs q where (q.organization_id, q.service_id) = (r.organization_id, r.service_id)
        and q.slot = r.slot and q.cause = r.cause and q.agent_id = ${agent.id} and q.id <> r.id)`)
}

/** Marks runs as done; the caller stores their results. 2 ms for 200. */
export async function finishRuns(tx: Tx, runs: LockedRun[]): Promise<void> {
  await tx.execute(sql`
    update runs set state = 'done', finished_at = now(), lease_until = null where ${isOneOf(runs)}`)
}

function isOneOf(runs: LockedRun[]): SQL {
  const keys = runs.map((run) => ({ organizationId: run.organization_id, id: run.id }))
  return sql`(organization_id, id) in (select * from ${rowKeys(keys)})`
}
