import { type SQL, sql } from 'drizzle-orm'

// The order in which the queued runs of one organization are picked. Between organizations the workers decide
// (worker/fairness/fair-permits.ts).

/** From here on a service's runs are slow: they share a part of the slots, so that the others find some free. */
export const SLOW_MS = 5_000

/** More than a run that came by schedule may stand in the queue: requested runs go before all of those. */
const REQUEST_HEAD_START = sql`interval '10 minutes'`

/**
 * `rank_at` and `is_slow` of a run that is queued now. What came by schedule goes behind by as long as the service's
 * runs took lately, so those of a hanging target come after the others of their minute, and still come.
 */
export function queueOrder(serviceId: string | SQL, cause: string | SQL): { rankAt: SQL; isSlow: SQL } {
  const slotMs = sql`coalesce((select t.slot_ms from service_states t where t.service_id = ${serviceId}), 0)`
  return {
    rankAt: sql`now() + case when ${cause} = 'schedule' then ${slotMs} * interval '1 millisecond' else -${REQUEST_HEAD_START} end`,
    isSlow: sql`${slotMs} >= ${SLOW_MS}::int`,
  }
}
