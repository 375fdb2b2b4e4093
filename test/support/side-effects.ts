import type { Db } from '#db/client.ts'
import { asc, eq, sql } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'

// The side effects of operations: audit entries and jobs.

/** Returns the audit entries of an entity, oldest first. */
export async function auditOf(db: Db, entityId: string): Promise<(typeof auditEntries.$inferSelect)[]> {
  return db.select().from(auditEntries).where(eq(auditEntries.entityId, entityId)).orderBy(asc(auditEntries.id))
}

export async function actionsOn(db: Db, entityId: string): Promise<string[]> {
  return (await auditOf(db, entityId)).map((entry) => entry.action)
}

/** Returns the number of queued `clear` jobs for the service. */
export async function clearJobsOf(db: Db, serviceId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'clear' and j.payload::jsonb -> 'serviceIds' @> ${JSON.stringify([serviceId])}::jsonb`)
  return row?.count ?? 0
}

/** Returns the task and payload of the queued job with this key, or null. */
export async function jobByKey(db: Db, key: string): Promise<{ task: string; payload: unknown } | null> {
  const [job] = await db.execute<{ task: string; payload: unknown }>(sql`
    select t.identifier as task, j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where j.key = ${key}`)
  return job ?? null
}
