import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'

/** Locks an agent before its keys, runs and processes, in the order in which its removal does. */
export async function lockAgent(tx: Queryable, agentId: string): Promise<void> {
  await tx.execute(sql`select from agents where id = ${agentId} for no key update`)
}

/**
 * Queues the runs again that remote processes of an agent hold, for an agent that may take no more: what it uploads for them
 * is refused once another one has them.
 */
export async function releaseRunsOf(tx: Queryable, agentId: string): Promise<void> {
  await tx.execute(sql`
    with held as (
      select r.organization_id, r.id from runs r join workers w on w.id = r.worker_id
      where r.state = 'running' and w.agent_id = ${agentId} and w.kind = 'agent'
      order by r.id for update of r skip locked)
    update runs r set state = 'queued', worker_id = null, lease_until = null from held
    where (r.organization_id, r.id) = (held.organization_id, held.id)`)
}
