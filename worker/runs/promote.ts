import { v7 as uuidv7 } from 'uuid'
import type { Db, Tx } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import type { RunCause } from '#db/schema/runs.ts'
import { announce } from '#server/live/announce.ts'
import { readSkippedAgents } from '#server/runs/record/rechecks/skipped-agents.ts'
import { countFirsts } from '#server/runs/record/store-runs.ts'
import { readMaintained } from '#server/schedule/maintenance/holding.ts'
import {
  isConfirming,
  type ProbeMode,
  placeableAgents,
  placeRecheck,
  placeRequiredRun,
} from '#server/schedule/placement.ts'
import { meanRunMsOf, queueOrder } from '#server/schedule/run-queue.ts'
import { deleteRuns } from './delete-runs.ts'
import { isInWindow } from './dispatch.ts'

/** Waiting runs promoted in one transaction. */
const BATCH = 500

/**
 * Queues the waiting runs whose service no longer has a run in flight, rechecks when they are due. Scheduled runs are
 * deleted instead when their service was switched off or is under maintenance now. Returns the number of waiting runs that
 * it queued or deleted.
 */
export function promoteWaiting(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const locked = await lockWaitingRuns(tx)
    if (locked.length === 0) return 0
    const { held, lastAgents } = await lockSchedules(tx, servicesOf(locked))
    const candidates = locked.filter((run) => !held.has(run.service_id))
    // Checked again under the locks on the schedules, where it can no longer change.
    const inFlight = await findServicesInFlight(tx, servicesOf(candidates))
    const free = candidates.filter((run) => !inFlight.has(run.service_id))
    const now = new Date(locked[0]?.now ?? 0)
    const unwanted = new Set<WaitingRun>()
    const maintained = await readMaintained(tx, servicesOf(free))
    for (const run of free) {
      if (run.cause === 'request') continue
      const isSkipped = maintained.get(run.service_id)?.some(({ mode }) => mode === 'skip')
      if (!run.is_active || isSkipped || (await isInWindow(run, now))) unwanted.add(run)
    }
    await deleteRuns(tx, [...unwanted])
    // A failure that nobody looks at again counts: it was before the maintenance.
    await announce(tx, await countFirsts(tx, [...unwanted].filter(({ is_active }) => is_active).map(toRecheck)))
    const wanted = free.filter((run) => !unwanted.has(run))
    const agents = await placeableAgents(tx, servicesOf(wanted))
    const rechecked = servicesOf(wanted.filter(({ cause }) => cause === 'confirmation'))
    const failing = await readFailingAgents(tx, rechecked)
    const skipping = await readSkippedAgents(tx, rechecked)
    for (const run of wanted) {
      const last = lastAgents.get(run.service_id) ?? null
      const eligible = agents.get(run.service_id) ?? []
      const { chosen, lastAgentId } =
        run.cause === 'confirmation'
          ? {
              chosen: placeRecheck(eligible, {
                firstAgentId: run.agent_id,
                failing: failing.get(run.service_id) ?? new Set(),
                skipping: skipping.get(run.service_id) ?? new Set(),
              }),
              lastAgentId: last,
            }
          : placeRequiredRun(eligible, {
              probeMode: run.probe_mode,
              lastAgentId: last,
              isConfirming: isConfirming({ lastStatus: run.last_status, isAlerting: run.is_alerting ?? false }),
            })
      await queueWaitingRun(tx, run, chosen, lastAgentId)
    }
    return free.length
  })
}

type WaitingRun = {
  id: string
  service_id: string
  organization_id: string
  agent_id: string
  slot: string
  cause: RunCause
  recheck_of: string | null
  values_digest: string | null
  is_active: boolean
  probe_mode: ProbeMode
  service_window: string | null
  timezone: string
  last_status: string | null
  is_alerting: boolean | null
  now: string
}

const WAITING = sql`('waiting', 'waiting_with_values', 'waiting_recheck')`

/**
 * Locks waiting runs whose service has no run in flight, oldest slot first, with their services. Of the waiting runs of one
 * service only the oldest: the others wait for it, even while another process promotes it. A recheck waits no longer for
 * its time when another run waits for it, or when its service is off.
 */
function lockWaitingRuns(tx: Tx): Promise<WaitingRun[]> {
  return tx.execute<WaitingRun>(sql`
    select r.id, r.service_id, r.organization_id, r.agent_id, r.slot, r.cause, r.recheck_of, r.values_digest, v.is_active,
      v.probe_mode, v.service_window, o.timezone, t.last_status, t.is_alerting, now() as now
    from runs r join services v on (v.organization_id, v.id) = (r.organization_id, r.service_id)
      join organizations o on o.id = r.organization_id
      left join service_states t on (t.organization_id, t.service_id) = (r.organization_id, r.service_id)
    where r.state in ${WAITING}
      and (r.state <> 'waiting_recheck' or r.rank_at <= now() or not v.is_active or exists (
        select 1 from runs w where (w.organization_id, w.service_id) = (r.organization_id, r.service_id)
          and w.state in ('waiting', 'waiting_with_values')))
      and not exists (
        select 1 from runs q where (q.organization_id, q.service_id) = (r.organization_id, r.service_id)
          and (q.state in ('queued', 'running')
          or (q.state in ${WAITING} and (q.slot, q.id) < (r.slot, r.id))))
    order by r.slot limit ${BATCH}
    for update of r skip locked for key share of v skip locked`)
}

type LockedSchedules = {
  /** The services whose schedule another transaction holds. */
  held: Set<string>
  /** The agent of each service's last run. */
  lastAgents: Map<string, string | null>
}

/**
 * Locks the schedules of the services: every writer of runs locks the schedule first. A service that is off has no
 * schedule, and `skip locked` does not distinguish a locked schedule from a missing one, so this takes two statements.
 */
async function lockSchedules(tx: Tx, services: readonly RowKey<string>[]): Promise<LockedSchedules> {
  const isWanted = sql`(organization_id, service_id) in (select * from ${rowKeys(services)})`
  const scheduled = await tx.execute<{ service_id: string }>(sql`select service_id from schedules where ${isWanted}`)
  const locked = await tx.execute<{ service_id: string; last_agent_id: string | null }>(
    sql`select service_id, last_agent_id from schedules where ${isWanted} for update skip locked`,
  )
  const lastAgents = new Map(locked.map((row) => [row.service_id, row.last_agent_id]))
  return { held: new Set(scheduled.map((row) => row.service_id).filter((id) => !lastAgents.has(id))), lastAgents }
}

/** Returns which of the services have a run in flight. */
async function findServicesInFlight(tx: Tx, services: readonly RowKey<string>[]): Promise<Set<string>> {
  const rows = await tx.execute<{ service_id: string }>(sql`
    select distinct service_id from runs
    where (organization_id, service_id) in (select * from ${rowKeys(services)}) and state in ('queued', 'running')`)
  return new Set(rows.map((row) => row.service_id))
}

/** Returns the agents whose own last run of a service failed. */
async function readFailingAgents(
  tx: Tx,
  services: readonly RowKey<string>[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (services.length === 0) return new Map()
  const rows = await tx.execute<{ service_id: string; agent_id: string }>(sql`
    select service_id, agent_id from service_agent_states
    where (organization_id, service_id) in (select * from ${rowKeys(services)}) and failing_runs > 0`)
  const byService = Map.groupBy(rows, (row) => row.service_id)
  return new Map([...byService].map(([id, own]) => [id, new Set(own.map((row) => row.agent_id))]))
}

/**
 * Queues a waiting run on the agents: the run itself on the first one, a copy on each other one. One run at a time is
 * enough, because only services whose runs outlast their schedule have waiting runs.
 */
async function queueWaitingRun(
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

function toRecheck(run: WaitingRun) {
  return { organizationId: run.organization_id, serviceId: run.service_id, recheckOf: run.recheck_of }
}

function servicesOf(waiting: WaitingRun[]): RowKey<string>[] {
  return waiting.map((run) => ({ organizationId: run.organization_id, id: run.service_id }))
}
