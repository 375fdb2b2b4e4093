import { hostname } from 'node:os'
import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { agents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import type { LastTaken } from './queue/in-flight.ts'

/**
 * The agent this process works for. A slug that nobody has made yet becomes an agent shared by all organizations: who
 * starts a worker is the operator.
 */
export async function findOrCreateAgent(db: Db, slug: string): Promise<{ id: string; slug: string }> {
  const label = slug === 'local' ? 'Local' : slug
  await db.insert(agents).values({ id: uuidv7(), slug, label }).onConflictDoNothing({ target: agents.slug })
  const [agent] = await db.select({ id: agents.id, slug: agents.slug }).from(agents).where(eq(agents.slug, slug))
  if (!agent) throw new Error(`The agent "${slug}" was removed while the worker started`)
  return agent
}

/** What a worker tells of itself: the pools under which the queue locks its jobs, and what it took last. */
export type Heartbeat = { id: string; agentId: string; poolIds: string[]; lastTaken: LastTaken | null }

/**
 * Tells that this process lives, and what it took last. The row is made anew where it is missing: a process that was
 * suspended for so long that the others took it for dead is back. Answers when it was heard.
 */
export async function sendHeartbeat(db: Db, { id, agentId, poolIds, lastTaken }: Heartbeat): Promise<Date> {
  const [poolId = '', ...formerPoolIds] = poolIds
  const said = {
    poolId,
    formerPoolIds,
    lastTask: lastTaken?.task ?? null,
    // Its age by the process's own clock, put on the clock that all share.
    lastTakenAt: lastTaken && sql`now() - make_interval(secs => ${(performance.now() - lastTaken.at) / 1_000})`,
  }
  const [row] = await db
    .insert(workers)
    .values({ id, agentId, host: hostname(), pid: process.pid, ...said })
    .onConflictDoUpdate({ target: workers.id, set: { heartbeatAt: sql`now()`, ...said } })
    .returning({ heartbeatAt: workers.heartbeatAt })
  return (row as { heartbeatAt: Date }).heartbeatAt
}

/** Takes the process out of the list of those that live, unless it could not free its jobs: then others have to. */
export async function removeWorker(db: Db, worker: { id: string }): Promise<void> {
  await db.delete(workers).where(sql`${workers.id} = ${worker.id} and not exists (
    select 1 from graphile_worker._private_jobs j
    where j.locked_by = ${workers.poolId} or j.locked_by = any(${workers.formerPoolIds}))`)
}
