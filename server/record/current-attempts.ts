import { type SQL, sql } from 'drizzle-orm'

/**
 * `from … where …` of the runs, as `r`, that are running and whose current attempt is one of these. A run that another worker took over has a
 * higher attempt, so a worker that lost its lease can neither renew it nor store a result.
 */
export function fromCurrentAttempts(attempts: { id: string; attempt: number }[]): SQL {
  return sql`
    from runs r
    join jsonb_to_recordset(${JSON.stringify(attempts.map(({ id, attempt }) => ({ id, attempt })))}::jsonb)
      as i(id uuid, attempt int) on i.id = r.id and i.attempt = r.attempt
    where r.state = 'running'`
}
