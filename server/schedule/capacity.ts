import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { isWorkerAlive } from './agent-liveness.ts'

// Free capacity of agents: the slots of their live processes minus running and queued runs. Runs are counted here,
// because a process reports its busy slots only with each heartbeat.

/** The runs that an agent can still take; null when a process reports no slots, which counts as room. */
export type Capacity = { free: number | null }

/** A process that uses this share of its machine's processor time has no room. */
const CPU_MAX = 0.95
/** A process whose timers fired this late since its last heartbeat has no room either. */
const LATENESS_MAX_MS = 2_000

/** Whether the process `w` has no room, regardless of free slots. */
function isOverloaded(): SQL<boolean> {
  return sql`(coalesce(w.cpu, 0) >= ${CPU_MAX}::float8 or coalesce(w.lateness_ms, 0) >= ${LATENESS_MAX_MS})`
}

/**
 * Returns the capacity of every agent that has a live process, by id. Counts as many queued runs as an agent has slots, so
 * that a long queue costs no more.
 */
export async function readCapacities(db: Queryable): Promise<Map<string, Capacity>> {
  const rows = await db.execute<{ agent_id: string; free: number | null }>(sql`
    with live as (
      select w.id, w.agent_id, w.slots, ${isOverloaded()} as is_overloaded from workers w where ${isWorkerAlive(sql`w`)}),
    carrying as (
      select agent_id, coalesce(sum(slots) filter (where not is_overloaded), 0)::int as slots,
        bool_or(slots is null and not is_overloaded) as is_unknown
      from live group by agent_id),
    queued as (
      select c.agent_id, counted.runs from carrying c cross join lateral (
        select count(*)::int as runs from (
          select 1 from runs q where q.state = 'queued' and q.agent_id = c.agent_id limit c.slots) bounded) counted),
    running as (
      select w.agent_id, sum(held.runs)::int as runs from live w join (
        select r.worker_id, count(*) as runs from runs r where r.state = 'running' group by r.worker_id) held
        on held.worker_id = w.id
      where not w.is_overloaded group by w.agent_id)
    select c.agent_id, case when c.is_unknown then null
      else greatest(c.slots - coalesce(r.runs, 0) - q.runs, 0) end as free
    from carrying c join queued q on q.agent_id = c.agent_id left join running r on r.agent_id = c.agent_id`)
  return new Map(rows.map(({ agent_id, free }) => [agent_id, { free }]))
}
