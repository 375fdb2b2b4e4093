import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'

/**
 * Queues the runs again that the processes of a key hold, and forgets the processes, except the `kept` latest ones. Locks the
 * agent first, as its removal does.
 */
export async function returnLeasesOfKey(db: Queryable, keyId: string, kept = 0): Promise<void> {
  await db.execute(sql`
    with locked as materialized (
      select a.id from agents a where a.id = (select agent_id from agent_keys where id = ${keyId}) for no key update),
    gone as (
      delete from workers w where (select count(*) from locked) >= 0 and w.id in (
        select id from workers where key_id = ${keyId} order by heartbeat_at desc, id offset ${kept}::int)
      returning w.id, w.agent_id, w.heartbeat_at),
    seen as (
      update agents a set last_seen_at = greatest(a.last_seen_at, g.at)
      from (select agent_id, max(heartbeat_at) as at from gone group by agent_id) g where a.id = g.agent_id),
    held as (
      select r.organization_id, r.id from runs r where r.state = 'running' and r.worker_id in (select id from gone)
      order by r.id for update skip locked)
    update runs r set state = 'queued', worker_id = null, lease_until = null from held
    where (r.organization_id, r.id) = (held.organization_id, held.id)`)
}
