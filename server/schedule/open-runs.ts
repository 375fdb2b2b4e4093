import { sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'

/** Returns which of the runs, batches of runs and draft runs are not done yet, in one statement. */
export async function findOpenRuns(db: Db, ids: string[]): Promise<ReadonlySet<string>> {
  const wanted = sql`any(${uuids(ids)})`
  const rows = await db.execute<{ id: string }>(sql`
    select id from runs where id = ${wanted} and state <> 'done'
    union select run_id from runs where run_id = ${wanted} and state <> 'done'
    union select b.batch_id from batch_runs b join runs r on (r.organization_id, r.id) = (b.organization_id, b.run_id)
      where b.batch_id = ${wanted} and r.state <> 'done'
    union select b.batch_id from batch_runs b join runs r on (r.organization_id, r.run_id) = (b.organization_id, b.run_id)
      where b.batch_id = ${wanted} and r.state <> 'done'
    union select id from draft_runs where id = ${wanted} and state <> 'done'`)
  return new Set(rows.map(({ id }) => id))
}
