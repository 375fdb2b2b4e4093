import { v5 as uuidv5 } from 'uuid'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { DEATHS_MAX, leaseEnd } from '../../../runs/probes/leases.ts'
import { lockAgent } from '../../../schedule/agent-runs.ts'
import type { HeldRun } from '../../../schemas/agents/protocol.ts'
import type { AgentWorker } from '../requests/agent-key.ts'

/**
 * Ends the process that used the key before: its folder has a new process, so it is dead. Runs whose results the new process
 * holds become its own. The others are queued again; the lease of one that has outlived too many processes ends instead, and
 * the reaper records it. A run whose result is being stored is left alone.
 */
export async function takeOver(db: Db, worker: AgentWorker, former: string, held: HeldRun[]): Promise<void> {
  const formerId = uuidv5(former, worker.keyId)
  if (formerId === worker.id) return
  await db.transaction(async (tx) => {
    await lockAgent(tx, worker.agentId)
    await tx.execute(sql`
      with gone as (delete from workers where id = ${formerId} returning agent_id, heartbeat_at)
      update agents a set last_seen_at = greatest(a.last_seen_at, gone.heartbeat_at) from gone where a.id = gone.agent_id`)
    await tx.execute(sql`
      with left_over as (
        select r.organization_id, r.id, h.id is not null as is_held, r.deaths + 1 < ${DEATHS_MAX} as is_repeated
        from runs r left join jsonb_to_recordset(${JSON.stringify(held)}::jsonb) h (id uuid, attempt int)
          on (h.id, h.attempt) = (r.id, r.attempt)
        where r.state = 'running' and r.worker_id = ${formerId} order by r.id for update of r skip locked)
      update runs r set
        state = case when l.is_held or not l.is_repeated then r.state else 'queued' end,
        worker_id = case when l.is_held then ${worker.id}::uuid end,
        lease_until = case when l.is_held then ${leaseEnd(worker)} when not l.is_repeated then now() end,
        deaths = r.deaths + (not l.is_held and l.is_repeated)::int
      from left_over l where (r.organization_id, r.id) = (l.organization_id, l.id)`)
  })
}
