import { sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import { insertRows, rowsOf } from '#db/rows.ts'
import { runs, schedules } from '#db/schema/runs.ts'
import type { ProbeMode } from '#server/schedule/placement.ts'
import { FIRST_SERVICE, type ScheduleGroup } from './schedule-groups.ts'

// The statements of dispatch. Times are medians on two shared cores, for 2,000 due services of 100,000 with a schedule.

export type DueSchedule = {
  /** The place of its group in the list that it was looked for in. */
  n: number
  service_id: string
  organization_id: string
  next_slot: string
  last_agent_id: string | null
  probe_mode: ProbeMode
  queue_policy: 'skip' | 'enqueue_once'
  service_window: string | null
  /** Null without a window. */
  timezone: string | null
  /** The agents that the service names; null for none. */
  agent_ids: string[] | null
  last_status: string | null
  is_alerting: boolean | null
  mean_run_ms: number
}

/** A group of schedules, and the slot that those that are due move to. */
export type MovingGroup = ScheduleGroup & { toSlot: Date }

/**
 * Moves due schedules of the groups to their next slot, and returns them as they were, with the database's time, in order:
 * those of the first group whose services follow `after`, then those of the others. `skip locked` gives each schedule to
 * one of any number of dispatchers. The deletion of a service waits for the lock of its schedule. Walks the groups along
 * `schedules_group_idx`, in the order of the services' ids, which are neighbours in all tables and indexes: 30 ms. Left to
 * itself, the planner reads all schedules of a group for each batch, and, without the two `offset 0`, all services and
 * states.
 */
export async function moveDueSchedules(
  tx: Tx,
  groups: readonly MovingGroup[],
  after: string,
  limit: number,
): Promise<{ due: DueSchedule[]; now: Date }> {
  const rows = groups.map(({ cron, offset_seconds, toSlot }, n) => ({ n, cron, offset_seconds, slot: toSlot }))
  const [[clock], due] = await Promise.all([
    tx.execute<{ now: string }>(sql`select now() as now, set_config('enable_bitmapscan', 'off', true)`),
    tx.execute<DueSchedule>(sql`
      with due as materialized (
        select k.n, s.place, s.service_id, s.organization_id, s.next_slot, s.last_agent_id, k.slot
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) k (n int, cron text, offset_seconds int, slot timestamptz)
          cross join lateral (
            select s.ctid as place, s.service_id, s.organization_id, s.next_slot, s.last_agent_id from schedules s
            where s.cron = k.cron and s.offset_seconds = k.offset_seconds and s.is_grouped and s.next_run_at <= now()
              and s.service_id > case when k.n = 0 then ${after}::uuid else ${FIRST_SERVICE} end
            order by s.service_id limit ${limit}::int for update of s skip locked) s
        limit ${limit}::int),
      moved as (
        update schedules s set next_slot = due.slot, next_run_at = due.slot + make_interval(secs => s.offset_seconds)
        from due where s.ctid = due.place and s.organization_id = due.organization_id
        returning due.n, s.service_id, s.organization_id, due.next_slot, s.last_agent_id)
      select moved.*, v.probe_mode, v.queue_policy, v.service_window, t.last_status, t.is_alerting,
        (select o.timezone from organizations o where o.id = moved.organization_id and v.service_window is not null),
        (select array_agg(a.agent_id) from service_agents a
          where (a.organization_id, a.service_id) = (moved.organization_id, moved.service_id)) as agent_ids,
        coalesce(t.mean_run_ms, 0) as mean_run_ms
      from moved
        cross join lateral (
          select v.probe_mode, v.queue_policy, v.service_window from services v
          where (v.organization_id, v.id) = (moved.organization_id, moved.service_id) offset 0) v
        left join lateral (
          select t.last_status, t.is_alerting, t.mean_run_ms from service_states t
          where (t.organization_id, t.service_id) = (moved.organization_id, moved.service_id) offset 0) t on true
      order by moved.n, moved.service_id`),
  ])
  return { due, now: new Date(clock?.now ?? 0) }
}

export type BusyService = {
  service_id: string
  /** Each of its open runs was requested with values. */
  all_have_values: boolean
  /** A run without values waits for the one in flight. */
  has_waiting: boolean
}

/**
 * Returns which of the services have a run that waits, is queued or is running, by `runs_open_idx`. Left to itself, the
 * planner reads all open runs for each batch.
 */
export async function findBusyServices(tx: Tx, services: readonly RowKey<string>[]): Promise<Map<string, BusyService>> {
  const rows = await tx.execute<BusyService>(sql`
    select i.service_id, bool_and(r.values_digest is not null) as all_have_values, bool_or(r.state = 'waiting') as has_waiting
    from ${rowKeys(services)} as i(organization_id, service_id) cross join lateral (
      select r.values_digest, r.state from runs r
      where (r.organization_id, r.service_id) = (i.organization_id, i.service_id) and r.state <> 'done' offset 0) r
    group by i.service_id`)
  return new Map(rows.map((row) => [row.service_id, row]))
}

export type NewRun = {
  id: string
  /** Null for the first row of a run. */
  runId: string | null
  cause: 'schedule' | 'confirmation'
  organizationId: string
  serviceId: string
  agentId: string
  slot: Date
  state: 'queued' | 'waiting' | 'done'
  rankAt: Date
  isSlow: boolean
  /** Null unless it is done. */
  finishedAt: Date | null
}

/** Inserts runs, and returns the ids of the new ones: a slot has runs already if a clock went back. */
export async function insertRuns(tx: Tx, added: NewRun[]): Promise<Set<string>> {
  const rows = await insertRows(tx, runs, added, sql`on conflict do nothing returning id`)
  return new Set(rows.map(({ id }) => id as string))
}

/** Gives schedules back the slots that they were moved from. Rare. */
export async function moveBack(tx: Tx, due: DueSchedule[]): Promise<void> {
  await tx.execute(sql`
    update schedules s
    set next_slot = i.next_slot, next_run_at = i.next_slot + make_interval(secs => s.offset_seconds)
    from ${rowsOf(schedules, due.map(toSchedule))}
    where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`)
}

/** Notes that slots of the schedules passed without runs, and that this is as it should be. */
export async function expectLater(tx: Tx, due: DueSchedule[]): Promise<void> {
  await tx.execute(sql`
    update schedules s set expected_from = now()
    from ${rowsOf(schedules, due.map(toSchedule))}
    where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`)
}

function toSchedule({ organization_id, service_id, next_slot }: DueSchedule) {
  return { organizationId: organization_id, serviceId: service_id, nextSlot: new Date(next_slot) }
}

export type LastAgent = { organizationId: string; serviceId: string; lastAgentId: string }

/** Stores the agents of the last runs, from which the next ones rotate. */
export async function updateLastAgents(tx: Tx, agents: LastAgent[]): Promise<void> {
  await tx.execute(sql`
    update schedules s set last_agent_id = i.last_agent_id
    from ${rowsOf(schedules, agents)}
    where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`)
}
