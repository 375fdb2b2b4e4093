import { type SQL, sql } from 'drizzle-orm'

export type Attempt = { organizationId: string; id: string; attempt: number }

/**
 * `from … where …` of the runs, as `r`, that are running and whose current attempt is one of these. A run that another worker took over has a
 * higher attempt, so a worker that lost its lease can neither renew it nor store a result.
 */
export function fromCurrentAttempts(attempts: readonly Attempt[]): SQL {
  const rows = attempts.map(({ organizationId, id, attempt }) => ({ organization_id: organizationId, id, attempt }))
  return sql`
    from runs r
    join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(organization_id uuid, id uuid, attempt int)
      using (organization_id, id, attempt)
    where r.state = 'running'`
}
