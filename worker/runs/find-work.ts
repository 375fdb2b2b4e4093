import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'

/** The longest that due schedules and what other processes queue wait for a worker. Its own runs are picked at once. */
export const LOOK_INTERVAL_MS = 250

/** Work that waits for a worker. */
export type Work = {
  /** A queued run of its agent. */
  hasRuns: boolean
  /** A queued draft run of its agent. */
  hasDrafts: boolean
  /** A due schedule or recheck, or a run that waits for another run of its service. */
  isDispatchDue: boolean
}

/**
 * Looks for all kinds of work in one statement: an idle worker sends little else. Each part is found by the first entry
 * of an index: 0.1 ms. Without `order by`, the planner may read all schedules when none is due.
 */
export async function findWork(db: Db, agentId: string): Promise<Work> {
  const [row] = await db.execute<Work>(sql`
    select exists (select from runs r where r.state = 'queued' and r.agent_id = ${agentId}) as "hasRuns",
      exists (select from draft_runs d where d.state = 'queued' and d.agent_id = ${agentId}
        and d.created_at > now() - interval '1 minute') as "hasDrafts",
      (select s.next_run_at from schedules s where s.next_run_at <= now() order by 1 limit 1) is not null
        or exists (select from runs w where w.state = 'waiting')
        or exists (select from runs a where a.state = 'waiting_with_values')
        or exists (select from runs c where c.state = 'waiting_recheck' and c.rank_at <= now()) as "isDispatchDue"`)
  return row as Work
}
