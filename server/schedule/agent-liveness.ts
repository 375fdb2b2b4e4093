import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { settings } from '../process/settings.ts'

// Whether an agent is alive: one condition for dispatch, promotion, run requests, reaping and the agents page.

/** A worker process is alive while its last heartbeat is younger than `staleSeconds` by the database's clock. */
export function isWorkerAlive(
  heartbeatAt: SQL | AnyColumn,
  staleSeconds = settings().WORKER_STALE_SECONDS,
): SQL<boolean> {
  return sql`${heartbeatAt} > now() - make_interval(secs => ${staleSeconds})`
}

/** An agent is alive while at least one of its worker processes is. */
export function isAgentAlive(agentId: SQL, staleSeconds = settings().WORKER_STALE_SECONDS): SQL<boolean> {
  return sql`exists (
    select 1 from workers w where w.agent_id = ${agentId} and ${isWorkerAlive(sql`w.heartbeat_at`, staleSeconds)})`
}
