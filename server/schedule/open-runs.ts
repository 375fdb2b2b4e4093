import { sql } from 'drizzle-orm'
import { uuids } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'

/** Returns which of the runs are not done yet on all their agents, in one statement. */
export async function findOpenRuns(db: Db, ids: string[]): Promise<ReadonlySet<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    select distinct coalesce(run_id, id) as id from runs
    where (id = any(${uuids(ids)}) or run_id = any(${uuids(ids)})) and state <> 'done'`)
  return new Set(rows.map(({ id }) => id))
}
