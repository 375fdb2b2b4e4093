import { type SQL, sql } from 'drizzle-orm'

// The order in which the queued runs of one organization are taken. Among organizations the workers decide
// (server/fairness/fair-permits.ts).

/** Runs that usually take at least this long are slow. They may use only a part of the permits. */
export const SLOW_MS = 5_000

/** Longer than a scheduled run can be queued, so that requested runs are taken before scheduled ones. */
const REQUEST_HEAD_START = sql`interval '10 minutes'`

/**
 * Returns `rank_at` and `is_slow` of a run that is queued now. A scheduled run ranks later by the time that the service's
 * recent runs took. So the runs of a slow target come after the other runs of their minute, but are not starved.
 */
export function queueOrder(serviceId: string | SQL, cause: string | SQL): { rankAt: SQL; isSlow: SQL } {
  const slotMs = sql`coalesce((select t.slot_ms from service_states t where t.service_id = ${serviceId}), 0)`
  return {
    rankAt: sql`now() + case when ${cause} = 'request' then -${REQUEST_HEAD_START} else ${slotMs} * interval '1 millisecond' end`,
    isSlow: sql`${slotMs} >= ${SLOW_MS}::int`,
  }
}
