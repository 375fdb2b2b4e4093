import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'

/** A queued run, or a job that no worker has locked, is overdue after this time. */
const OVERDUE_SECONDS = 3
/** Due jobs that are counted: more than a worker can take at once. */
const DUE_MAX = 50

export type Backlog = {
  /** Jobs of any task that are due and not locked, up to a maximum. */
  dueJobs: number
  /** Whether work of a kind has waited for longer than three seconds. */
  isOverdue: { runs: boolean; jobs: boolean; messages: boolean }
}

/**
 * Returns what waits in the queues now. `tasks` are the names of the tasks of each queue. Reads the queued runs of the agent
 * up to an overdue one, 3 ms for 20,000, and the jobs that are available: 0.3 ms without jobs.
 */
export async function findBacklog(
  db: Db,
  agentId: string,
  tasks: { jobs: string[]; messages: string[] },
): Promise<Backlog> {
  const since = sql`now() - make_interval(secs => ${OVERDUE_SECONDS})`
  const areOverdue = (names: string[]) => sql`exists (
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.is_available and j.run_at < ${since}
      and t.identifier in (select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb)))`
  const [row] = await db.execute<{ due: number; runs: boolean; jobs: boolean; messages: boolean }>(sql`
    select exists (select from runs r where r.state = 'queued' and r.agent_id = ${agentId} and r.created_at < ${since}) as runs,
      ${areOverdue(tasks.jobs)} as jobs, ${areOverdue(tasks.messages)} as messages,
      (select count(*) from (select from graphile_worker._private_jobs j
        where j.is_available and j.run_at <= now() limit ${DUE_MAX}) due)::int as due`)
  const { due = 0, runs = false, jobs = false, messages = false } = row ?? {}
  return { dueJobs: due, isOverdue: { runs, jobs, messages } }
}
