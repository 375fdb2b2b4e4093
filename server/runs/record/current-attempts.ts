import { type SQL, sql } from '#db/drizzle.cjs'
import { rowsOf } from '#db/rows.ts'
import { runs } from '#db/schema/runs.ts'

export type Attempt = { organizationId: string; id: string; attempt: number }

/**
 * `from … where …` of the runs, as `r`, that are running and whose current attempt is one of these. A run that another
 * worker took over has a higher attempt, so a worker that lost its lease can neither renew it nor give it back.
 */
export function fromCurrentAttempts(attempts: readonly Attempt[]): SQL {
  return sql`
    from runs r join ${rowsOf(runs, attempts)} using (organization_id, id, attempt)
    where r.state = 'running'`
}
