import { type SQL, sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'

// The order in which the queued runs of one organization are taken. Among organizations the workers decide
// (server/fairness/fair-queue.ts).

/** A service whose recent runs took this long is slow. Its runs may use only a part of a worker. */
const SLOW_MS = 5_000

/** How long a scheduled run may stay queued before it is recorded as skipped. */
export const QUEUE_TIMEOUT_SECONDS = 300

/** Longer than a scheduled run can be queued, so that requested runs are taken before scheduled ones. */
const REQUEST_HEAD_START = sql`interval '10 minutes'`

/**
 * Returns `rank_at` and `is_slow` of a run that is queued now. A scheduled run ranks later by the time that the service's
 * recent runs took. So the runs of a slow target come after the other runs of their minute, but are not starved.
 */
export function queueOrder(meanRunMs: SQL, cause: string | SQL): { rankAt: SQL; isSlow: SQL } {
  return {
    rankAt: sql`now() + case when ${cause} = 'request' then -${REQUEST_HEAD_START} else ${meanRunMs} * interval '1 millisecond' end`,
    isSlow: sql`${meanRunMs} >= ${SLOW_MS}::int`,
  }
}

/** The same for a scheduled run of a service with this mean duration. `now` is the database's clock. */
export function scheduledOrder(meanRunMs: number, now: Date): { rankAt: Date; isSlow: boolean } {
  return { rankAt: new Date(now.getTime() + meanRunMs), isSlow: meanRunMs >= SLOW_MS }
}

/** The mean duration of the service's recent runs, in milliseconds; 0 before the first. */
export function meanRunMsOf({ organizationId, id }: RowKey<string>): SQL {
  return sql`coalesce((select t.mean_run_ms from service_states t
    where t.organization_id = ${organizationId} and t.service_id = ${id}), 0)`
}
