import { sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import { rowsStatement } from '#server/record/columns.ts'
import type { ProbeMode } from '#server/schedule/placement.ts'
import { queueOrder } from '#server/schedule/run-queue.ts'
import type { ScheduleGroup } from './schedule-groups.ts'

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
  last_status: string | null
  is_alerting: boolean | null
  mean_run_ms: number
}

/** A group of schedules, and the slot that those that are due move to. */
export type MovingGroup = ScheduleGroup & { toSlot: Date }

/** Before the id of every service: where a group begins. */
export const FIRST_SERVICE = '00000000-0000-0000-0000-000000000000'

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
  const [clock] = await tx.execute<{ now: string }>(sql`
    select now() as now, set_config('enable_bitmapscan', 'off', true)`)
  const due = await tx.execute<DueSchedule>(sql`
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
      coalesce(t.slot_ms, 0) as mean_run_ms
    from moved
      cross join lateral (
        select v.probe_mode, v.queue_policy, v.service_window from services v
        where (v.organization_id, v.id) = (moved.organization_id, moved.service_id) offset 0) v
      left join lateral (
        select t.last_status, t.is_alerting, t.slot_ms from service_states t
        where (t.organization_id, t.service_id) = (moved.organization_id, moved.service_id) offset 0) t on true
    order by moved.n, moved.service_id`)
  return { due, now: new Date(clock?.now ?? 0) }
}

/**
 * Returns which of the services have a run that waits, is queued or is running, by `runs_open_idx`: 3 ms. `apart` means
 * only runs with values of their own. Left to itself, the planner reads all open runs for each batch.
 */
export async function findBusyServices(
  tx: Tx,
  services: readonly RowKey<string>[],
): Promise<Map<string, 'own' | 'apart'>> {
  const rows = await tx.execute<{ service_id: string; is_apart: boolean }>(sql`
    select k.id as service_id, bool_and(r.is_apart) as is_apart
    from ${rowKeys(services)} k (organization_id, id) cross join lateral (
      select r.values_digest is not null as is_apart from runs r
      where (r.organization_id, r.service_id) = (k.organization_id, k.id) and r.state <> 'done' offset 0) r
    group by k.id`)
  return new Map(rows.map((row) => [row.service_id, row.is_apart ? 'apart' : 'own']))
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
  mean_run_ms: number
}

/** Inserts runs and returns the ids of those that are done and new; existing runs are skipped: 35 ms. */
export async function insertRuns(tx: Tx, runs: NewRun[]): Promise<Set<string>> {
  return new Set((await insert(tx, runs)).map((row) => row.id))
}

const { rankAt, isSlow } = queueOrder(sql`i.mean_run_ms`, sql`i.cause`)
const insert = rowsStatement<NewRun, { id: string }>(
  {
    ...{ id: 'uuid', run_id: 'uuid', organization_id: 'uuid', service_id: 'uuid', agent_id: 'uuid' },
    ...{ slot: 'timestamptz', cause: 'text', state: 'text', mean_run_ms: 'int' },
  },
  (rows) => sql`
    with inserted as (
      insert into runs (id, run_id, organization_id, service_id, agent_id, slot, cause, state, finished_at, rank_at,
        is_slow)
      select i.id, i.run_id, i.organization_id, i.service_id, i.agent_id, i.slot, i.cause, i.state,
        case when i.state = 'done' then now() end, ${rankAt}, ${isSlow}
      from ${rows}
      on conflict do nothing returning id, state)
    select id from inserted where state = 'done'`,
)

/** Gives schedules back the slots that they were moved from. Rare. */
export const moveBack = rowsStatement<DueSchedule>(
  { organization_id: 'uuid', service_id: 'uuid', next_slot: 'timestamptz' },
  (rows) => sql`
    update schedules s
    set next_slot = i.next_slot, next_run_at = i.next_slot + make_interval(secs => s.offset_seconds)
    from ${rows} where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`,
)

export type LastAgent = { organization_id: string; service_id: string; last_agent_id: string }

/** Stores the agents of the last runs, from which the next ones rotate: 16 ms. */
export const updateLastAgents = rowsStatement<LastAgent>(
  { organization_id: 'uuid', service_id: 'uuid', last_agent_id: 'uuid' },
  (rows) => sql`
    update schedules s set last_agent_id = i.last_agent_id
    from ${rows} where (s.organization_id, s.service_id) = (i.organization_id, i.service_id)`,
)
