import { hostname } from 'node:os'
import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { agents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'

/**
 * The agent this process works for. A slug that nobody has made yet becomes an agent shared by all organizations: who
 * starts a worker is the operator.
 */
export async function findOrMakeAgent(db: Db, slug: string): Promise<{ id: string; slug: string }> {
  const label = slug === 'local' ? 'Local' : slug
  await db.insert(agents).values({ id: uuidv7(), slug, label }).onConflictDoNothing({ target: agents.slug })
  const [agent] = await db.select({ id: agents.id, slug: agents.slug }).from(agents).where(eq(agents.slug, slug))
  if (!agent) throw new Error(`The agent "${slug}" was removed while the worker started`)
  return agent
}

/**
 * Tells that this process lives. The row is made anew where it is missing: a process that was suspended for so long
 * that the others took it for dead is back. Answers when it was heard.
 */
export async function beat(db: Db, worker: { id: string; agentId: string; poolId: string }): Promise<Date> {
  const [row] = await db
    .insert(workers)
    .values({ ...worker, host: hostname(), pid: process.pid })
    .onConflictDoUpdate({ target: workers.id, set: { heartbeatAt: sql`now()`, poolId: worker.poolId } })
    .returning({ heartbeatAt: workers.heartbeatAt })
  return (row as { heartbeatAt: Date }).heartbeatAt
}

/** Takes the process out of the list of those that live. */
export async function leave(db: Db, worker: { id: string }): Promise<void> {
  await db.delete(workers).where(eq(workers.id, worker.id))
}
