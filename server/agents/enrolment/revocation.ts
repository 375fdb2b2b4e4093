import { sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'

/** Queues the runs again that the processes of a revoked key hold, and forgets the processes. */
export async function returnLeasesOfKey(tx: Tx, keyId: string): Promise<void> {
  await tx.execute(sql`
    with gone as (delete from workers w where w.key_id = ${keyId} returning w.id, w.agent_id, w.heartbeat_at),
    seen as (
      update agents a set last_seen_at = greatest(a.last_seen_at, g.at)
      from (select agent_id, max(heartbeat_at) as at from gone group by agent_id) g where a.id = g.agent_id),
    held as (
      select r.id from runs r where r.state = 'running' and r.worker_id in (select id from gone)
      order by r.id for update skip locked)
    update runs r set state = 'queued', worker_id = null, lease_until = null from held where r.id = held.id`)
}
