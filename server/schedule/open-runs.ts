import { uuids } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'

/** Returns which of the runs, batches of runs and draft runs are not done yet, in one statement. */
export async function findOpenRuns(db: Db, awaited: readonly RowKey<string>[]): Promise<ReadonlySet<string>> {
  const organizations = uuids([...new Set(awaited.map(({ organizationId }) => organizationId))])
  const ids = uuids(awaited.map(({ id }) => id))
  const isWanted = (organizationId: SQL, id: SQL) =>
    sql`${organizationId} = any(${organizations}) and ${id} = any(${ids})`
  const ofBatch = isWanted(sql`b.organization_id`, sql`b.batch_id`)
  const rows = await db.execute<{ id: string }>(sql`
    select id from runs where ${isWanted(sql`organization_id`, sql`id`)} and state <> 'done'
    union select run_id from runs where ${isWanted(sql`organization_id`, sql`run_id`)} and state <> 'done'
    union select b.batch_id from batch_runs b join runs r on (r.organization_id, r.id) = (b.organization_id, b.run_id)
      where ${ofBatch} and r.state <> 'done'
    union select b.batch_id from batch_runs b join runs r on (r.organization_id, r.run_id) = (b.organization_id, b.run_id)
      where ${ofBatch} and r.state <> 'done'
    union select id from draft_runs where ${isWanted(sql`organization_id`, sql`id`)} and state <> 'done'`)
  return new Set(rows.map(({ id }) => id))
}
