import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { isWorkerAlive } from './agent-liveness.ts'

// What agents can still carry: the slots of their live processes without the runs that these hold and those that are
// queued for the agent. Runs are counted here, because a process reports its busy slots only with each heartbeat.

/** The runs that an agent can still take; null when a process reports no slots, which counts as room. */
export type Capacity = { free: number | null }

/** A process that uses this share of its machine's processor time has no room. */
const CPU_MAX = 0.95
/** Nor has one whose timers fired this late since its former heartbeat. */
const LATENESS_MAX_MS = 2_000

/** Whether the process `w` has no room, whatever slots are free. */
export function isOverloaded(): SQL<boolean> {
  return sql`(coalesce(w.cpu, 0) >= ${CPU_MAX}::float8 or coalesce(w.lateness_ms, 0) >= ${LATENESS_MAX_MS})`
}

/**
 * Returns the capacity of every agent that has a live process, by id. Counts as many queued runs as an agent has slots, so
 * that a long queue costs no more.
 */
export async function readCapacities(db: Queryable): Promise<Map<string, Capacity>> {
  const rows = await db.execute<{ agent_id: string; free: number | null }>(sql`
    with live as (
      select w.agent_id, coalesce(sum(w.slots) filter (where not ${isOverloaded()}), 0)::int as slots,
        coalesce(sum(held.runs) filter (where not ${isOverloaded()}), 0)::int as running,
        coalesce(bool_or(w.slots is null and not ${isOverloaded()}), false) as is_unknown
      from workers w left join (
        select r.worker_id, count(*) as runs from runs r where r.state = 'running' group by r.worker_id) held
        on held.worker_id = w.id
      where ${isWorkerAlive(sql`w`)} group by w.agent_id)
    select l.agent_id, case when l.is_unknown then null else greatest(l.slots - l.running - queued.runs, 0) end as free
    from live l cross join lateral (
      select count(*)::int as runs from (
        select 1 from runs q where q.state = 'queued' and q.agent_id = l.agent_id limit l.slots) bounded) queued`)
  return new Map(rows.map(({ agent_id, free }) => [agent_id, { free }]))
}
