import { sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import { isConfirming, type ProbeMode } from '#server/schedule/placement.ts'
import { queueOrder } from '#server/schedule/run-queue.ts'

// The statements of dispatch. Times are medians on two shared cores, for 2,000 due services of 100,000 with a schedule.

export type DueSchedule = {
  service_id: string
  organization_id: string
  cron: string
  offset_seconds: number
  next_slot: string
  last_agent_id: string | null
  probe_mode: ProbeMode
  queue_policy: 'skip' | 'enqueue_once'
  service_window: string | null
  timezone: string
  now: string
}

/**
 * Locks due schedules, oldest first. `skip locked` gives each schedule to one of any number of dispatchers. The service
 * is locked too, so that no transaction deletes it. Reads along `schedules_due_idx`: 32 ms.
 */
export function lockDueSchedules(tx: Tx, limit: number): Promise<DueSchedule[]> {
  return tx.execute<DueSchedule>(sql`
    select s.service_id, s.organization_id, s.cron, s.offset_seconds, s.next_slot, s.last_agent_id, v.probe_mode,
      v.queue_policy, v.service_window, o.timezone, now() as now
    from schedules s join services v on (v.organization_id, v.id) = (s.organization_id, s.service_id) join organizations o on o.id = s.organization_id
    where s.next_run_at <= now() order by s.next_run_at limit ${limit}
    for update of s skip locked for key share of v skip locked`)
}

/**
 * Returns which of the services have a run that waits, is queued or is running, by `runs_open_idx`: 14 ms. `apart` means
 * only runs with values of their own.
 */
export async function findBusyServices(
  tx: Tx,
  services: readonly RowKey<string>[],
): Promise<Map<string, 'own' | 'apart'>> {
  const rows = await tx.execute<{ service_id: string; is_apart: boolean }>(sql`
    select service_id, bool_and(values_digest is not null) as is_apart from runs
    where (organization_id, service_id) in (select * from ${rowKeys(services)}) and state <> 'done' group by service_id`)
  return new Map(rows.map((row) => [row.service_id, row.is_apart ? 'apart' : 'own']))
}

/** Returns which of the services have a failure that is not announced yet: 4 ms. */
export async function findConfirmingServices(tx: Tx, services: readonly RowKey<string>[]): Promise<Set<string>> {
  const rows = await tx.execute<{ service_id: string; last_status: string; is_alerting: boolean }>(sql`
    select service_id, last_status, is_alerting from service_states
    where (organization_id, service_id) in (select * from ${rowKeys(services)}) and last_status <> 'success' and not is_alerting`)
  const confirming = rows.filter((row) => isConfirming({ lastStatus: row.last_status, isAlerting: row.is_alerting }))
  return new Set(confirming.map((row) => row.service_id))
}

export type NewRun = {
  id: string
  /** Null for the first row of a run. */
  run_id: string | null
  cause: 'schedule' | 'confirmation'
  organization_id: string
  service_id: string
  agent_id: string
  agent_slug: string
  slot: string
  state: 'queued' | 'waiting' | 'done'
}

/**
 * Inserts runs and returns the ids of those that are new; existing runs are skipped. One JSON parameter keeps the
 * statement's text the same for any number of runs, so that it stays prepared: 190 ms.
 */
export async function insertRuns(tx: Tx, runs: NewRun[]): Promise<Set<string>> {
  const { rankAt, isSlow } = queueOrder({ organizationId: sql`i.organization_id`, id: sql`i.service_id` }, sql`i.cause`)
  const inserted = await tx.execute<{ id: string }>(sql`
    insert into runs (id, run_id, organization_id, service_id, agent_id, slot, cause, state, finished_at, rank_at,
      is_slow)
    select i.id, i.run_id, i.organization_id, i.service_id, i.agent_id, i.slot, i.cause, i.state,
      case when i.state = 'done' then now() end, ${rankAt}, ${isSlow}
    from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb)
      as i(id uuid, run_id uuid, organization_id uuid, service_id uuid, agent_id uuid, slot timestamptz, cause text,
        state text)
    on conflict do nothing returning id`)
  return new Set(inserted.map((row) => row.id))
}

export type NextSlot = {
  organization_id: string
  service_id: string
  next_slot: Date
  next_run_at: Date
  last_agent_id: string | null
}

/** Moves schedules to their next slot, all in one statement: 120 ms. */
export async function updateSchedules(tx: Tx, rows: NextSlot[]): Promise<void> {
  await tx.execute(sql`
    update schedules s set next_slot = i.next_slot, next_run_at = i.next_run_at, last_agent_id = i.last_agent_id
    from jsonb_populate_recordset(null::schedules, ${JSON.stringify(rows)}::jsonb) i
    where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`)
}
