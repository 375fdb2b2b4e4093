import { type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import type { RunCause } from '#db/schema/runs.ts'
import type { ProbeMode } from '#server/schedule/placement.ts'
import { meanRunMsOf, queueOrder } from '#server/schedule/run-queue.ts'

// The statements of promotion. Times are medians on two shared cores, for 500 waiting runs among 20,000 queued ones.

export type WaitingRun = {
  id: string
  service_id: string
  organization_id: string
  slot: string
  cause: RunCause
  values_digest: string | null
  is_active: boolean
  probe_mode: ProbeMode
  service_window: string | null
  timezone: string
  now: string
}

/**
 * Locks waiting runs whose service has no run in flight, oldest slot first, with their services. Of the waiting runs of one
 * service only the oldest: the others wait for it, even while another process promotes it. 27 ms.
 */
export function lockWaitingRuns(tx: Tx, limit: number): Promise<WaitingRun[]> {
  return tx.execute<WaitingRun>(sql`
    select r.id, r.service_id, r.organization_id, r.slot, r.cause, r.values_digest, v.is_active, v.probe_mode, v.service_window,
      o.timezone, now() as now
    from runs r join services v on (v.organization_id, v.id) = (r.organization_id, r.service_id)
      join organizations o on o.id = r.organization_id
    where (r.organization_id, r.id) in (
        select organization_id, id from runs where state = 'waiting'
        union all select organization_id, id from runs where state = 'waiting_with_values')
      and r.state in ('waiting', 'waiting_with_values')
      and not exists (
        select 1 from runs q where (q.organization_id, q.service_id) = (r.organization_id, r.service_id)
          and (q.state in ('queued', 'running')
          or (q.state in ('waiting', 'waiting_with_values') and (q.slot, q.id) < (r.slot, r.id))))
    order by r.slot limit ${limit}
    for update of r skip locked for key share of v skip locked`)
}

/**
 * Locks the schedules of the services, and returns the services whose schedule another transaction holds: 3 ms. Every
 * writer of runs locks the schedule first. A service that is off has no schedule, and `skip locked` does not
 * distinguish a locked schedule from a missing one, so this takes two statements.
 */
export async function lockSchedules(tx: Tx, services: readonly RowKey<string>[]): Promise<Set<string>> {
  const isWanted = sql`(organization_id, service_id) in (select * from ${rowKeys(services)})`
  const scheduled = await tx.execute<{ service_id: string }>(sql`select service_id from schedules where ${isWanted}`)
  const locked = await tx.execute<{ service_id: string }>(
    sql`select service_id from schedules where ${isWanted} for update skip locked`,
  )
  const busy = new Set(scheduled.map((row) => row.service_id))
  for (const row of locked) busy.delete(row.service_id)
  return busy
}

/** Returns which of the services have a run in flight: 1 ms. */
export async function findServicesInFlight(tx: Tx, services: readonly RowKey<string>[]): Promise<Set<string>> {
  const rows = await tx.execute<{ service_id: string }>(sql`
    select distinct service_id from runs
    where (organization_id, service_id) in (select * from ${rowKeys(services)}) and state in ('queued', 'running')`)
  return new Set(rows.map((row) => row.service_id))
}

export type PlacementRow = {
  service_id: string
  last_agent_id: string | null
  last_status: string | null
  is_alerting: boolean | null
}

/** Reads the agent and the status of each service's last run, on which placement depends: 2 ms. */
export async function findPlacementRows(
  tx: Tx,
  services: readonly RowKey<string>[],
): Promise<Map<string, PlacementRow>> {
  const rows = await tx.execute<PlacementRow>(sql`
    select v.id as service_id, s.last_agent_id, t.last_status, t.is_alerting
    from services v
      left join schedules s on (s.organization_id, s.service_id) = (v.organization_id, v.id)
      left join service_states t on (t.organization_id, t.service_id) = (v.organization_id, v.id)
    where (v.organization_id, v.id) in (select * from ${rowKeys(services)})`)
  return new Map(rows.map((row) => [row.service_id, row]))
}

/**
 * Queues a waiting run on the agents: the run itself on the first one, a copy on each other one. Takes 0.6 ms for one
 * agent. One run at a time is enough, because only services whose runs outlast their schedule have waiting runs.
 */
export async function queueWaitingRun(
  tx: Tx,
  run: WaitingRun,
  [first, ...others]: readonly [{ id: string }, ...{ id: string }[]],
  lastAgentId: string | null,
): Promise<void> {
  const { rankAt, isSlow } = queueOrder(
    meanRunMsOf({ organizationId: run.organization_id, id: run.service_id }),
    run.cause,
  )
  await tx.execute(sql`
    update runs set state = 'queued', agent_id = ${first.id}, created_at = now(), rank_at = ${rankAt},
      is_slow = ${isSlow}
    where organization_id = ${run.organization_id} and id = ${run.id}`)
  for (const agent of others) await tx.execute(insertCopy(run, agent.id, rankAt, isSlow))
  // As in `requestRun`, runs with values do not change the rotation.
  if (run.values_digest === null) {
    await tx.execute(sql`
      update schedules set last_agent_id = ${lastAgentId}
      where organization_id = ${run.organization_id} and service_id = ${run.service_id}`)
  }
}

function insertCopy(run: WaitingRun, agentId: string, rankAt: SQL, isSlow: SQL): SQL {
  return sql`
    insert into runs (id, run_id, organization_id, service_id, agent_id, slot, cause, values_digest, rank_at, is_slow)
    values (${uuidv7()}, ${run.id}, ${run.organization_id}, ${run.service_id}, ${agentId}, ${run.slot}, ${run.cause},
      ${run.values_digest}, ${rankAt}, ${isSlow})`
}
