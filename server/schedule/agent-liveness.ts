import { type SQL, sql } from '#db/drizzle.cjs'
import { settings } from '../process/settings.ts'

// Whether an agent is alive: one condition for dispatch, promotion, run requests, reaping and the agents page.

/**
 * A process of the table `workers` is alive while its last heartbeat is young enough by the database's clock. A remote
 * agent's row has a limit of its own; `staleSeconds` is that of in-house workers.
 */
export function isWorkerAlive(worker = sql`workers`, staleSeconds = settings().WORKER_STALE_SECONDS): SQL<boolean> {
  return sql`${worker}.heartbeat_at > now() - make_interval(secs => coalesce(${worker}.stale_seconds, ${staleSeconds}))`
}

/** An agent is alive while at least one of its processes is. */
export function isAgentAlive(agentId: SQL, staleSeconds = settings().WORKER_STALE_SECONDS): SQL<boolean> {
  return sql`exists (
    select 1 from workers w where w.agent_id = ${agentId} and ${isWorkerAlive(sql`w`, staleSeconds)})`
}
