import { hostname } from 'node:os'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { and, eq, isNull, type SQL, sql } from '#db/drizzle.cjs'
import { agents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { programVersion } from '#server/process/program.ts'
import type { ProcessLoad } from './process-load.ts'

/**
 * Returns the shared agent with this slug, which is created if there is none: only the operator starts workers. An
 * organization's own agent with the same slug is another agent.
 */
export async function findOrCreateAgent(db: Db, slug: string): Promise<{ id: string; slug: string }> {
  const shared = and(eq(agents.slug, slug), isNull(agents.organizationId))
  const find = () => db.select({ id: agents.id, slug: agents.slug }).from(agents).where(shared)
  let [agent] = await find()
  if (!agent) {
    const label = slug === 'local' ? 'Local' : slug
    await db.insert(agents).values({ id: uuidv7(), slug, label }).onConflictDoNothing()
    ;[agent] = await find()
  }
  if (!agent) throw new Error(`The agent "${slug}" was removed while the worker started`)
  // Its token was never used.
  await db.execute(sql`
    update agents a set is_remote = false where a.id = ${agent.id} and a.is_remote
      and not exists (select 1 from agent_keys k where k.agent_id = a.id)`)
  return agent
}

/** The job or run that was taken last, and when by the process's own clock. */
export type LastTaken = { task: string; at: number }

/** A worker process: the pools under whose names the queue locks its jobs, and the job or run that it took last. */
export type Heartbeat = {
  id: string
  agentId: string
  poolIds: string[]
  lastTaken: LastTaken | null
  /** What the process can execute at once, executes now, and how busy it is. */
  load?: ProcessLoad & { slots: number; busy: number }
}

/**
 * Stores that this process is alive and the job or run that it took last. Returns the database's time. Inserts a
 * missing row again, because other workers delete the row of a process that was suspended for too long.
 */
export async function sendHeartbeat(db: Db, { id, agentId, poolIds, lastTaken, load }: Heartbeat): Promise<Date> {
  const [poolId = '', ...formerPoolIds] = poolIds
  const status = {
    ...load,
    version: programVersion(),
    poolId,
    formerPoolIds,
    lastTask: lastTaken?.task ?? null,
    // An age by this process's clock, subtracted from the database's time.
    lastTakenAt: lastTaken && sql`now() - make_interval(secs => ${(performance.now() - lastTaken.at) / 1_000})`,
  }
  const [row] = await db
    .insert(workers)
    .values({ id, agentId, host: hostname(), pid: process.pid, ...status })
    .onConflictDoUpdate({ target: workers.id, set: { heartbeatAt: sql`now()`, ...status } })
    .returning({ heartbeatAt: workers.heartbeatAt })
  return (row as { heartbeatAt: Date }).heartbeatAt
}

/** Unlocks the jobs that this process could not end, and deletes its row. */
export async function removeWorker(db: Db, id: string, poolIds: string[]): Promise<void> {
  await unlockJobs(db, poolIds)
  await deleteWorkers(db, sql`w.id = ${id}`)
}

/** Lets other workers take the jobs of queues that are no more. */
export async function unlockJobs(db: Db, poolIds: string[]): Promise<void> {
  await db.execute(sql`select graphile_worker.force_unlock_workers(${`{${poolIds.join(',')}}`}::text[])`)
}

/**
 * Deletes rows of the table `workers`, as `w`, and keeps when their agents were last seen. Locks the agents first, as their
 * removal does. Rare: 1 ms.
 */
export async function deleteWorkers(db: Db, where: SQL): Promise<void> {
  await db.execute(sql`
    with locked as materialized (
      select a.id from agents a where a.id in (select w.agent_id from workers w where ${where})
      order by a.id for no key update),
    gone as (
      delete from workers w where ${where} and (select count(*) from locked) >= 0 returning w.agent_id, w.heartbeat_at)
    update agents a set last_seen_at = greatest(a.last_seen_at, seen.at)
    from (select agent_id, max(heartbeat_at) as at from gone group by agent_id) seen where a.id = seen.agent_id`)
}
